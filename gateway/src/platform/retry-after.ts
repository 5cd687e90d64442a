/**
 * The header Retry-After of an answer: seconds or an HTTP date, as a time from now within a bound. Used for answers of
 * carriers and of webhooks. Pure.
 */

/** Null when it is missing, neither of both, or past. A longer time is cut to `maxMs`. */
export function readRetryAfter(header: string | undefined, nowMs: number, maxMs: number): number | null {
  if (header === undefined) return null
  const text = header.trim()
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : httpDate(text) - nowMs
  return ms >= 0 ? Math.min(ms, maxMs) : null
}

/** The one form that servers may still send; NaN for any other. */
function httpDate(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : NaN
}
