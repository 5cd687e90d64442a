/**
 * Reads the traffic of each route for the first screen: values published by owners, results of the last
 * minute, and waiting steps.
 */
import { parseShareRoute } from '../../jobs/route-share.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { computeRouteHealth, staleAfterMs } from '../../carriers/routes/health.ts'
import { findSlowness } from '../../carriers/routes/slowness.ts'
import { loadRouteRules } from '../../carriers/routes/queries.ts'
import { readMinuteResults } from '../../carriers/routes/results.ts'
import type { Route } from '../../carriers/routes/route.ts'
import { listShares } from '../../carriers/routes/shares.ts'
import { loadRouteStates, type RouteState } from '../../carriers/routes/states.ts'
import type { LinkFigures, RouteFigures } from './figures.ts'

/** Maximum number of counted steps. */
export const maxCountedSteps = 50_000
const maxUnhealthy = 50
/** Maximum number of routes in the response. */
export const maxRoutes = 100

export interface Flowing {
  readonly links: LinkFigures
  /** Enabled routes, those with problems first. */
  readonly routes: RouteFigures[]
  /** Parts per second, over all routes. */
  readonly submitted: number
  /** Messages of the minute. */
  readonly delivered: number
  readonly failed: number
  readonly seenAt: Date | null
}

export interface WaitingByShare {
  /** Waiting steps by share. */
  readonly count: Readonly<Record<string, number>>
  /** Wait of the oldest due step by share, in seconds. */
  readonly seconds: Readonly<Record<string, number>>
}

export async function readRoutes(
  database: Database,
  minute: Date,
  waiting: WaitingByShare,
): Promise<Flowing> {
  const rules = await loadRouteRules(database)
  const states = await loadRouteStates(database)
  const results = await readMinuteResults(database, minute)
  const nowMs = clock.now()
  const live = states.filter(({ seenAt }) => nowMs - seenAt.getTime() <= staleAfterMs)
  const byShare = new Map(states.map((state) => [state.routeId, state]))
  const enabled = rules.filter((route) => route.enabled)
  const shares = enabled.flatMap(listShares).map((share) => {
    const state = byShare.get(share.id)
    return { share, state, health: computeRouteHealth(state, share, nowMs) }
  })
  const open = shares.filter(({ share }) => share.traffic === 'open')
  const unhealthy = open.filter(({ health }) => !health.usable)
  const byRoute = Map.groupBy(shares, ({ share }) => share.routeId)
  const liveByRoute = Map.groupBy(live, ({ routeId }) => parseShareRoute(routeId))
  const routes = enabled.map((route): RouteFigures => {
    const routeShares = byRoute.get(route.id)!
    const usable = routeShares.some(({ health }) => health.usable)
    const { health } = routeShares.find((share) => share.health.usable === usable)!
    const { delivered = 0, failed = 0 } = results.get(route.id) ?? {}
    const ownerStates = liveByRoute.get(route.id) ?? []
    const waits = sumWaiting(route)
    const throttledShare = Math.max(0, ...ownerStates.map((state) => state.throttledShare))
    const acceptsMessages = usable && route.traffic === 'open'
    const slow = acceptsMessages
      ? findSlowness(ownerStates, waits.waitingSeconds, route.partsPerSecond)
      : null
    return {
      id: route.id,
      traffic: route.traffic,
      usable,
      state: health.reason ?? 'healthy',
      ...sumStates(ownerStates),
      delivered: perSecond(delivered),
      failed: perSecond(failed),
      ...waits,
      throttledShare,
      slow,
    }
  })
  const counted = [...results.values()]
  return {
    links: {
      routes: new Set(open.map(({ share }) => share.routeId)).size,
      shares: open.length,
      healthy: open.length - unhealthy.length,
      unhealthy: unhealthy
        .slice(0, maxUnhealthy)
        .map(({ share, state, health: { reason = 'accepts no messages' } }) => ({
          route: share.routeId,
          share: share.id,
          state: state?.linkReason == null || state.linked ? reason : `${reason}: ${state.linkReason}`,
        })),
      closed: enabled.filter(({ traffic }) => traffic !== 'open').length,
      disabled: rules.length - enabled.length,
    },
    routes: routes.sort(compareSeverity),
    submitted: sumStates(live).submitted,
    delivered: counted.reduce((sum, result) => sum + result.delivered, 0),
    failed: counted.reduce((sum, result) => sum + result.failed, 0),
    seenAt: states.reduce<Date | null>(
      (last, { seenAt }) => (last === null || seenAt > last ? seenAt : last),
      null,
    ),
  }

  function sumWaiting(route: Route): Pick<RouteFigures, 'waiting' | 'waitingSeconds'> {
    const currentShares = listShares(route)
    return {
      waiting: currentShares.reduce((sum, { id }) => sum + (waiting.count[id] ?? 0), 0),
      waitingSeconds:
        Math.round(Math.max(0, ...currentShares.map(({ id }) => waiting.seconds[id] ?? 0)) * 10) / 10,
    }
  }
}

function sumStates(states: readonly RouteState[]): Pick<RouteFigures, 'arrivals' | 'submitted' | 'queued'> {
  const sum = (field: 'arrivals' | 'submitted' | 'queued'): number =>
    Math.round(states.reduce((total, state) => total + state[field], 0) * 10) / 10
  return { arrivals: sum('arrivals'), submitted: sum('submitted'), queued: sum('queued') }
}

function perSecond(inMinute: number): number {
  return Math.round(inMinute / 6) / 10
}

function compareSeverity(left: RouteFigures, right: RouteFigures): number {
  const countProblem = (route: RouteFigures): number => (route.usable || route.traffic !== 'open' ? 0 : 1)
  const load = ({ waiting, queued, arrivals, submitted }: RouteFigures): number =>
    waiting + queued + arrivals + submitted
  return countProblem(right) - countProblem(left) || load(right) - load(left) || (left.id < right.id ? -1 : 1)
}
