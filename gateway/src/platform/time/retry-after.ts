/**
 * Parses the header Retry-After, in seconds or as an HTTP date. Returns the delay from now in milliseconds,
 * at most `maxMs`, or null if the header is missing or invalid or its time has passed.
 */
export function parseRetryAfter(header: string | undefined, nowMs: number, maxMs: number): number | null {
  if (header === undefined) return null
  const text = header.trim()
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : httpDate(text) - nowMs
  return ms >= 0 ? Math.min(ms, maxMs) : null
}

/** Parses the one form that servers may send; returns NaN for any other. */
function httpDate(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : NaN
}
