/** The header `Retry-After` in milliseconds: seconds or an HTTP date; null when it is missing or neither. Pure. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined || header.length > 64) return null
  const ms = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isFinite(ms) && ms >= 0 ? ms : null
}
