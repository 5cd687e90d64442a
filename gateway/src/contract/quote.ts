/**
 * Quotes a received value in an error: printable ASCII only, bounded in length, so that an answer and a log line stay
 * short and safe to print. For numbers, times, addresses and enum values; never for message texts or phone numbers.
 */
const maxQuoted = 40

export function quote(value: unknown): string {
  if (typeof value !== 'string') return 'several values'
  const printable = value.slice(0, maxQuoted).replaceAll(/[^\x20-\x7e]/g, '?')
  return `'${printable}${value.length > maxQuoted ? '…' : ''}'`
}
