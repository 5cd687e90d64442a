/**
 * Polls by time windows, page by page. The cursor is `<from>`, or `<from>/<to>/<page>` after the first page. The windows
 * overlap, because results appear with a delay.
 */

export interface TimeWindow {
  readonly from: Date
  readonly to: Date
  /** The provider's key of the next page; empty for the first one. */
  readonly page: string
}

/** NHN and SENS allow windows of one day. */
const maxWindowMs = 23 * 3_600_000
const initialLookbackMs = 3_600_000

export function startWindow(now: Date): string {
  return `${now.getTime() - initialLookbackMs}`
}

export function readWindow(cursor: string, now: Date): TimeWindow {
  const [from = '', to, ...page] = cursor.split('/')
  const end = to === undefined ? Math.min(now.getTime(), Number(from) + maxWindowMs) : Number(to)
  return { from: new Date(Number(from)), to: new Date(end), page: page.join('/') }
}

/** Returns the cursor of the next page, or of the next window if there is no further page. */
export function nextWindow({ from, to }: TimeWindow, page: string | null, overlapMs: number): string {
  return page === null ? `${to.getTime() - overlapMs}` : `${from.getTime()}/${to.getTime()}/${page}`
}
