/**
 * Patterns of a profile: regular expressions that match a whole text, with a bounded cost. A pattern is refused when it
 * is stored if its matching could take many steps: repetition inside a repetition, look-around and references back are not
 * allowed, and the product of all choices is limited. Pure.
 */
import { maxTextLength } from './pointer.ts'

const maxPatternLength = 200
/** Two repetitions without a limit over the longest text, and 32 ways through the rest: below 0.3 s; 128 took 0.7 s. */
const maxChoices = maxTextLength ** 2 * 32

/** Throws an error that begins with the path. */
export function compilePattern(source: string, path: string): RegExp {
  if (source.length > maxPatternLength)
    throw new Error(`${path} must have at most ${maxPatternLength} characters`)
  let pattern: RegExp
  try {
    pattern = new RegExp(`^(?:${source})$`, 'su')
  } catch (error) {
    // Its message begins with the expression.
    const reason = (error as Error).message.split(': ').at(-1)!
    throw new Error(`${path} is not a regular expression: ${reason}`, { cause: error })
  }
  checkCost(source, path)
  return pattern
}

interface Group {
  /** Something in it is repeated without a limit, or it has alternatives: it must not be repeated itself. */
  varies: boolean
  alternatives: number
}

function checkCost(source: string, path: string): void {
  let choices = 1
  const groups: Group[] = [{ varies: false, alternatives: 1 }]
  /** The group that ended just before this place. */
  let ended: Group | undefined
  const tokens = source.matchAll(
    /\\(?:k<|[pP]\{[^}]*\}|u\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|<[^>]*>|.)?)?|\{\d+(?:,\d*)?\}\??|[*+?]\??|[)|]|[^]/gsu,
  )
  for (const [token] of tokens) {
    const group = groups.at(-1)!
    const times = repetitions(token)
    if (times !== undefined) {
      if (ended?.varies === true && !token.startsWith('?'))
        throw new Error(`${path} repeats a group that itself has repetitions or alternatives; write it flat`)
      choices *= times
      group.varies = true
    } else if (token.startsWith('(')) {
      if (!['(', '(?:'].includes(token))
        throw new Error(`${path} must not use ${token}: only plain groups are allowed`)
      groups.push({ varies: false, alternatives: 1 })
    } else if (token === '|') {
      group.alternatives++
      group.varies = true
    } else if (/^\\[k1-9]/.test(token)) {
      throw new Error(`${path} must not refer back to a group`)
    }
    if (token === ')') {
      ended = groups.pop()!
      choices *= ended.alternatives
      groups.at(-1)!.varies ||= ended.varies
    } else ended = undefined
    if (choices > maxChoices)
      throw new Error(`${path} can match in too many ways; use fewer repetitions and alternatives`)
  }
}

/** In how many ways a quantifier can match; undefined for another token. */
function repetitions(token: string): number | undefined {
  if (/^[*+]/.test(token)) return maxTextLength
  if (token.startsWith('?')) return 2
  const range = /^\{(\d+)(,(\d*))?\}/.exec(token)
  if (range === null) return undefined
  const [, least, upTo, most] = range
  if (upTo === undefined) return Number(least) > maxTextLength ? Infinity : 1
  return most === '' ? maxTextLength : Math.max(1, Number(most) - Number(least) + 1)
}
