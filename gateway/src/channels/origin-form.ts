/**
 * The form of codes of operators, such as `originCID`: nine digits, or what `POSTERN_ORIGIN_PATTERN` says. A process uses one, which is
 * set when it starts; the schemas of requests ask for it as a format.
 */
import { Format } from 'typebox/format'
import { ConfigError } from '../platform/config-error.ts'

export interface OriginForm {
  readonly fits: (code: string) => boolean
  /** As it continues "must be". */
  readonly words: string
}

export interface OriginFormSettings {
  readonly originPattern?: string | undefined
}

const nineDigits = '[0-9]{9}'
/** Requests and options of routes take no longer codes. */
const maxLength = 20

/** Throws `ConfigError` for a pattern that is not a valid regular expression, or that allows codes of more than 20 characters. */
export function originFormOf({ originPattern = nineDigits }: OriginFormSettings): OriginForm {
  let expression: RegExp
  try {
    expression = new RegExp(`^${originPattern}$`)
  } catch (error) {
    throw new ConfigError(
      `POSTERN_ORIGIN_PATTERN is not a pattern (${(error as Error).message}); correct it, or unset it for nine digits`,
    )
  }
  const longest = lengthOf(originPattern)
  if (longest < 1 || longest > maxLength)
    throw new ConfigError(
      `POSTERN_ORIGIN_PATTERN must allow codes of 1 to ${maxLength} characters, not of up to ${longest}; correct it, or unset it for nine digits`,
    )
  return {
    fits: (code) => expression.test(code),
    words: originPattern === nineDigits ? 'nine digits' : `a code of the form ${originPattern}`,
  }
}

/** The length of the longest code: the sum of the largest count of each class, which is 1 where none is given. */
function lengthOf(pattern: string): number {
  return [...pattern.matchAll(/\](?:\{(?:\d+,)?(\d+)\})?/g)].reduce(
    (sum, [, most = '1']) => sum + Number(most),
    0,
  )
}

let used = originFormOf({})

/** From now on requests are checked by it. */
export function useOriginForm(form: OriginForm): void {
  used = form
}

/** In words, for a request that does not have it. */
export const originFormWords = (): string => used.words

export const originFormat = 'origin-code'
// Before any schema is compiled, which takes the function as it is then.
Format.Set(originFormat, (code) => used.fits(code))
