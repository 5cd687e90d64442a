/**
 * Compiles the route table for `choose.ts`: by channel, in tiers of equal priority, with every rule as a set or list
 * that can be looked up. Runs once per change of the table. Pure.
 */
import type { ChannelName } from '../channels/channel.ts'
import { hashText } from '../platform/hash.ts'
import { compileRanges, toPlain, type CarrierOf, type NumberRange } from './numbering.ts'
import type { Route } from './route.ts'
import { sharesOf, type RouteShare } from './shares.ts'

export interface CompiledRoutes {
  /** All shares of all routes, including disabled ones, in order of priority. */
  readonly all: readonly CompiledRoute[]
  readonly byChannel: ReadonlyMap<ChannelName, ChannelRoutes>
  readonly carrierOf: CarrierOf
}

export interface ChannelRoutes {
  /** Shares of the routes that take messages, those of one priority together, the most preferred first. */
  readonly tiers: readonly (readonly CompiledRoute[])[]
  /** Whether any rule compares the number, or its carrier. */
  readonly readsNumber: boolean
  readonly readsCarrier: boolean
}

/** A rule that matches everything is null. */
export interface CompiledRoute {
  readonly route: RouteShare
  readonly accounts: ReadonlySet<number> | null
  readonly prefixes: readonly string[] | null
  readonly carriers: ReadonlySet<string> | null
  readonly seed: number
  /** Shares of a route divide its weight. */
  readonly weight: number
}

export function compileRoutes(routes: readonly Route[], ranges: readonly NumberRange[] = []): CompiledRoutes {
  const all = routes.flatMap(sharesOf).map(compile).sort(byPreference)
  const channels = new Set(routes.flatMap((route) => route.channels))
  return {
    all,
    byChannel: new Map([...channels].map((channel) => [channel, ofChannel(all, channel)])),
    carrierOf: compileRanges(ranges),
  }
}

function ofChannel(all: readonly CompiledRoute[], channel: ChannelName): ChannelRoutes {
  const serving = all.filter(({ route }) => takesMessages(route) && route.channels.includes(channel))
  const priorities = [...new Set(serving.map(({ route }) => route.priority))]
  const readsCarrier = serving.some(({ carriers }) => carriers !== null)
  return {
    tiers: priorities.map((priority) => serving.filter(({ route }) => route.priority === priority)),
    readsNumber: readsCarrier || serving.some(({ prefixes }) => prefixes !== null),
    readsCarrier,
  }
}

/** A paused route takes them, too: they wait for it where no other route serves them. */
export function takesMessages({ enabled, traffic }: Pick<Route, 'enabled' | 'traffic'>): boolean {
  return enabled && traffic !== 'draining'
}

function compile(route: RouteShare): CompiledRoute {
  return {
    route,
    accounts: route.accounts.length === 0 ? null : new Set(route.accounts),
    prefixes: route.prefixes.length === 0 ? null : route.prefixes.map(toPlain),
    carriers: route.carriers.length === 0 ? null : new Set(route.carriers),
    seed: hashText(route.id),
    weight: route.weight / route.owners,
  }
}

function byPreference({ route: left }: CompiledRoute, { route: right }: CompiledRoute): number {
  return left.priority - right.priority || (left.id < right.id ? -1 : 1)
}
