/**
 * Normalizes numbers, so that a rule for `010` and one for `+8210` mean the same, and finds the carrier of a number by
 * its longest known prefix. A ported number belongs to another carrier than its prefix suggests: the result is only as
 * accurate as the table that the operator imports. Pure.
 */
export interface NumberRange {
  readonly prefix: string
  readonly carrier: string
}

/** Finds the carrier of a number in plain form; undefined when no range contains it. */
export type CarrierOf = (plain: string) => string | undefined

// Domestic numbers follow the Korean numbering plan (channels/numbers.ts).
const homeCountry = '82'

/** Country code and national number, digits only, of a whole number or of a prefix. */
export function toPlain(number: string): string {
  if (number.startsWith('+')) return number.slice(1)
  return number.startsWith('0') ? homeCountry + number.slice(1) : number
}

/** Whether a rule or a range may have this prefix. */
export function isPrefix(text: string): boolean {
  return /^(?:0\d{0,11}|\+[1-9]\d{0,14})$/.test(text)
}

/** Reports whether a prefix singles out subscribers: with its country code it has ten digits or more. */
export function isSubscriberPrefix(prefix: string): boolean {
  return toPlain(prefix).length >= 10
}

export function compileRanges(ranges: readonly NumberRange[]): CarrierOf {
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
