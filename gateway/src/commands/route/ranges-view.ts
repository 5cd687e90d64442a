/** What `postern route ranges` prints, over either way. Pure. */
import type { Result } from '../result.ts'

export function importedRanges(ranges: number): Result {
  const text = `imported ${ranges} number ranges in place of the old ones; running processes follow within two seconds`
  return { json: { ranges }, lines: [text] }
}

export function clearedRanges(): Result {
  const text = 'all number ranges are removed; running processes follow within two seconds'
  return { json: { ranges: 0 }, lines: [text] }
}
