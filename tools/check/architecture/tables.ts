/** Finds which folders write which tables by reading the SQL in the source text. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

const write =
  /\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?|merge\s+into)\s+(?:only\s+)?([a-z_]+)\b/g

/** Maps each table to the folders that insert into, update, delete from, truncate or merge into it. */
export function findTableWriters(
  root: string,
  files: Iterable<string>,
  tables: ReadonlySet<string>,
): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>()
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8')
    // Prose contains these verbs; count only names of tables.
    for (const [, name] of source.matchAll(write)) {
      if (tables.has(name!)) writers.set(name!, (writers.get(name!) ?? new Set()).add(dirname(file)))
    }
  }
  return writers
}

/** Returns the names of the tables that the migrations in `directory` create. */
export function findTables(directory: string): Set<string> {
  const schema = readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('\n')
  return new Set(
    Array.from(schema.matchAll(/^create (?:unlogged )?table ([a-z_]+) \(/gm), ([, name]) => name!),
  )
}
