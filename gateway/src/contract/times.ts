/** Formats times for clients: ISO 8601 with the offset of one configured zone, `yyyy-MM-dd'T'HH:mm:ssXXX`. */

const quarterHourMs = 900_000

export type FormatTime = (time: Date) => string

export function createTimeFormat(timeZone: string): FormatTime {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsetOf = (time: Date): string => {
    const name = format.formatToParts(time).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
    return name === 'GMT' ? '+00:00' : name.slice(3)
  }
  // An offset changes only on a quarter hour, so it is computed once per quarter hour, not once per record.
  let cachedQuarter = NaN
  let cachedOffset = '+00:00'
  let cachedMs = 0
  return (time) => {
    const quarter = Math.floor(time.getTime() / quarterHourMs)
    if (quarter !== cachedQuarter) {
      cachedQuarter = quarter
      cachedOffset = offsetOf(time)
      const sign = cachedOffset.startsWith('-') ? -1 : 1
      const [hours, minutes] = cachedOffset.slice(1).split(':')
      cachedMs = sign * (Number(hours) * 60 + Number(minutes)) * 60_000
    }
    return new Date(time.getTime() + cachedMs).toISOString().slice(0, 19) + cachedOffset
  }
}
