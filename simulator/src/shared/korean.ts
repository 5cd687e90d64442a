const OFFSET_MS = 9 * 3_600_000

/** Returns `2026-11-15 13:04:27` in Korean time. */
export function koreanTime(at: Date | number = new Date()): string {
  return new Date(Number(at) + OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
}

/** Reads `2026-11-15 13:04` or `2026-11-15 13:04:27`; returns NaN for anything else. */
export function parseKoreanTime(text: string): number {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?$/.test(text)
    ? Date.parse(`${text.replace(' ', 'T')}+09:00`)
    : NaN
}

/** Counts one byte per ASCII character and two per other character. */
export function eucKrBytes(text: string): number {
  let bytes = 0
  for (const character of text) bytes += character < '\u0080' ? 1 : 2
  return bytes
}
