/** `postern route ranges`: which carrier a number belongs to, from a file of `prefix,carrier` lines. */
import { readFile } from 'node:fs/promises'
import { isPrefix, toPlain, type NumberRange } from '../routes/numbering.ts'
import { replaceRanges } from '../routes/ranges.ts'
import { UsageError } from './command.ts'
import { print, withDatabase } from './connect.ts'
import { checkCarrier } from './route-rules.ts'

export async function ranges([action, path]: string[]): Promise<void> {
  if (action === 'clear') {
    await withDatabase((database) => replaceRanges(database, []))
    return print('no number has a known carrier any more; running processes follow within a second or two')
  }
  if (action !== 'import') throw new UsageError('`ranges import FILE` or `ranges clear` is wanted')
  if (path === undefined) throw new UsageError('a file of lines like `0102,10001` is missing')
  const found = parseRanges(await read(path))
  await withDatabase((database) => replaceRanges(database, found))
  print(`${found.length} number ranges replace the old ones; running processes follow within a second or two`)
}

/** Throws a UsageError that names the line. A first line of titles and blank lines are passed over. */
export function parseRanges(text: string): NumberRange[] {
  const found = new Map<string, NumberRange>()
  text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .forEach((line, index) => {
      if (line.trim() === '' || (index === 0 && /^\s*"?[a-z]/i.test(line))) return
      const [prefix = '', carrier = '', ...rest] = line
        .split(',')
        .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
      const at = `line ${index + 1}`
      if (!isPrefix(prefix) || rest.length > 0)
        throw new UsageError(`${at}: wants a prefix like 0102 or +8110 and a carrier, not '${line.trim()}'`)
      try {
        checkCarrier(carrier)
      } catch (error) {
        throw new UsageError(`${at}: ${(error as Error).message}`)
      }
      const known = found.get(toPlain(prefix))
      if (known !== undefined && known.carrier !== carrier)
        throw new UsageError(`${at}: ${prefix} belongs to ${known.carrier} further up and to ${carrier} here`)
      found.set(toPlain(prefix), { prefix, carrier })
    })
  // More likely the wrong file than the wish to forget everything.
  if (found.size === 0) throw new UsageError('the file holds no range; to forget all of them: `ranges clear`')
  return [...found.values()]
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as Error).message}`)
  }
}
