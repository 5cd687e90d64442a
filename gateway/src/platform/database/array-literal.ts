/**
 * Serializes arrays as PostgreSQL array literals. Every bulk statement passes its columns as arrays, a dozen
 * values per message and statement. The driver's serializer runs two regular expressions over each value and
 * formats dates field by field, which is too slow here.
 */
const yearOneMs = Date.parse('0001-01-01T00:00:00Z')
const yearTenThousandMs = Date.UTC(10_000, 0, 1)

/**
 * Returns undefined if an element is of another type than string, number, boolean, null, undefined and date, or
 * a date that `toTime` does not write; the driver serializes such an array.
 */
export function arrayLiteral(values: readonly unknown[]): string | undefined {
  let literal = '{'
  let separator = ''
  for (const value of values) {
    const element = toElement(value)
    if (element === undefined) return undefined
    literal += separator + element
    separator = ','
  }
  return `${literal}}`
}

function toElement(value: unknown): string | undefined {
  if (typeof value === 'string') return `"${escape(value)}"`
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value instanceof Date ? toTime(value) : undefined
}

function escape(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return text
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
}

/** The second that was written last, and its text: the times of a column are mostly in the same second. */
let lastSecond = NaN
let lastSecondText = ''

/** Returns undefined outside the years 1 to 9999: PostgreSQL and ISO 8601 write other years differently. */
function toTime(date: Date): string | undefined {
  const ms = date.getTime()
  // Also false for an invalid date.
  if (!(ms >= yearOneMs && ms < yearTenThousandMs)) return undefined
  const second = Math.floor(ms / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    lastSecondText = date.toISOString().slice(0, '0001-01-01T00:00:00'.length)
  }
  return `"${lastSecondText}.${String(ms - 1000 * second).padStart(3, '0')}Z"`
}
