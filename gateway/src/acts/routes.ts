/** What operators do with routes, and what it means for the steps that wait, for commands and the admin API. */
import type { ChannelName } from '../channels/channel.ts'
import { createMsgKey } from '../contract/msg-key.ts'
import { clock } from '../platform/clock.ts'
import type { Database, Queryable } from '../platform/database.ts'
import { countWaiting } from '../records/waiting/count-waiting.ts'
import { compileRoutes } from '../routes/compile.ts'
import { explainRoute, type RouteExplanation } from '../routes/explain.ts'
import {
  loadRouteRules,
  lockRouteVersion,
  setRouteEnabled,
  setRouteRate,
  setRouteTraffic,
} from '../routes/queries.ts'
import { loadRanges } from '../routes/ranges.ts'
import { readHealth } from '../routes/read-health.ts'
import type { Traffic } from '../routes/route.ts'
import { requireAccountId } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'
import { notFound, OperationError } from './errors.ts'
import { requireNotAuthor } from './second-operator.ts'

export function noSuchRoute(id: string): OperationError {
  return notFound('route', id)
}

/** Returns how many steps wait for it. */
export async function setEnabled(
  database: Database,
  audit: ActAudit,
  id: string,
  enabled: boolean,
): Promise<{ waiting: number }> {
  await audit.change(async (transaction) => {
    // The lock comes first: a change of the route that is about to commit decides who saved it last.
    if ((await lockRouteVersion(transaction, id)) === null) throw noSuchRoute(id)
    if (enabled) await requireNotAuthor(transaction, audit, id)
    await setRouteEnabled(transaction, id, enabled)
    return [null, { target: id }]
  })
  return { waiting: await countWaiting(database, id) }
}

/** Pauses or drains an enabled route; `enable` opens it again. Returns how many steps wait for it. */
export async function closeRoute(
  database: Database,
  audit: ActAudit,
  id: string,
  traffic: Exclude<Traffic, 'open'>,
): Promise<{ waiting: number }> {
  await audit.change(async (transaction) => {
    const before = await setRouteTraffic(transaction, id, traffic)
    if (before === null) throw noSuchRoute(id)
    if (!before.enabled)
      throw new OperationError(
        'refused',
        `route '${id}' is disabled: it submits nothing and has no link to keep`,
      )
    return [null, { target: id, details: { traffic: { from: before.traffic, to: traffic } } }]
  })
  return { waiting: await countWaiting(database, id) }
}

/** 0: as fast as the carrier's window allows. The link stays. */
export async function setRate(
  audit: ActAudit,
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
  /** Client id. */
  readonly account: string
  readonly channel: ChannelName
  readonly to: string
  readonly msgKey?: string | undefined
}

export interface ExplainedRoute extends Pick<RouteExplanation, 'decision' | 'reason'> {
  /** Of the route, or of a share of it. */
  readonly id: string
  readonly routeId: string
  readonly priority: number
  readonly weight: number
}

export interface ExplainedRoutes {
  readonly msgKey: string
  /** The route that the message would take now; null when none serves it. */
  readonly route: string | null
  readonly routes: readonly ExplainedRoute[]
}

/** Which route a message would take now, and why, route by route. Sends nothing. */
export async function explainFor(
  database: Queryable,
  { account, channel, to, ...given }: ExplainRequest,
): Promise<ExplainedRoutes> {
  // Without a key, one that the next message might have: among routes of equal priority the key decides.
  const msgKey = given.msgKey ?? createMsgKey('00', clock.date())
  const accountId = await requireAccountId(database, account)
  const routes = await loadRouteRules(database)
  const explained = explainRoute(
    compileRoutes(routes, await loadRanges(database)),
    { channel, to, msgKey, accountId },
    await readHealth(database, routes),
  ).map(({ route: { id, routeId, priority, weight }, decision, reason }): ExplainedRoute => ({
    ...{ id, routeId, priority, weight, decision, reason },
  }))
  const taken = explained.find(({ decision }) => decision === 'taken')
  return { msgKey, route: taken?.routeId ?? null, routes: explained }
}
