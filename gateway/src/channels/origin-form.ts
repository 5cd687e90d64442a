/**
 * The form of operator codes, such as `originCID`: nine digits, or the pattern in `POSTERN_ORIGIN_PATTERN`. A
 * process sets it once when it starts; request schemas use it as a format.
 */
import { Format } from 'typebox/format'
import { ConfigError } from '../platform/settings/config-error.ts'

export interface OriginForm {
  readonly fits: (code: string) => boolean
  /** Completes the phrase "must be". */
  readonly description: string
}

export interface OriginFormSettings {
  readonly originPattern?: string | undefined
}

const nineDigits = '[0-9]{9}'
/** Requests and route options accept no longer codes. */
const maxLength = 20

/**
 * Throws `ConfigError` if the pattern is not a valid regular expression, or if the longest code that it allows
 * does not have 1 to 20 characters.
 */
export function createOriginForm({ originPattern = nineDigits }: OriginFormSettings): OriginForm {
  let expression: RegExp
  try {
    expression = new RegExp(`^${originPattern}$`)
  } catch (error) {
    throw new ConfigError(
      `POSTERN_ORIGIN_PATTERN is not a valid pattern (${(error as Error).message}); correct it, or unset it for nine digits`,
    )
  }
  const longest = longestLength(originPattern)
  if (longest < 1 || longest > maxLength)
    throw new ConfigError(
      `POSTERN_ORIGIN_PATTERN must allow codes of 1 to ${maxLength} characters, but allows up to ${longest}; correct it, or unset it for nine digits`,
    )
  return {
    fits: (code) => expression.test(code),
    description: originPattern === nineDigits ? 'nine digits' : `a code of the form ${originPattern}`,
  }
}

/**
 * Returns the length of the longest code: the sum of the largest count of each class, which defaults to 1.
 */
function longestLength(pattern: string): number {
  return [...pattern.matchAll(/\](?:\{(?:\d+,)?(\d+)\})?/g)].reduce(
    (sum, [, most = '1']) => sum + Number(most),
    0,
  )
}

let currentForm = createOriginForm({})

/** Sets the form that requests are checked against. */
export function setOriginForm(form: OriginForm): void {
  currentForm = form
}

/** Describes the form, for error texts. */
export const describeOriginForm = (): string => currentForm.description

export const originFormat = 'origin-code'
// Runs before any schema is compiled, because compilation captures the function.
Format.Set(originFormat, (code) => currentForm.fits(code))
