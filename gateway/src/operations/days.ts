import { isDay } from '../contract/day.ts'
import { wrongField } from './errors.ts'

const dayMs = 86_400_000

/** Returns `text` if it is an existing day, YYYY-MM-DD; throws otherwise. */
export function readDay(text: string, field: string): string {
  if (!isDay(text)) throw wrongField(field, `must be a day such as 2026-11-02, not '${text}'`)
  return text
}

/** Returns the end of the day in Korea. */
export function endOfDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00+09:00`) + dayMs)
}
