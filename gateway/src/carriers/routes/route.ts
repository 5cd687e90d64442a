/** A route: a link to a carrier, its rules and its rate. `choose.ts` selects the route of a message. */
import type { ChannelName } from '../../channels/channel.ts'

export interface Route extends RouteLink, RouteRules {}

/** Input of a saved route; omitted rules match everything. */
export type RouteDraft = RouteLink & Partial<Omit<RouteRules, 'traffic'>>

export interface RouteLink {
  readonly id: string
  readonly channels: readonly ChannelName[]
  readonly protocol: string
  readonly options: Readonly<Record<string, unknown>>
  /** Lower is preferred. */
  readonly priority: number
  /** 0 means no limit but the carrier's window. */
  readonly partsPerSecond: number
  readonly enabled: boolean
}

export const traffics = ['open', 'paused', 'draining'] as const
/**
 * State that an operator sets for an enabled route. `paused`: submits nothing, and messages that no other route serves wait
 * for it. `draining`: accepts no messages, but stays linked for pending receipts.
 */
export type Traffic = (typeof traffics)[number]

export interface RouteRules {
  /** Ids of the accounts it serves; empty for all. */
  readonly accounts: readonly number[]
  /** Prefixes of the numbers it serves, domestic (`010`) or international (`+81`); empty for all. */
  readonly prefixes: readonly string[]
  /** Codes of the recipients' carriers it serves; empty for all. A recipient of unknown carrier matches none. */
  readonly carriers: readonly string[]
  /** Relative weight among routes of the same priority. */
  readonly weight: number
  /** Below this fraction of delivered messages another route is preferred; null disables the check. */
  readonly minDeliveryRate: number | null
  /** How long messages wait for the route before another one is chosen. */
  readonly failoverAfterSeconds: number
  /** Handling of a possibly submitted step at its deadline. */
  readonly unknownPolicy: 'fail' | 'resend'
  /** Number of processes that submit over it concurrently, each with its own links and an equal share of the rate. */
  readonly owners: number
  readonly traffic: Traffic
}

export const openRules: RouteRules = {
  accounts: [],
  prefixes: [],
  carriers: [],
  weight: 1,
  minDeliveryRate: null,
  failoverAfterSeconds: 3,
  unknownPolicy: 'fail',
  owners: 1,
  traffic: 'open',
}

/** Returns whether a change keeps the link to the carrier. A new weight or rate needs no new bind. */
export function sameLink(left: Route, right: Route): boolean {
  const link = ({ id, protocol, options, owners }: Route): string =>
    JSON.stringify([id, protocol, options, owners])
  return link(left) === link(right)
}
