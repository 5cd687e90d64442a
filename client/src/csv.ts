/**
 * Splits text after each line break. With `quotes`, line breaks within double quotes do not count, as in CSV
 * (RFC 4180).
 */
export async function* splitLines(
  chunks: AsyncIterable<string>,
  { quotes }: { readonly quotes: boolean },
): AsyncGenerator<string, void> {
  let pending = ''
  let position = 0
  let isQuoted = false
  for await (const chunk of chunks) {
    pending += chunk
    let start = 0
    for (; position < pending.length; position++) {
      const char = pending[position]
      if (quotes && char === '"') isQuoted = !isQuoted
      if (char !== '\n' || isQuoted) continue
      yield pending.slice(start, position + 1)
      start = position + 1
    }
    pending = pending.slice(start)
    position -= start
  }
  if (pending !== '') yield pending
}

/** Returns the fields of one line of CSV. */
export function parseFields(line: string): string[] {
  const fields = `,${line.replace(/\r?\n$/, '')}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)
  return Array.from(fields, ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!)
}
