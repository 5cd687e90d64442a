/** Between times of an address, in UTC, and those of a field, in the zone of the browser. Pure. */
export function toLocal(at: string | undefined): string {
  if (at === undefined) return ''
  const time = new Date(at)
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** Empty for what is no time. */
export function fromLocal(text: string): string {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}
