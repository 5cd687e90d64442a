/**
 * Chooses the route of a message: of the routes whose rules match, the most preferred healthy one; among routes of the
 * same priority by weight, always the same one for the same message. A route with several owners takes part with all of
 * its shares. When none is healthy, the message waits for the
 * best. It runs for every message and reads only memory: half a microsecond with three routes. Pure.
 */
import type { ChannelName, Step } from '../channels/channel.ts'
import { hashText } from '../platform/hash.ts'
import type { ChannelRoutes, CompiledRoute, CompiledRoutes } from './compile.ts'
import { toPlain } from './numbering.ts'
import { isSampled, scoreOf } from './rendezvous-hash.ts'
import type { RouteShare } from './shares.ts'

export interface RouteRequest {
  readonly accountId: number
  readonly channel: ChannelName
  readonly to: string
  readonly msgKey: string
  /** The recipient's carrier, when it is known better than by its number. */
  readonly carrier?: string
  /** What is sent, where it is known: rules of trust may depend on it. */
  readonly step?: Step
}

export interface Health {
  readonly usable: boolean
  /** Its circuit breaker is half-open: while another route is healthy, it gets one message in `trialOneIn`. */
  readonly onTrial?: boolean
  /** Follows the route's id in a sentence when the route is not healthy: `is not linked`. */
  readonly reason?: string
}

/** Whether a route may be used for the message at all, besides its own rules. */
export type MayUse = (request: RouteRequest, route: RouteShare) => boolean

/** By the id of a share, which is the id of the route when it has one owner. */
export type RouteHealth = (shareId: string) => Health

export interface RouteChoice {
  readonly route: RouteShare
  /** For the message's timeline: `priority 10, weight 3 of 4`. */
  readonly reason: string
}

/** What the rules compare, derived once per message. */
export interface Recipient {
  readonly plain: string
  readonly carrier: string | undefined
}

export const trialOneIn = 10

/** Grades of a route for the message; lower is better. */
const healthy = 0
const onTrial = 1
const unusable = 2
const none = 3

/** The best route so far while the tiers are searched. */
interface Selection {
  best: CompiledRoute | null
  grade: number
  score: number
  /** The best route is the nth choice, counting only tiers with a matching route. */
  rank: number
  /** Sum of the weights, and number, of the routes that share with the best one. */
  weights: number
  sharers: number
  /** The route that was counted last: its shares follow each other. */
  counted: string
  passedOver: number
  firstPassed: string
}

const unread: Recipient = { plain: '', carrier: undefined }

export function chooseRoute(
  table: CompiledRoutes,
  request: RouteRequest,
  health: RouteHealth,
  mayUse?: MayUse,
): RouteChoice | null {
  const routes = table.byChannel.get(request.channel)
  if (routes === undefined) return null
  const recipient = readRecipient(table, routes, request)
  const key = hashText(request.msgKey)
  const selection: Selection = {
    best: null,
    grade: none,
    score: 0,
    rank: 0,
    weights: 0,
    sharers: 0,
    counted: '',
    passedOver: 0,
    firstPassed: '',
  }
  let rank = 0
  for (const tier of routes.tiers) {
    let matched = 0
    for (const entry of tier) {
      if (!matches(entry, request.accountId, recipient) || mayUse?.(request, entry.route) === false) continue
      if (matched++ === 0) rank++
      consider(selection, entry, rank, health(entry.route.id), key)
    }
    if (selection.grade === healthy) break
  }
  if (selection.best === null) return null
  const { route } = selection.best
  return { route, reason: describeChoice(selection, route, health) }
}

function consider(
  selection: Selection,
  entry: CompiledRoute,
  rank: number,
  state: Health,
  key: number,
): void {
  const grade = gradeOf(state, key, entry.seed)
  if (grade !== healthy && selection.passedOver++ === 0)
    selection.firstPassed = `${entry.route.id} ${reasonOf(state)}`
  // A less preferred route must have a better grade than the best so far; one of the same rank competes by its score.
  if (grade > selection.grade || (grade === selection.grade && rank !== selection.rank)) return
  const { weight, routeId } = entry.route
  const score = scoreOf(key, entry.seed, entry.weight)
  const better = grade !== selection.grade
  if (better) {
    selection.grade = grade
    selection.rank = rank
    selection.weights = weight
    selection.sharers = 1
  } else if (selection.counted !== routeId) {
    selection.weights += weight
    selection.sharers++
  }
  selection.counted = routeId
  if (!better && score <= selection.score) return
  selection.best = entry
  selection.score = score
}

function describeChoice(selection: Selection, route: RouteShare, health: RouteHealth): string {
  const others = selection.passedOver > 1 ? ', and no other route is healthy' : ''
  if (selection.grade === onTrial) return `on trial${others}`
  if (selection.grade === unusable) return `waits: ${route.id} ${reasonOf(health(route.id))}${others}`
  const more = selection.passedOver > 1 ? ` and ${selection.passedOver - 1} more cannot take it` : ''
  if (selection.rank > 1) return `${ordinal(selection.rank)} choice: ${selection.firstPassed}${more}`
  const share = selection.sharers > 1 ? `, weight ${route.weight} of ${selection.weights}` : ''
  const instead = selection.passedOver > 0 ? `; ${selection.firstPassed}${more}` : ''
  return `priority ${route.priority}${share}${instead}`
}

export function matches(entry: CompiledRoute, accountId: number, { plain, carrier }: Recipient): boolean {
  return (
    (entry.accounts === null || entry.accounts.has(accountId)) &&
    (entry.prefixes === null || entry.prefixes.some((prefix) => plain.startsWith(prefix))) &&
    (entry.carriers === null || (carrier !== undefined && entry.carriers.has(carrier)))
  )
}

export function readRecipient(
  table: CompiledRoutes,
  routes: ChannelRoutes,
  { to, carrier }: Pick<RouteRequest, 'to' | 'carrier'>,
): Recipient {
  if (!routes.readsNumber) return unread
  const plain = toPlain(to)
  return { plain, carrier: routes.readsCarrier ? (carrier ?? table.carrierOf(plain)) : undefined }
}

export function reasonOf(state: Health): string {
  return state.reason ?? 'is not usable'
}

function gradeOf(state: Health, key: number, seed: number): number {
  if (!state.usable) return unusable
  return state.onTrial === true && !isSampled(key, seed, trialOneIn) ? onTrial : healthy
}

function ordinal(rank: number): string {
  return ['first', 'second', 'third', 'fourth', 'fifth'][rank - 1] ?? `${rank}th`
}
