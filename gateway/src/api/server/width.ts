/**
 * How many values a JSON body may hold, looked at before it is parsed: 24,000 fields in 256 KB take a parser some 6 ms,
 * this a quarter of one. What is shorter than that many values costs nothing here.
 */

/** Of all lists and objects together; ten destinations with a hundred words each have a fifth. */
export const maxValues = 5_000

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c

/** Expects JSON; in a text that is none the answer has no meaning. */
export function holdsTooMuch(json: string): boolean {
  // A value and its comma.
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
