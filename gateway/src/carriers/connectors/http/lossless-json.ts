/** Parses JSON; integers beyond 2^53, such as 64-bit ids, become strings. Throws if the text is not JSON. */
export function parseLosslessJson(text: string): unknown {
  return (/\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)) as unknown
}

function keepDigits(this: unknown, _name: string, value: unknown, context?: { source?: string }): unknown {
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value)
  return !isExact && /^-?\d+$/.test(context?.source ?? '') ? context!.source : value
}
