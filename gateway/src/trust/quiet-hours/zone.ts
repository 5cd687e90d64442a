/** The local time of a zone of the IANA database, for recipients abroad. About 5 µs a call; most messages need none. */
import { atOffset, type LocalTime } from './window.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

export function timeInZone(now: number, timeZone: string): LocalTime {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23' as const, year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric' },
    })
    formats.set(timeZone, format)
  }
  const read = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = read
  return atOffset(Date.UTC(year, month - 1, day, hour, minute), 0)
}
