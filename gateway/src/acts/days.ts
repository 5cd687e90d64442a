/** Days as operators give them. Pure. */
import { isDay } from '../contract/day.ts'
import { UsageError } from './errors.ts'

const dayMs = 86_400_000

/** A day that exists, YYYY-MM-DD. `name`: what it was given as, for the error. */
export function readDay(text: string, name: string): string {
  if (!isDay(text)) throw new UsageError(`${name} must be a day such as 2026-11-02, not '${text}'`)
  return text
}

/** The end of the day in Korea. */
export function endOfDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00+09:00`) + dayMs)
}
