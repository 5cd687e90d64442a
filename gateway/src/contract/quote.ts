/**
 * Quotes a received value in an error: printable ASCII only and limited in length, so that a response or a
 * log line stays short and safe to print. Use it for numbers, times, addresses and enum values; never for
 * message texts or phone numbers.
 */
const maxQuoted = 40

export function quote(value: unknown): string {
  if (typeof value !== 'string') return 'several values'
  const printable = value.slice(0, maxQuoted).replaceAll(/[^\x20-\x7e]/g, '?')
  return `'${printable}${value.length > maxQuoted ? '…' : ''}'`
}
