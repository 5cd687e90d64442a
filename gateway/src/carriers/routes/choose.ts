/**
 * Chooses the route of a message: the most preferred healthy route whose rules match. Among routes of the same priority the
 * weight decides, and the same message always gets the same route. A route with several owners takes part with all its
 * shares. If no route is healthy, the message waits for the best one. Runs for every message and reads only memory.
 */
import type { ChannelName, Step } from '../../channels/channel.ts'
import { hashText } from '../../platform/hash.ts'
import type { ChannelRoutes, CompiledRoute, CompiledRoutes } from './compile.ts'
import { toPlain } from './numbering.ts'
import { isSampled, computeScore } from './rendezvous-hash.ts'
import type { RouteShare } from './shares.ts'

export interface RouteRequest {
  readonly accountId: number
  readonly channel: ChannelName
  readonly to: string
  readonly msgKey: string
  /** The recipient's carrier, if known more reliably than by its number. */
  readonly carrier?: string
  /** The step to send, if known; trust rules can depend on it. */
  readonly step?: Step
}

export interface Health {
  readonly usable: boolean
  /** Whether the circuit breaker is half-open: the route gets one message in `trialOneIn` while another is healthy. */
  readonly onTrial?: boolean
  /** Why the route is not healthy, as a phrase after the route's id: `is not linked`. */
  readonly reason?: string
}

/** Returns whether a route is allowed for the message, in addition to its own rules. */
export type RouteFilter = (request: RouteRequest, route: RouteShare) => boolean

/** Returns the health of a route share. */
export type RouteHealth = (shareId: string) => Health

export interface RouteChoice {
  readonly route: RouteShare
  /** Reason for the message's timeline: `priority 10, weight 3 of 4`. */
  readonly reason: string
}

/** The parts of a recipient that rules compare, derived once per message. */
export interface RouteRecipient {
  readonly plain: string
  readonly carrier: string | undefined
}

export const trialOneIn = 10

/** Grades of a route for a message; lower is better. */
const healthy = 0
const onTrial = 1
const unusable = 2
const none = 3

/** Best route so far during the search of the tiers. */
interface Selection {
  best: CompiledRoute | null
  grade: number
  score: number
  /** Position of the best route, counting only tiers with a matching route. */
  rank: number
  /** Sum of the weights of the routes with the rank and grade of the best one. */
  weights: number
  /** Number of those routes. */
  candidates: number
  /** The route that was counted last; the shares of a route are adjacent. */
  counted: string
  /** Number of shares that are not healthy, and the first of them with its reason. */
  passedOver: number
  firstPassed: string
}

const unread: RouteRecipient = { plain: '', carrier: undefined }

export function chooseRoute(
  table: CompiledRoutes,
  request: RouteRequest,
  health: RouteHealth,
  isRouteAllowed?: RouteFilter,
): RouteChoice | null {
  const routes = table.byChannel.get(request.channel)
  if (routes === undefined) return null
  const recipient = toRouteRecipient(table, routes, request)
  const key = hashText(request.msgKey)
  const selection: Selection = {
    best: null,
    grade: none,
    score: 0,
    rank: 0,
    weights: 0,
    candidates: 0,
    counted: '',
    passedOver: 0,
    firstPassed: '',
  }
  let rank = 0
  for (const tier of routes.tiers) {
    let matched = 0
    for (const entry of tier) {
      if (!matches(entry, request.accountId, recipient) || isRouteAllowed?.(request, entry.route) === false)
        continue
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
  const grade = computeGrade(state, key, entry.seed)
  if (grade !== healthy && selection.passedOver++ === 0)
    selection.firstPassed = `${entry.route.id} ${getHealthReason(state)}`
  // A less preferred route must have a better grade than the best so far; routes of the same rank compete by score.
  if (grade > selection.grade || (grade === selection.grade && rank !== selection.rank)) return
  const { weight, routeId } = entry.route
  const score = computeScore(key, entry.seed, entry.weight)
  const isBetter = grade !== selection.grade
  if (isBetter) {
    selection.grade = grade
    selection.rank = rank
    selection.weights = weight
    selection.candidates = 1
  } else if (selection.counted !== routeId) {
    selection.weights += weight
    selection.candidates++
  }
  selection.counted = routeId
  if (!isBetter && score <= selection.score) return
  selection.best = entry
  selection.score = score
}

function describeChoice(selection: Selection, route: RouteShare, health: RouteHealth): string {
  const others = selection.passedOver > 1 ? ', and no other route is healthy' : ''
  if (selection.grade === onTrial) return `on trial${others}`
  if (selection.grade === unusable) return `waits: ${route.id} ${getHealthReason(health(route.id))}${others}`
  const more = selection.passedOver > 1 ? ` and ${selection.passedOver - 1} more cannot take it` : ''
  if (selection.rank > 1) return `${ordinal(selection.rank)} choice: ${selection.firstPassed}${more}`
  const weights = selection.candidates > 1 ? `, weight ${route.weight} of ${selection.weights}` : ''
  const instead = selection.passedOver > 0 ? `; ${selection.firstPassed}${more}` : ''
  return `priority ${route.priority}${weights}${instead}`
}

export function matches(
  entry: CompiledRoute,
  accountId: number,
  { plain, carrier }: RouteRecipient,
): boolean {
  return (
    (entry.accounts === null || entry.accounts.has(accountId)) &&
    (entry.prefixes === null || entry.prefixes.some((prefix) => plain.startsWith(prefix))) &&
    (entry.carriers === null || (carrier !== undefined && entry.carriers.has(carrier)))
  )
}

export function toRouteRecipient(
  table: CompiledRoutes,
  routes: ChannelRoutes,
  { to, carrier }: Pick<RouteRequest, 'to' | 'carrier'>,
): RouteRecipient {
  if (!routes.readsNumber) return unread
  const plain = toPlain(to)
  return { plain, carrier: routes.readsCarrier ? (carrier ?? table.findCarrier(plain)) : undefined }
}

export function getHealthReason(state: Health): string {
  return state.reason ?? 'is not usable'
}

function computeGrade(state: Health, key: number, seed: number): number {
  if (!state.usable) return unusable
  return state.onTrial === true && !isSampled(key, seed, trialOneIn) ? onTrial : healthy
}

function ordinal(rank: number): string {
  return ['first', 'second', 'third', 'fourth', 'fifth'][rank - 1] ?? `${rank}th`
}
