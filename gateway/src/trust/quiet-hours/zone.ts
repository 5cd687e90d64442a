/** The local time in an IANA time zone. The offset is cached, because computing it is slow. */
import { atOffset, type LocalTime } from './window.ts'

/** Offsets change only on a quarter of an hour. */
const quarterMs = 900_000

interface Zone {
  readonly format: Intl.DateTimeFormat
  quarter: number
  offsetMinutes: number
}

const zones = new Map<string, Zone>()

export function timeInZone(now: number, timeZone: string): LocalTime {
  let zone = zones.get(timeZone)
  if (zone === undefined) zones.set(timeZone, (zone = openZone(timeZone)))
  const quarter = Math.floor(now / quarterMs)
  if (quarter !== zone.quarter) {
    zone.quarter = quarter
    zone.offsetMinutes = computeOffset(zone.format, quarter * quarterMs)
  }
  return atOffset(now, zone.offsetMinutes)
}

function openZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  return { format, quarter: NaN, offsetMinutes: 0 }
}

function computeOffset(format: Intl.DateTimeFormat, at: number): number {
  const local = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = local
  return (Date.UTC(year, month - 1, day, hour, minute) - at) / 60_000
}
