/** JSON of carriers in which an integer that a number cannot hold, such as an id of 64 bits, is its text. Pure. */

/** Throws when it is not JSON. */
export function parseExact(text: string): unknown {
  return (/\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)) as unknown
}

function keepDigits(this: unknown, _name: string, value: unknown, context?: { source?: string }): unknown {
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value)
  return !isExact && /^-?\d+$/.test(context?.source ?? '') ? context!.source : value
}
