import type { ListedRoute } from './list.ts'
import { traffics } from '../../carriers/routes/route.ts'
import { flag, list, nullable, number, oneOf, record, text, whole } from '../fields.ts'

export const routeId = text('ID of the route', { minLength: 1, maxLength: 32 })

const Share = record(
  {
    id: text('ID of the share; that of the route unless it has several owners'),
    worker: nullable(text('Host and process of the worker that owns it')),
    usable: flag('Whether it accepts messages'),
    state: text('healthy, or the problem'),
    linkReason: nullable(
      text(
        'Why it is not linked, as reported by the carrier or the network; null if it is linked or the reason is unknown',
      ),
    ),
  },
  'A share of a route',
  { title: 'RouteShare' },
)

export const routeFields = {
  id: routeId,
  enabled: flag('Whether it is enabled'),
  traffic: oneOf(
    traffics,
    'paused: submits nothing; draining: accepts nothing new and stays linked for receipts; both until it is enabled',
  ),
  usable: flag('Whether a share of it accepts messages'),
  state: text('healthy, or the problem'),
  shares: list(Share, 'Its shares, one per owner'),
  owners: whole('Processes that submit over it at the same time'),
  priority: whole('Lower is preferred'),
  weight: whole('How many messages it gets in relation to routes of the same priority'),
  protocol: text('Kind of its connector'),
  partsPerSecond: number("Rate; 0 means no limit but the carrier's"),
  channels: list(text('A channel'), 'Channels that it serves'),
  accounts: list(text('A client ID'), 'Accounts that it serves; empty means all'),
  prefixes: list(text('A prefix'), 'Prefixes of numbers that it serves; empty means all'),
  carriers: list(text('A carrier'), "Recipients' carriers that it serves; empty means all"),
  minDeliveryRate: nullable(number('Below this fraction of delivered messages another route is preferred')),
  failoverAfterSeconds: number('How long messages wait for it before another route is chosen'),
  unknownPolicy: text('What happens at the deadline to a step that may have been submitted: fail or resend'),
}
export function toRoute({ route, accounts, shares, usable, state }: ListedRoute) {
  return {
    id: route.id,
    enabled: route.enabled,
    traffic: route.traffic,
    usable,
    state,
    shares: [...shares],
    owners: route.owners,
    priority: route.priority,
    weight: route.weight,
    protocol: route.protocol,
    partsPerSecond: route.partsPerSecond,
    channels: [...route.channels],
    accounts: [...accounts],
    prefixes: [...route.prefixes],
    carriers: [...route.carriers],
    minDeliveryRate: route.minDeliveryRate,
    failoverAfterSeconds: route.failoverAfterSeconds,
    unknownPolicy: route.unknownPolicy,
  }
}
