/** A route: a link to a carrier, its rules and its rate. Plain values; `choose.ts` selects the route of a message. */
import type { ChannelName } from '../channels/channel.ts'

export interface Route extends RouteLink, RouteRules {}

/** What may be saved: rules that are left out match everything. */
export type RouteDraft = RouteLink & Partial<Omit<RouteRules, 'traffic'>>

export interface RouteLink {
  readonly id: string
  readonly channels: readonly ChannelName[]
  readonly protocol: string
  readonly options: Readonly<Record<string, unknown>>
  /** Lower is preferred. */
  readonly priority: number
  /** 0: as fast as the carrier's window allows. */
  readonly partsPerSecond: number
  readonly enabled: boolean
}

export const traffics = ['open', 'paused', 'draining'] as const
/**
 * What an operator lets an enabled route do. `paused`: it submits nothing, and messages that no other route serves wait for it.
 * `draining`: it takes nothing new, and stays linked for the receipts that it is owed.
 */
export type Traffic = (typeof traffics)[number]

export interface RouteRules {
  /** Ids of the accounts it serves; empty: all. */
  readonly accounts: readonly number[]
  /** Prefixes of the numbers it serves: domestic (`010`) or international (`+81`); empty: all. */
  readonly prefixes: readonly string[]
  /** Codes of the recipients' carriers it serves; empty: all. A recipient of unknown carrier matches none. */
  readonly carriers: readonly string[]
  /** Its share among routes of the same priority. */
  readonly weight: number
  /** Below this share of delivered messages another route is preferred; null: never. */
  readonly minDeliveryRate: number | null
  /** How long messages wait for the route before another one is chosen. */
  readonly failoverAfterSeconds: number
  /** What happens at the deadline to a step that may have been submitted. */
  readonly unknownPolicy: 'fail' | 'resend'
  /** Processes that submit over it at the same time, each with links of its own and an equal share of its rate. */
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

/** Whether a change leaves the link to the carrier as it is: neither a new weight nor a new rate needs a new bind. */
export function sameLink(left: Route, right: Route): boolean {
  const link = ({ id, protocol, options, owners }: Route): string =>
    JSON.stringify([id, protocol, options, owners])
  return link(left) === link(right)
}
