/**
 * Polls by time ranges, page by page. The cursor is `<from>`, or `<from>/<to>/<page>` after the first page. The ranges
 * overlap, because results appear with a delay.
 */

export interface TimeRange {
  readonly from: Date
  readonly to: Date
  /** The provider's key of the next page; empty for the first one. */
  readonly page: string
}

/** NHN and SENS allow ranges of one day. */
const maxRangeMs = 23 * 3_600_000
const initialLookbackMs = 3_600_000

export function startRange(now: Date): string {
  return `${now.getTime() - initialLookbackMs}`
}

export function readRange(cursor: string, now: Date): TimeRange {
  const [from = '', to, ...page] = cursor.split('/')
  const end = to === undefined ? Math.min(now.getTime(), Number(from) + maxRangeMs) : Number(to)
  return { from: new Date(Number(from)), to: new Date(end), page: page.join('/') }
}

/** Returns the cursor of the next page, or of the next range if there is no further page. */
export function nextRange({ from, to }: TimeRange, page: string | null, overlapMs: number): string {
  return page === null ? `${to.getTime() - overlapMs}` : `${from.getTime()}/${to.getTime()}/${page}`
}
