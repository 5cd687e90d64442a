/** The day (YYYY-MM-DD) or month (YYYY-MM) that a cap counts in; found once a minute. */
import { createTimeFormat } from '../../contract/times.ts'
import type { Period } from './protection-choices.ts'

export type BeginOf = (period: Period, now: number) => string

export function createBeginOf(timeZone: string): BeginOf {
  const format = createTimeFormat(timeZone)
  let minute = NaN
  let [day, month] = ['', '']
  return (period, now) => {
    const current = Math.floor(now / 60_000)
    if (current !== minute) {
      minute = current
      day = format(new Date(now)).slice(0, 10)
      month = day.slice(0, 7)
    }
    return period === 'day' ? day : month
  }
}
