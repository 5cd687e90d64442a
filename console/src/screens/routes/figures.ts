/** Route metrics and thresholds. */
import type { Operations } from '../../generated/operations.ts'

export type RouteRow = Operations['listRoutes']['data']['items'][number]
export type RouteDetails = Operations['showRoute']['data']
export type RouteStatus = RouteRow['flow']['trouble']
export type ChannelName = Operations['explainRoute']['body']['channel']

export const routeStatuses = [
  'down',
  'impaired',
  'closed',
  'none',
  'disabled',
] as const satisfies RouteStatus[]
export const channelNames = [
  'sms',
  'mms',
  'international',
  'rcs',
  'alimtalk',
  'friendtalk',
  'brandmessage',
] as const satisfies ChannelName[]

/** The API considers a route impaired above this share. */
export const maxThrottledShare = 0.05
const maxFailedShare = 0.2
const minResults = 20

/** Formats a share with one decimal where significant: 98.7 %, 100 %, 0.3 %. */
export function formatPercent(share: number): string {
  const value = Math.round(share * 1_000) / 10
  return `${value} %`
}

export interface Results {
  readonly delivered: number
  readonly failed: number
}

/** Returns null if there are no results. */
export function deliveredShare({ delivered, failed }: Results): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed)
}

export function isFailing({ delivered, failed }: Results): boolean {
  return delivered + failed >= minResults && failed / (delivered + failed) > maxFailedShare
}

export interface Bucket extends Results {
  /** Start time in milliseconds since 1970. */
  readonly at: number
}

const minuteMs = 60_000

/** Returns one bucket per minute, the current one last. The API omits minutes without results. */
export function toBuckets(
  minutes: readonly (Results & { readonly minute: string })[],
  nowMs: number,
  count = 60,
): Bucket[] {
  const last = Math.floor(nowMs / minuteMs) * minuteMs
  const byStart = new Map(minutes.map((one) => [Date.parse(one.minute), one]))
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * minuteMs
    const { delivered = 0, failed = 0 } = byStart.get(at) ?? {}
    return { at, delivered, failed }
  })
}

export function sumResults(buckets: readonly Results[]): Results {
  return {
    delivered: buckets.reduce((sum, one) => sum + one.delivered, 0),
    failed: buckets.reduce((sum, one) => sum + one.failed, 0),
  }
}

/** Returns the first of 2, 4, 10, 20, 40, 100, … that is at least `value`, so that half of the axis is a round number too. */
export function roundUp(value: number): number {
  let top = 2
  while (top < value) top = String(top).startsWith('4') ? top * 2.5 : top * 2
  return top
}
