/**
 * Compiles the route table for `choose.ts`: by channel, in tiers of equal priority, with every rule as a set or list for
 * lookups. Runs once per change of the table.
 */
import type { ChannelName } from '../../channels/channel.ts'
import { hashText } from '../../platform/hash.ts'
import { compileRanges, toPlain, type FindCarrier, type NumberRange } from './numbering.ts'
import type { Route } from './route.ts'
import { listShares, type RouteShare } from './shares.ts'

export interface CompiledRoutes {
  /** All shares of all routes, including disabled ones, in order of priority. */
  readonly all: readonly CompiledRoute[]
  readonly byChannel: ReadonlyMap<ChannelName, ChannelRoutes>
  readonly findCarrier: FindCarrier
}

export interface ChannelRoutes {
  /** Shares of the routes that accept messages, grouped by priority, most preferred first. */
  readonly tiers: readonly (readonly CompiledRoute[])[]
  /** Whether any rule compares the number or its carrier. */
  readonly readsNumber: boolean
  readonly readsCarrier: boolean
}

/** Rules are null if they match everything. */
export interface CompiledRoute {
  readonly route: RouteShare
  readonly accounts: ReadonlySet<number> | null
  readonly prefixes: readonly string[] | null
  readonly carriers: ReadonlySet<string> | null
  readonly seed: number
  /** The weight of the route divided by its shares. */
  readonly weight: number
}

export function compileRoutes(routes: readonly Route[], ranges: readonly NumberRange[] = []): CompiledRoutes {
  const compiled = routes.flatMap(listShares).map(compile).sort(byPreference)
  const channels = new Set(routes.flatMap((route) => route.channels))
  return {
    all: compiled,
    byChannel: new Map([...channels].map((channel) => [channel, compileChannel(compiled, channel)])),
    findCarrier: compileRanges(ranges),
  }
}

function compileChannel(compiled: readonly CompiledRoute[], channel: ChannelName): ChannelRoutes {
  const serving = compiled.filter(({ route }) => acceptsMessages(route) && route.channels.includes(channel))
  const priorities = [...new Set(serving.map(({ route }) => route.priority))]
  const readsCarrier = serving.some(({ carriers }) => carriers !== null)
  return {
    tiers: priorities.map((priority) => serving.filter(({ route }) => route.priority === priority)),
    readsNumber: readsCarrier || serving.some(({ prefixes }) => prefixes !== null),
    readsCarrier,
  }
}

/** Includes paused routes: messages that no other route serves wait for them. */
export function acceptsMessages({ enabled, traffic }: Pick<Route, 'enabled' | 'traffic'>): boolean {
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
