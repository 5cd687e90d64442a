/**
 * Maximum values of all arrays and objects together; ten destinations with a hundred replaceWords each have a
 * fifth of it.
 */
export const maxValues = 5_000

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c

/**
 * Reports whether a JSON body exceeds `maxValues`, without parsing it: parsing many small values takes much
 * longer than this check. It counts commas, so the first value of a nested array or object is not counted. The
 * result is meaningless for other text.
 */
export function hasTooManyValues(json: string): boolean {
  // A value and its comma take at least two characters.
  if (json.length < 2 * maxValues) return false
  let values = 1
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    if (inString) {
      if (unit === backslash) at++
      else if (unit === quote) inString = false
    } else if (unit === quote) {
      inString = true
    } else if (unit === comma && ++values > maxValues) {
      return true
    }
  }
  return false
}
