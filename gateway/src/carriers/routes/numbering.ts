/**
 * Normalizes numbers, so that rules for `010` and `+8210` are equal, and finds the carrier of a number by its longest known
 * prefix. For a ported number the result is wrong unless the imported table has an entry for it.
 */
export interface NumberRange {
  readonly prefix: string
  readonly carrier: string
}

/** Finds the carrier of a number in plain form. Returns undefined if no range contains it. */
export type FindCarrier = (plain: string) => string | undefined

// Domestic numbers follow the Korean numbering plan (channels/numbers.ts).
const homeCountry = '82'

/** Converts a number or a prefix to the plain form: `010…` and `+8210…` become `8210…`. */
export function toPlain(number: string): string {
  if (number.startsWith('+')) return number.slice(1)
  return number.startsWith('0') ? homeCountry + number.slice(1) : number
}

/** Reports whether the text is a valid prefix for a rule or a range. */
export function isPrefix(text: string): boolean {
  return /^(?:0\d{0,11}|\+[1-9]\d{0,14})$/.test(text)
}

/**
 * Reports whether a prefix is long enough to single out subscribers: ten or more digits, including the country code.
 */
export function isSubscriberPrefix(prefix: string): boolean {
  return toPlain(prefix).length >= 10
}

/** Builds the lookup by longest prefix. */
export function compileRanges(ranges: readonly NumberRange[]): FindCarrier {
  const carriers = new Map(ranges.map(({ prefix, carrier }) => [toPlain(prefix), carrier]))
  const lengths = [...new Set([...carriers.keys()].map((prefix) => prefix.length))].sort((a, b) => b - a)
  return (plain) => {
    for (const length of lengths) {
      const carrier = carriers.get(plain.slice(0, length))
      if (carrier !== undefined) return carrier
    }
    return undefined
  }
}
