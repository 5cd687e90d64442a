/** Formats a time as msghub does, in Korean time without a zone: `2026-11-15T13:04:27`. */
export function koreanTime(at = Date.now()): string {
  return new Date(at + 9 * 3_600_000).toISOString().slice(0, 19)
}
