/** Figures of routes as operators read them, and what is too much. Pure. */
import type { Operations } from '../../generated/operations.ts'

export type RouteRow = Operations['listRoutes']['data']['items'][number]
export type RouteDetails = Operations['showRoute']['data']
export type Trouble = RouteRow['flow']['trouble']
export type ChannelName = Operations['explainRoute']['body']['channel']

export const troubles = ['down', 'impaired', 'closed', 'none', 'disabled'] as const satisfies Trouble[]
export const channelNames = [
  ...(['sms', 'mms', 'international', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage'] as const),
] as const satisfies ChannelName[]

/** As the API judges a route to be impaired. */
export const maxThrottledShare = 0.05
const maxFailedShare = 0.2
const minResults = 20

/** One digit after the point, where it says something: 98.7 %, 100 %, 0.3 %. */
export function percent(share: number): string {
  const value = Math.round(share * 1_000) / 10
  return `${value} %`
}

export interface Results {
  readonly delivered: number
  readonly failed: number
}

/** Null without results. */
export function deliveredShare({ delivered, failed }: Results): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed)
}

export function isFailing({ delivered, failed }: Results): boolean {
  return delivered + failed >= minResults && failed / (delivered + failed) > maxFailedShare
}

export interface Bucket extends Results {
  /** Milliseconds since 1970, of its beginning. */
  readonly at: number
}

const minuteMs = 60_000

/** One bucket for each of the last minutes, the present one last; the API leaves out those without results. */
export function toBuckets(
  minutes: readonly (Results & { readonly minute: string })[],
  nowMs: number,
  count = 60,
): Bucket[] {
  const last = Math.floor(nowMs / minuteMs) * minuteMs
  const known = new Map(minutes.map((one) => [Date.parse(one.minute), one]))
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * minuteMs
    const { delivered = 0, failed = 0 } = known.get(at) ?? {}
    return { at, delivered, failed }
  })
}

export function sumOf(buckets: readonly Results[]): Results {
  return {
    delivered: buckets.reduce((sum, one) => sum + one.delivered, 0),
    failed: buckets.reduce((sum, one) => sum + one.failed, 0),
  }
}

/** A limit of a chart that is at least `value` and has a round half: 1, 2, 4, 10, 20, 40, … */
export function roundUp(value: number): number {
  let top = 2
  while (top < value) top = String(top).startsWith('4') ? top * 2.5 : top * 2
  return top
}
