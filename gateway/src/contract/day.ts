/** Checks days as operators and clients write them, such as 2026-11-02. */

/** Reports whether the day exists. PostgreSQL has no year 0. */
export function isDay(text: string): boolean {
  const time = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
