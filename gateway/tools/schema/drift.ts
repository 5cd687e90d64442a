/** Compares the schema that the migrations make with the committed file. Pure. */

/** The first difference and what to do about it; null when there is none. */
export function findDrift(migrated: string, committed: string): string | null {
  if (migrated === committed) return null
  const expected = migrated.split('\n')
  const found = committed.split('\n')
  const line = expected.findIndex((text, index) => text !== found[index])
  const at = line === -1 ? expected.length : line
  return [
    `gateway/schema.sql differs from the migrations at line ${at + 1}; run: npm run schema`,
    `  migrations: ${expected[at] ?? '(end of file)'}`,
    `  file:       ${found[at] ?? '(end of file)'}`,
  ].join('\n')
}
