/** Returns a time in the format of the API. */
export function toIsoTime<Time extends Date | string | undefined>(time: Time): Exclude<Time, Date> | string {
  return time instanceof Date ? time.toISOString() : (time as Exclude<Time, Date>)
}
