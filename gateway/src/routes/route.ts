/** A route: a link to a carrier, its rules and its rate. Plain values; `choose.ts` selects the route of a message. */
import type { ChannelName } from '../channels/channel.ts'

export interface Route extends RouteLink, RouteRules {}

/** What may be saved: rules that are left out match everything. */
export type RouteDraft = RouteLink & Partial<RouteRules>

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
}

/** Whether a change leaves the link to the carrier as it is: a new weight does not need a new bind. */
export function sameLink(left: Route, right: Route): boolean {
  const link = ({ id, protocol, options, partsPerSecond, owners }: Route): string =>
    JSON.stringify([id, protocol, options, partsPerSecond, owners])
  return link(left) === link(right)
}
