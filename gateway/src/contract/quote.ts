const maxQuoted = 40

/**
 * Quotes a received value in an error: printable ASCII only and limited in length, so that a response or a
 * log line stays short and safe to print. Use it for numbers, times, addresses, IDs and enum values; never for
 * message texts or phone numbers. A query parameter that was given several times arrives as an array.
 */
export function quote(value: unknown): string {
  if (typeof value !== 'string') return 'several values'
  const printable = value.slice(0, maxQuoted).replaceAll(/[^\x20-\x7e]/g, '?')
  return `'${printable}${value.length > maxQuoted ? '…' : ''}'`
}
