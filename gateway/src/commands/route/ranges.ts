/** `postern route ranges`: which carrier a number belongs to, from a file of `prefix,carrier` lines. */
import { parseRanges, replaceNumberRanges } from '../../acts/ranges.ts'
import type { NumberRange } from '../../routes/numbering.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { readInput } from '../read-input.ts'
import type { Result } from '../result.ts'
import { clearedRanges, importedRanges } from './ranges-view.ts'

export async function importRanges(invocation: Invocation, path: string): Promise<Result> {
  const { content } = await readInput(path)
  const ranges = parseRanges(content)
  await replace(invocation, ranges)
  return importedRanges(ranges.length)
}

export async function clearRanges(invocation: Invocation): Promise<Result> {
  await replace(invocation, [])
  return clearedRanges()
}

function replace(invocation: Invocation, ranges: readonly NumberRange[]): Promise<void> {
  return withDatabase(invocation, (_database, _config, audit) => replaceNumberRanges(audit, ranges))
}
