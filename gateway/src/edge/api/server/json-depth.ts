/**
 * Maximum nesting depth of a JSON body. The checks of a body and JSON.stringify are recursive, so a deeply
 * nested body of 256 KB could exhaust the stack. The API contract needs less than half as many levels.
 */
export const maxDepth = 32

const quote = 0x22
const backslash = 0x5c
const leftBracket = 0x5b
const rightBracket = 0x5d
const leftBrace = 0x7b
const rightBrace = 0x7d

/**
 * Reports whether a JSON body exceeds `maxDepth`, without parsing it. The result is meaningless for other
 * text.
 */
export function isTooDeep(json: string): boolean {
  // Most bodies have fewer brackets than the limit and need no scan of each character.
  return countUpTo(json, '{') + countUpTo(json, '[') > maxDepth && exceedsMaxDepth(json)
}

function countUpTo(json: string, bracket: string): number {
  let occurrences = 0
  for (let at = json.indexOf(bracket); at >= 0 && occurrences <= maxDepth; at = json.indexOf(bracket, at + 1))
    occurrences++
  return occurrences
}

function exceedsMaxDepth(json: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    if (inString) {
      if (unit === backslash) at++
      else if (unit === quote) inString = false
    } else if (unit === quote) {
      inString = true
    } else if (unit === leftBrace || unit === leftBracket) {
      if (++depth > maxDepth) return true
    } else if (unit === rightBrace || unit === rightBracket) {
      depth--
    }
  }
  return false
}
