/**
 * Computes the effect of an action on a route before it is done. Changes nothing: the routes are changed in
 * memory, and a sample of the waiting steps is placed by the same functions that workers use.
 */
import { lanes } from '../../channels/lane.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { countPendingReceipts, type PendingReceipts } from '../../records/attempts/recent.ts'
import type { StepJob } from '../../jobs/jobs.ts'
import { countWaitingByLaneAndAccount, type WaitingCounts } from '../../records/waiting/count-waiting.ts'
import { findWaitingAccountIds } from '../../records/waiting/find-waiting.ts'
import { firstPage, readDuePage } from '../../records/waiting/read-waiting.ts'
import { chooseRoute, type RouteHealth } from '../../carriers/routes/choose.ts'
import { compileRoutes, acceptsMessages } from '../../carriers/routes/compile.ts'
import { loadRouteRules } from '../../carriers/routes/queries.ts'
import { loadRanges } from '../../carriers/routes/ranges.ts'
import { readHealth } from '../../carriers/routes/read-health.ts'
import type { Route } from '../../carriers/routes/route.ts'
import { listShareIds, listShares } from '../../carriers/routes/shares.ts'
import { findClientIds } from './list.ts'
import { noSuchRoute } from './changes.ts'

export const routeActions = ['enable', 'pause', 'drain', 'disable', 'delete', 'rate'] as const
export type RouteAction = (typeof routeActions)[number]

export interface PreviewRequest {
  readonly routeId: string
  readonly act: RouteAction
  /** The new rate, for the action `rate`. */
  readonly partsPerSecond?: number | undefined
}

export interface PreviewDestination {
  /** Null for steps that fail. */
  readonly route: string | null
  readonly becomes: 'moved' | 'waits' | 'sent' | 'fails'
  readonly steps: number
}

export interface RoutePreview {
  readonly waiting: WaitingCounts & { readonly accounts: { account: string; steps: number }[] }
  /** Number of sampled steps whose next route was computed. */
  readonly looked: number
  readonly destinations: PreviewDestination[]
  readonly receiptsOwed: PendingReceipts
  /** Other routes, enabled and not draining, that serve one of its channels, in order of preference. */
  readonly alternatives: { readonly id: string; readonly channels: string[]; readonly state: string }[]
  /** Channels that no other route serves. */
  readonly unservedChannels: string[]
  /** Time to drain the backlog at the resulting rate; null without a limit, and for actions other than `enable` and `rate`. */
  readonly drainSeconds: number | null
}

const maxCounted = 50_000
const maxSampled = 1_000
const maxAccounts = 20
const maxAlternatives = 20

export async function previewAction(database: Queryable, request: PreviewRequest): Promise<RoutePreview> {
  const routes = await loadRouteRules(database)
  const route = routes.find(({ id }) => id === request.routeId)
  if (route === undefined) throw noSuchRoute(request.routeId)
  const changed = routes.flatMap((candidate) => (candidate === route ? change(route, request) : [candidate]))
  const health = await readHealth(database, changed)
  const counts = await countWaitingByLaneAndAccount(database, listShareIds([route]), maxCounted)
  const jobs = await sampleJobs(database, route)
  const table = compileRoutes(changed, await loadRanges(database))
  const destinations = new Map<string, PreviewDestination>()
  for (const job of jobs) {
    const message = { accountId: job.accountId, channel: job.content.channel, to: job.to, msgKey: job.msgKey }
    const next = describe(request, chooseRoute(table, message, health)?.route.routeId)
    const key = `${next.becomes} ${next.route}`
    destinations.set(key, { ...next, steps: (destinations.get(key)?.steps ?? 0) + 1 })
  }
  const others = changed.filter(({ id }) => id !== route.id).filter(acceptsMessages)
  const alternatives = others.filter(({ channels }) => channels.some((name) => route.channels.includes(name)))
  const names = await findClientIds(
    database,
    counts.accounts.map(({ accountId }) => accountId),
  )
  return {
    waiting: {
      ...counts,
      accounts: counts.accounts
        .slice(0, maxAccounts)
        .map(({ accountId, steps }) => ({ account: names.get(accountId) ?? `account ${accountId}`, steps })),
    },
    looked: jobs.length,
    destinations: [...destinations.values()].sort((left, right) => right.steps - left.steps),
    receiptsOwed: await countPendingReceipts(database, route.id, clock.date()),
    alternatives: alternatives
      .slice(0, maxAlternatives)
      .map((other) => ({ id: other.id, channels: [...other.channels], state: getState(other, health) })),
    unservedChannels: route.channels.filter(
      (channel) => !alternatives.some(({ channels }) => channels.includes(channel)),
    ),
    drainSeconds: secondsFor(counts, route, request),
  }
}

function change(route: Route, { act, partsPerSecond }: PreviewRequest): Route[] {
  switch (act) {
    case 'delete':
      return []
    case 'disable':
      return [{ ...route, enabled: false }]
    case 'drain':
      return [{ ...route, traffic: 'draining' }]
    case 'pause':
      return [{ ...route, traffic: 'paused' }]
    case 'enable':
      return [{ ...route, enabled: true, traffic: 'open' }]
    case 'rate':
      return [{ ...route, partsPerSecond: partsPerSecond ?? route.partsPerSecond }]
  }
}

function describe(
  { act, routeId }: PreviewRequest,
  chosen: string | undefined,
): Omit<PreviewDestination, 'steps'> {
  if (chosen !== undefined && chosen !== routeId) return { route: chosen, becomes: 'moved' }
  if (act === 'delete') return { route: null, becomes: 'fails' }
  return { route: routeId, becomes: act === 'enable' || act === 'rate' ? 'sent' : 'waits' }
}

/**
 * Samples steps by share, lane and account, oldest first, up to `maxSampled`. If very many accounts wait, later lanes are
 * not sampled.
 */
async function sampleJobs(database: Queryable, route: Route): Promise<StepJob[]> {
  const now = clock.date()
  const jobs: StepJob[] = []
  const shares = listShareIds([route])
  for (const shareId of shares)
    for (const lane of lanes) {
      const accounts = (await findWaitingAccountIds(database, shareId, lane, now)).slice(0, maxSampled)
      if (accounts.length === 0) continue
      const perAccount = Math.max(
        1,
        Math.floor(maxSampled / (lanes.length * shares.length * accounts.length)),
      )
      const after = new Map(accounts.map((accountId) => [accountId, firstPage]))
      const steps = await readDuePage(database, shareId, lane, after, { perAccount, now })
      jobs.push(...steps.flatMap(({ job }) => (job === null ? [] : [job])))
      if (jobs.length >= maxSampled) return jobs.slice(0, maxSampled)
    }
  return jobs
}

function getState(route: Route, health: RouteHealth): string {
  const states = listShares(route).map(({ id }) => health(id).reason ?? 'healthy')
  return states.find((state) => state === 'healthy') ?? states[0]!
}

function secondsFor(counts: WaitingCounts, route: Route, { act, ...given }: PreviewRequest): number | null {
  if (act !== 'enable' && act !== 'rate') return null
  const rate = act === 'rate' ? (given.partsPerSecond ?? 0) : route.partsPerSecond
  const parts = counts.lanes.reduce((sum, lane) => sum + lane.parts, 0)
  return rate === 0 ? null : Math.ceil(parts / rate)
}
