/**
 * Arrays as PostgreSQL reads them. Every bulk statement takes its columns as arrays, a dozen values a message and
 * statement; the driver's own writer runs two regular expressions over each and takes a date apart by hand, which was
 * a tenth of a worker's time. Pure.
 */
const yearOneMs = Date.parse('0001-01-01T00:00:00Z')
const yearTenThousandMs = Date.UTC(10_000, 0, 1)

/** Undefined for an array that holds anything but texts, numbers, booleans, dates and nulls: the driver knows more kinds. */
export function arrayLiteral(values: readonly unknown[]): string | undefined {
  let literal = '{'
  for (let n = 0; n < values.length; n++) {
    if (n > 0) literal += ','
    const element = toElement(values[n])
    if (element === undefined) return undefined
    literal += element
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

// Rows of one batch were often made in the same millisecond.
let lastMs = NaN
let lastTime = ''

/** Only years that have four digits are written alike by everybody. */
function toTime(date: Date): string | undefined {
  const ms = date.getTime()
  if (ms === lastMs) return lastTime
  if (!(ms >= yearOneMs && ms < yearTenThousandMs)) return undefined
  lastTime = `"${date.toISOString()}"`
  lastMs = ms
  return lastTime
}
