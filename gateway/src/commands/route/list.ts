/**
 * `postern route list`: every route in the order of preference, with its rules, its worker and its health. Below a route
 * with several owners there is a line for each of its shares.
 */
import { loadAccounts } from '../../accounts/queries.ts'
import type { Health } from '../../routes/choose.ts'
import { createTopology } from '../../jobs/queues.ts'
import { listWorkers } from '../../pipeline/dispatch/workers-table.ts'
import { loadRouteRules } from '../../routes/queries.ts'
import type { Route } from '../../routes/route.ts'
import { readHealth } from '../../routes/read-health.ts'
import { sharesOf } from '../../routes/shares.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

const titles = ['route', 'priority', 'weight', 'protocol', 'pace', 'channels', 'serves', 'worker', 'now']

interface ListedRoute {
  readonly route: Route
  /** Client ids. */
  readonly accounts: readonly string[]
  readonly shares: readonly ListedShare[]
  readonly usable: boolean
  readonly state: string
}

interface ListedShare {
  readonly id: string
  /** Host and process of the worker that owns it. */
  readonly worker: string | null
  readonly usable: boolean
  readonly state: string
}

export function listRoutes(invocation: Invocation): Promise<Result> {
  return withDatabase(invocation, async (database) => {
    const routes = await loadRouteRules(database)
    const health = await readHealth(database, routes)
    const clientIds = new Map((await loadAccounts(database)).map(({ id, clientId }) => [id, clientId]))
    const workers = (await listWorkers(database)).filter(({ live }) => live)
    const topology = createTopology('')
    const listed = routes.map((route): ListedRoute => {
      const shares = sharesOf(route).map(({ id }): ListedShare => {
        const partition = topology.partitionOf(id)
        const owner = route.enabled
          ? workers.find(({ partitions }) => partitions.includes(partition))
          : undefined
        return { id, worker: owner?.host ?? null, ...stateOf(route, health(id)) }
      })
      const accounts = route.accounts.map((id) => clientIds.get(id) ?? `account ${id}`)
      return { route, accounts, shares, ...sumUp(shares) }
    })
    return { json: { routes: listed.map(routeJson) }, lines: table([titles, ...listed.flatMap(toRows)]) }
  })
}

function sumUp(shares: readonly ListedShare[]): Pick<ListedRoute, 'usable' | 'state'> {
  const usable = shares.filter((share) => share.usable).length
  const [first] = shares
  if (shares.every(({ state }) => state === first!.state)) return { usable: usable > 0, state: first!.state }
  return { usable: usable > 0, state: `${usable} of ${shares.length} shares can be used` }
}

function stateOf({ enabled }: Route, health: Health): Pick<ListedShare, 'usable' | 'state'> {
  if (!enabled) return { usable: false, state: 'is disabled' }
  return { usable: health.usable, state: health.reason ?? 'healthy' }
}

/** Without the options of the link: they may hold a password. */
function routeJson({ route, accounts, shares, usable, state }: ListedRoute) {
  const { id, enabled, priority, weight, protocol, partsPerSecond, channels, prefixes, carriers } = route
  const { minDeliveryRate, failoverAfterSeconds, unknownPolicy, owners } = route
  return {
    ...{
      id,
      enabled,
      usable,
      state,
      worker: shares[0]!.worker,
      owners,
      shares,
      priority,
      weight,
      protocol,
      partsPerSecond,
      channels,
      accounts,
      prefixes,
    },
    ...{ carriers, minDeliveryRate, failoverAfterSeconds, unknownPolicy },
  }
}

function toRows({ route, accounts, shares, state }: ListedRoute): string[][] {
  const rules = [accounts, route.prefixes, route.carriers].flatMap((rule) =>
    rule.length === 0 ? [] : [rule.join(',')],
  )
  const row = [
    route.id,
    String(route.priority),
    String(route.weight),
    route.protocol,
    pace(route.partsPerSecond),
    route.channels.join(','),
    rules.length === 0 ? 'all' : rules.join(' '),
    shares.length === 1 ? (shares[0]!.worker ?? '-') : `${shares.length} owners`,
    state,
  ]
  if (shares.length === 1) return [row]
  const sharePace = pace(route.partsPerSecond / shares.length)
  return [
    row,
    ...shares.map((share, index) => [
      ...[`  share ${index + 1}`, '', '', '', sharePace, '', ''],
      ...[share.worker ?? '-', share.state],
    ]),
  ]
}

function pace(partsPerSecond: number): string {
  return partsPerSecond === 0 ? 'unlimited' : `${Math.round(partsPerSecond * 100) / 100}/s`
}
