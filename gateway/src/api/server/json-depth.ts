/**
 * Bounds the nesting depth of a JSON body, before it is parsed. The checks of a body are recursive, and so is
 * JSON.stringify: a body of 256 KB could be nested deep enough to exhaust the stack. The API contract needs less than
 * half as many levels.
 */
export const maxDepth = 32

const quote = 0x22
const backslash = 0x5c

/** Expects JSON; for any other text the result has no meaning. */
export function isTooDeep(json: string): boolean {
  // Most bodies have fewer brackets than the limit and need no scan of each character.
  return countUpTo(json, '{') + countUpTo(json, '[') > maxDepth && exceeds(json)
}

function countUpTo(json: string, bracket: string): number {
  let found = 0
  for (let at = json.indexOf(bracket); at >= 0 && found <= maxDepth; at = json.indexOf(bracket, at + 1))
    found++
  return found
}

function exceeds(json: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    if (inString) {
      if (unit === backslash) at++
      else if (unit === quote) inString = false
    } else if (unit === quote) {
      inString = true
    } else if (unit === 0x7b || unit === 0x5b) {
      if (++depth > maxDepth) return true
    } else if (unit === 0x7d || unit === 0x5d) {
      depth--
    }
  }
  return false
}
