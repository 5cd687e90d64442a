/** Reads the traffic and problems of each route, for the list of routes. */
import { parseShareRoute } from '../../jobs/route-share.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { countWaitingByShare } from '../../records/waiting/count-waiting.ts'
import { staleAfterMs } from '../../carriers/routes/health.ts'
import { readResultTotals } from '../../carriers/routes/results.ts'
import { loadRouteStates, type RouteState } from '../../carriers/routes/states.ts'
import type { ListedRoute } from './list.ts'

/** Problems, worst first. */
export const routeStatuses = ['down', 'impaired', 'closed', 'none', 'disabled'] as const
/**
 * `down`: it accepts nothing although it should. `impaired`: it accepts messages, but a share is down, on
 * trial or throttled, or many messages fail. `closed`: an operator has paused or drained it.
 */
export type RouteStatus = (typeof routeStatuses)[number]

export interface RouteFlow {
  readonly trouble: RouteStatus
  /** Current maximum of parts per second; null if there is no limit or no owner is known. */
  readonly rate: number | null
  readonly submitted: number
  readonly queued: number
  readonly throttledShare: number
  readonly deliveryRate: number | null
  readonly waiting: number
  /** Messages delivered in the last hour. */
  readonly delivered: number
  readonly failed: number
  /** Fraction of the results of all routes in the last hour; null without results. */
  readonly trafficShare: number | null
}

export interface FlowingRoute extends ListedRoute {
  readonly flow: RouteFlow
}

const maxWaiting = 50_000
const resultMinutes = 60
/** Owners halve the rate when the carrier throttles, so a few throttles are normal. */
const maxThrottledFraction = 0.05
const maxFailedFraction = 0.2
const minResults = 20

export async function readFlows(
  database: Queryable,
  routes: readonly ListedRoute[],
): Promise<FlowingRoute[]> {
  const nowMs = clock.now()
  const states = Map.groupBy(
    (await loadRouteStates(database)).filter(({ seenAt }) => nowMs - seenAt.getTime() <= staleAfterMs),
    ({ routeId }) => parseShareRoute(routeId),
  )
  const waiting = new Map<string, number>()
  for (const [share, steps] of await countWaitingByShare(database, maxWaiting))
    waiting.set(parseShareRoute(share), (waiting.get(parseShareRoute(share)) ?? 0) + steps)
  const results = await readResultTotals(database, resultMinutes)
  const totalResults = [...results.values()].reduce(
    (sum, result) => sum + result.delivered + result.failed,
    0,
  )
  return routes.map((listed): FlowingRoute => {
    const { id } = listed.route
    const { delivered = 0, failed = 0 } = results.get(id) ?? {}
    const figures = {
      ...summarizeFlow(states.get(id) ?? []),
      waiting: waiting.get(id) ?? 0,
      delivered,
      failed,
      trafficShare: totalResults === 0 ? null : (delivered + failed) / totalResults,
    }
    return { ...listed, flow: { trouble: findProblem(listed, figures), ...figures } }
  })
}

function summarizeFlow(
  states: readonly RouteState[],
): Pick<RouteFlow, 'rate' | 'submitted' | 'queued' | 'throttledShare' | 'deliveryRate'> {
  const sum = (of: (state: RouteState) => number): number =>
    Math.round(states.reduce((total, state) => total + of(state), 0) * 10) / 10
  const knownRates = states.flatMap(({ deliveryRate }) => deliveryRate ?? [])
  return {
    rate: states.length === 0 || states.some(({ rate }) => rate === null) ? null : sum(({ rate }) => rate!),
    submitted: sum(({ submitted }) => submitted),
    queued: sum(({ queued }) => queued),
    throttledShare: Math.max(0, ...states.map(({ throttledShare }) => throttledShare)),
    deliveryRate: knownRates.length === 0 ? null : Math.min(...knownRates),
  }
}

function findProblem(
  { route, usable, shares }: ListedRoute,
  { throttledShare, delivered, failed }: Pick<RouteFlow, 'throttledShare' | 'delivered' | 'failed'>,
): RouteStatus {
  if (!route.enabled) return 'disabled'
  if (route.traffic !== 'open') return 'closed'
  if (!usable) return 'down'
  const hasManyFailures =
    delivered + failed >= minResults && failed / (delivered + failed) > maxFailedFraction
  const hasUnhealthyShare = shares.some((share) => share.state !== 'healthy')
  return hasUnhealthyShare || hasManyFailures || throttledShare > maxThrottledFraction ? 'impaired' : 'none'
}

/** Sort key by severity; smaller keys come first. */
export type SeverityKey = readonly [trouble: number, waiting: number, priority: number, id: string]

export function severityKey({ route, flow }: FlowingRoute): SeverityKey {
  return [routeStatuses.indexOf(flow.trouble), -flow.waiting, route.priority, route.id]
}

export function compareSeverity(left: SeverityKey, right: SeverityKey): number {
  for (const [index, leftValue] of left.entries()) {
    const rightValue = right[index]!
    if (leftValue !== rightValue) return leftValue < rightValue ? -1 : 1
  }
  return 0
}
