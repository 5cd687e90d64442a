/** What flows over each route, and how much trouble it is in, for the list of routes of the admin API. */
import { routeOfShare } from '../jobs/route-share.ts'
import { clock } from '../platform/clock.ts'
import type { Queryable } from '../platform/database.ts'
import { countWaitingByShare } from '../records/waiting/count-waiting.ts'
import { staleAfterMs } from '../routes/judge-health.ts'
import { readResultTotals } from '../routes/results.ts'
import { loadRouteStates, type RouteState } from '../routes/states.ts'
import type { ListedRoute } from './list-routes.ts'

/** The worst first. */
export const troubles = ['down', 'impaired', 'closed', 'none', 'disabled'] as const
/**
 * `down`: it takes nothing although it should. `impaired`: it takes messages, and a share is down, is on trial, is throttled or
 * many fail. `closed`: an operator has paused it or drains it.
 */
export type Trouble = (typeof troubles)[number]

export interface RouteFlow {
  readonly trouble: Trouble
  /** Parts per second at most now; null: nothing bounds it, or no owner is known. */
  readonly rate: number | null
  readonly submitted: number
  readonly queued: number
  readonly throttledShare: number
  readonly deliveryRate: number | null
  readonly waiting: number
  /** Of the last hour. */
  readonly delivered: number
  readonly failed: number
  /** Of the results of all routes in the last hour; null without any. */
  readonly trafficShare: number | null
}

export interface FlowingRoute extends ListedRoute {
  readonly flow: RouteFlow
}

const maxWaiting = 50_000
const resultMinutes = 60
/** The owner halves its rate when the carrier throttles: a few throttles are how the rate is found. */
const maxThrottledShare = 0.05
const maxFailedShare = 0.2
const minResults = 20

export async function readFlows(
  database: Queryable,
  routes: readonly ListedRoute[],
): Promise<FlowingRoute[]> {
  const nowMs = clock.now()
  const states = Map.groupBy(
    (await loadRouteStates(database)).filter(({ seenAt }) => nowMs - seenAt.getTime() <= staleAfterMs),
    ({ routeId }) => routeOfShare(routeId),
  )
  const waiting = new Map<string, number>()
  for (const [share, steps] of await countWaitingByShare(database, maxWaiting))
    waiting.set(routeOfShare(share), (waiting.get(routeOfShare(share)) ?? 0) + steps)
  const results = await readResultTotals(database, resultMinutes)
  const all = [...results.values()].reduce((sum, one) => sum + one.delivered + one.failed, 0)
  return routes.map((listed): FlowingRoute => {
    const { id } = listed.route
    const { delivered = 0, failed = 0 } = results.get(id) ?? {}
    const figures = {
      ...sumUp(states.get(id) ?? []),
      ...{ waiting: waiting.get(id) ?? 0, delivered, failed },
      trafficShare: all === 0 ? null : (delivered + failed) / all,
    }
    return { ...listed, flow: { trouble: judge(listed, figures), ...figures } }
  })
}

function sumUp(
  states: readonly RouteState[],
): Pick<RouteFlow, 'rate' | 'submitted' | 'queued' | 'throttledShare' | 'deliveryRate'> {
  const sum = (of: (state: RouteState) => number): number =>
    Math.round(states.reduce((total, state) => total + of(state), 0) * 10) / 10
  const known = states.flatMap(({ deliveryRate }) => deliveryRate ?? [])
  return {
    rate: states.length === 0 || states.some(({ rate }) => rate === null) ? null : sum(({ rate }) => rate!),
    submitted: sum(({ submitted }) => submitted),
    queued: sum(({ queued }) => queued),
    throttledShare: Math.max(0, ...states.map(({ throttledShare }) => throttledShare)),
    deliveryRate: known.length === 0 ? null : Math.min(...known),
  }
}

function judge(
  { route, usable, shares }: ListedRoute,
  { throttledShare, delivered, failed }: Pick<RouteFlow, 'throttledShare' | 'delivered' | 'failed'>,
): Trouble {
  if (!route.enabled) return 'disabled'
  if (route.traffic !== 'open') return 'closed'
  if (!usable) return 'down'
  const fails = delivered + failed >= minResults && failed / (delivered + failed) > maxFailedShare
  const ill = shares.some((share) => share.state !== 'healthy')
  return ill || fails || throttledShare > maxThrottledShare ? 'impaired' : 'none'
}

/** The place of a route in the order of trouble: less is first. */
export type TroublePlace = readonly [trouble: number, waiting: number, priority: number, id: string]

export function placeOf({ route, flow }: FlowingRoute): TroublePlace {
  return [troubles.indexOf(flow.trouble), -flow.waiting, route.priority, route.id]
}

export function comparePlaces(left: TroublePlace, right: TroublePlace): number {
  for (const [index, one] of left.entries()) {
    const other = right[index]!
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}
