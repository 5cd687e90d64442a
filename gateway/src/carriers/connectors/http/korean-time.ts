/** Times of Korean carriers: `2026-11-15 13:04:27`, or `2026-11-15T13:04:27.123+09`, whose offset has no minutes. */

const form = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:(Z)|([+-]\d\d)(?::?(\d\d))?)?$/

/** Parses a time; without an offset it is Korean time. Returns null if the format is invalid. */
export function readKoreanTime(value: unknown): Date | null {
  const match = typeof value === 'string' && value.length <= 40 ? form.exec(value) : null
  if (match === null) return null
  const [, day, time, utc, hours = '+09', minutes = '00'] = match
  const at = new Date(`${day}T${time}${utc ?? `${hours}:${minutes}`}`)
  return Number.isNaN(at.getTime()) ? null : at
}

/** Formats as `2026-11-15 13:04:27` in Korean time. */
export function formatKoreanTime(at: Date): string {
  return toKorea(at).slice(0, 19).replace('T', ' ')
}

/** Formats as `20261115130427123` in Korean time, for ids. */
export function compactTime(at: Date): string {
  return toKorea(at).replaceAll(/\D/g, '')
}

function toKorea(at: Date): string {
  return new Date(at.getTime() + 9 * 3_600_000).toISOString()
}
