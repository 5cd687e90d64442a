const quarterHourMs = 900_000
const pattern = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d)(\d{2})([+\-R])$/

/**
 * Parses an SMPP time `YYMMDDhhmmsstnnp`, where p is + or - for an offset of nn quarters of an hour, or R for a time
 * relative to `now`. Returns milliseconds since 1970, or null if the text is not a time.
 */
export function parseSmppTime(text: string, now: number): number | null {
  const match = pattern.exec(text)
  if (match === null) return null
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (match[9] === 'R') {
    // Years and months have no fixed length; use those of the calendar.
    const from = new Date(now)
    from.setUTCFullYear(from.getUTCFullYear() + year, from.getUTCMonth() + month, from.getUTCDate() + day)
    return from.getTime() + ((hour * 60 + minute) * 60 + second) * 1_000
  }
  const at = Date.UTC(2000 + year, month - 1, day, hour, minute, second)
  const date = new Date(at)
  const quarters = Number(match[8])
  // Date turns 31 February into a day in March, and hour 24 into the next day.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  if (hour > 23 || minute > 59 || second > 59 || quarters > 48) return null
  return at + Number(match[7]) * 100 - (match[9] === '+' ? 1 : -1) * quarters * quarterHourMs
}
