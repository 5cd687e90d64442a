/** Changes the state and rate of routes, and explains the choice of a route. */
import type { ChannelName } from '../../channels/channel.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { countWaiting } from '../../records/waiting/count-waiting.ts'
import { compileRoutes } from '../../carriers/routes/compile.ts'
import { explainRoute, type RouteExplanation } from '../../carriers/routes/explain.ts'
import {
  loadRouteRules,
  lockRouteVersion,
  setRouteEnabled,
  setRouteRate,
  setRouteTraffic,
  setUnreviewedAuthors,
} from '../../carriers/routes/queries.ts'
import { loadRanges } from '../../carriers/routes/ranges.ts'
import { readHealth } from '../../carriers/routes/read-health.ts'
import type { Traffic } from '../../carriers/routes/route.ts'
import { requireAccountId } from '../find-account.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { notFound, OperationError } from '../errors.ts'
import { requireReview } from '../operators/second-operator.ts'

export function noSuchRoute(id: string): OperationError {
  return notFound('route', id)
}

/** Enables a route, as it was when the operator reviewed it. Returns the number of steps that wait for it. */
export async function enableRoute(
  database: Database,
  audit: AuditRecorder,
  id: string,
  reviewed: string | undefined,
): Promise<{ waiting: number }> {
  await audit.change(async (transaction) => {
    // The lock comes first: a concurrent change that is about to commit decides who saved the route last.
    const version = await lockRouteVersion(transaction, id)
    if (version === null) throw noSuchRoute(id)
    await requireReview(transaction, audit, id, reviewed)
    if (reviewed !== undefined && reviewed !== version)
      throw new OperationError(
        'stale',
        `route '${id}' has changed since you reviewed it; review it again, and pass its version`,
      )
    await setUnreviewedAuthors(transaction, id, [])
    await setRouteEnabled(transaction, id, true)
    return [null, { target: id }]
  })
  return { waiting: await countWaiting(database, id) }
}

/** Returns the number of steps that wait for it. */
export async function disableRoute(
  database: Database,
  audit: AuditRecorder,
  id: string,
): Promise<{ waiting: number }> {
  await audit.change(async (transaction) => {
    if ((await lockRouteVersion(transaction, id)) === null) throw noSuchRoute(id)
    await setRouteEnabled(transaction, id, false)
    return [null, { target: id }]
  })
  return { waiting: await countWaiting(database, id) }
}

/** Pauses or drains an enabled route; `enable` reopens it. Returns the number of steps that wait for it. */
export async function closeRoute(
  database: Database,
  audit: AuditRecorder,
  id: string,
  traffic: Exclude<Traffic, 'open'>,
): Promise<{ waiting: number }> {
  await audit.change(async (transaction) => {
    const before = await setRouteTraffic(transaction, id, traffic)
    if (before === null) throw noSuchRoute(id)
    if (!before.enabled)
      throw new OperationError('refused', `route '${id}' is disabled; it has no link to keep`)
    return [null, { target: id, details: { traffic: { from: before.traffic, to: traffic } } }]
  })
  return { waiting: await countWaiting(database, id) }
}

/** Sets the rate without a new link. A rate of 0 means no limit but the carrier's window. */
export async function setRate(
  audit: AuditRecorder,
  id: string,
  partsPerSecond: number,
): Promise<{ before: number }> {
  return audit.change(async (transaction) => {
    const before = await setRouteRate(transaction, id, partsPerSecond)
    if (before === null) throw noSuchRoute(id)
    return [{ before }, { target: id, details: { partsPerSecond: { from: before, to: partsPerSecond } } }]
  })
}

export interface ExplainRequest {
  /** Client ID of the account. */
  readonly account: string
  readonly channel: ChannelName
  readonly to: string
  readonly msgKey?: string | undefined
}

export interface ExplainedRoute extends Pick<RouteExplanation, 'decision' | 'reason'> {
  /** ID of the route, or of a share of it. */
  readonly id: string
  readonly routeId: string
  readonly priority: number
  readonly weight: number
}

export interface ExplainedRoutes {
  readonly msgKey: string
  /** The route that the message would take now; null if none serves it. */
  readonly route: string | null
  readonly routes: readonly ExplainedRoute[]
}

/** Explains which route a message would take now, route by route. Sends nothing. */
export async function explainRoutes(
  database: Queryable,
  { account, channel, to, ...given }: ExplainRequest,
): Promise<ExplainedRoutes> {
  // By default the key that the next message might have: it decides among routes of equal priority.
  const msgKey = given.msgKey ?? createMsgKey('00', clock.date())
  const accountId = await requireAccountId(database, account)
  const routes = await loadRouteRules(database)
  const explained = explainRoute(
    compileRoutes(routes, await loadRanges(database)),
    { channel, to, msgKey, accountId },
    await readHealth(database, routes),
  ).map(({ route: { id, routeId, priority, weight }, decision, reason }): ExplainedRoute => ({
    id,
    routeId,
    priority,
    weight,
    decision,
    reason,
  }))
  const chosen = explained.find(({ decision }) => decision === 'taken')
  return { msgKey, route: chosen?.routeId ?? null, routes: explained }
}
