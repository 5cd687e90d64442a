/** The minute of a day in the zone of the browser, for an axis: 14:05. Pure. */
export function formatMinute(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes()].map((value) => String(value).padStart(2, '0')).join(':')
}
