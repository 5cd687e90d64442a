/**
 * How deep JSON may be nested. What looks into a body does so by recursion, and so does JSON.stringify: a body of
 * 256 KB could be nested deep enough to exhaust the stack. Nothing in the contract needs half as many levels.
 */
export const maxLevels = 32

const quote = 0x22
const backslash = 0x5c

/** Expects JSON; in a text that is none the answer has no meaning. */
export function nestsTooDeep(json: string): boolean {
  // Most bodies have fewer brackets than levels are allowed, and need no look at each character.
  return countUpTo(json, '{') + countUpTo(json, '[') > maxLevels && exceeds(json)
}

function countUpTo(json: string, bracket: string): number {
  let found = 0
  for (let at = json.indexOf(bracket); at >= 0 && found <= maxLevels; at = json.indexOf(bracket, at + 1))
    found++
  return found
}

function exceeds(json: string): boolean {
  let level = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    if (inString) {
      if (unit === backslash) at++
      else if (unit === quote) inString = false
    } else if (unit === quote) {
      inString = true
    } else if (unit === 0x7b || unit === 0x5b) {
      if (++level > maxLevels) return true
    } else if (unit === 0x7d || unit === 0x5d) {
      level--
    }
  }
  return false
}
