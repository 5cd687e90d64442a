/**
 * Which route a message takes: of those whose rules match, the most preferred that is well; among equals by weight,
 * the same for the same message. When none is well the message waits for the best. It runs for every message, so it
 * reads memory alone; it takes half a microsecond with three routes. Pure.
 */
import type { ChannelName } from '../channels/channel.ts'
import type { ChannelRoutes, CompiledRoute, CompiledRoutes } from './compile.ts'
import { toPlain } from './numbering.ts'
import type { Route } from './route.ts'
import { fallsOn, hashText, scoreOf } from './share.ts'

export interface RouteRequest {
  readonly accountId: number
  readonly channel: ChannelName
  readonly to: string
  readonly msgKey: string
}

export interface Health {
  readonly usable: boolean
  /** It failed and is tried again: while another route is well it gets one message in `trialOneIn`. */
  readonly onTrial?: boolean
  /** What follows the route's name when it is not wholly well: `is not linked`. */
  readonly why?: string
}

export type RouteHealth = (routeId: string) => Health

export interface RouteChoice {
  readonly route: Route
  /** For the message's story: `priority 10, weight 3 of 4`. */
  readonly why: string
}

/** What the rules look at, read once per message. */
export interface Recipient {
  readonly plain: string
  readonly carrier: string | undefined
}

export const trialOneIn = 10

/** How well a route may take the message; lower is better. */
const well = 0
const doubtful = 1
const unusable = 2
const none = 3

/** Where the choice stands while the tiers are gone through. */
interface Draw {
  best: CompiledRoute | null
  grade: number
  score: number
  /** The how-manieth choice the best one is, counting only tiers with a matching route. */
  rank: number
  /** Of the routes the best one shares with. */
  weights: number
  sharers: number
  passedOver: number
  firstPassed: string
}

const unread: Recipient = { plain: '', carrier: undefined }

export function chooseRoute(
  table: CompiledRoutes,
  request: RouteRequest,
  health: RouteHealth,
): RouteChoice | null {
  const routes = table.byChannel.get(request.channel)
  if (routes === undefined) return null
  const recipient = readRecipient(table, routes, request.to)
  const key = hashText(request.msgKey)
  const draw: Draw = {
    best: null,
    grade: none,
    score: 0,
    rank: 0,
    weights: 0,
    sharers: 0,
    passedOver: 0,
    firstPassed: '',
  }
  let rank = 0
  for (const tier of routes.tiers) {
    let matches = 0
    for (const entry of tier) {
      if (!serves(entry, request.accountId, recipient)) continue
      if (matches++ === 0) rank++
      consider(draw, entry, rank, health(entry.route.id), key)
    }
    if (draw.grade === well) break
  }
  if (draw.best === null) return null
  const { route } = draw.best
  return { route, why: tell(draw, route, health) }
}

function consider(draw: Draw, entry: CompiledRoute, rank: number, state: Health, key: number): void {
  const grade = gradeOf(state, key, entry.seed)
  if (grade !== well && draw.passedOver++ === 0) draw.firstPassed = `${entry.route.id} ${reasonOf(state)}`
  // A less preferred route must be better than the best so far; an equal one takes part in the draw.
  if (grade > draw.grade || (grade === draw.grade && rank !== draw.rank)) return
  const { weight } = entry.route
  const score = scoreOf(key, entry.seed, weight)
  if (grade === draw.grade) {
    draw.weights += weight
    draw.sharers++
    if (score <= draw.score) return
  } else {
    draw.grade = grade
    draw.rank = rank
    draw.weights = weight
    draw.sharers = 1
  }
  draw.best = entry
  draw.score = score
}

function tell(draw: Draw, route: Route, health: RouteHealth): string {
  const others = draw.passedOver > 1 ? ', and no other route is well' : ''
  if (draw.grade === doubtful) return `on trial${others}`
  if (draw.grade === unusable) return `waits: ${route.id} ${reasonOf(health(route.id))}${others}`
  const more = draw.passedOver > 1 ? ` and ${draw.passedOver - 1} more cannot take it` : ''
  if (draw.rank > 1) return `${ordinal(draw.rank)} choice: ${draw.firstPassed}${more}`
  const share = draw.sharers > 1 ? `, weight ${route.weight} of ${draw.weights}` : ''
  const instead = draw.passedOver > 0 ? `; ${draw.firstPassed}${more}` : ''
  return `priority ${route.priority}${share}${instead}`
}

export function serves(entry: CompiledRoute, accountId: number, { plain, carrier }: Recipient): boolean {
  return (
    (entry.accounts === null || entry.accounts.has(accountId)) &&
    (entry.prefixes === null || entry.prefixes.some((prefix) => plain.startsWith(prefix))) &&
    (entry.carriers === null || (carrier !== undefined && entry.carriers.has(carrier)))
  )
}

export function readRecipient(table: CompiledRoutes, routes: ChannelRoutes, to: string): Recipient {
  if (!routes.readsNumber) return unread
  const plain = toPlain(to)
  return { plain, carrier: routes.readsCarrier ? table.carrierOf(plain) : undefined }
}

export function reasonOf(state: Health): string {
  return state.why ?? 'is not usable'
}

function gradeOf(state: Health, key: number, seed: number): number {
  if (!state.usable) return unusable
  return state.onTrial === true && !fallsOn(key, seed, trialOneIn) ? doubtful : well
}

function ordinal(rank: number): string {
  return ['first', 'second', 'third', 'fourth', 'fifth'][rank - 1] ?? `${rank}th`
}
