/** `postern route list`: every route in the order of preference, with its rules, its worker and its health. */
import { loadAccounts } from '../../accounts/queries.ts'
import type { Health } from '../../routes/choose.ts'
import { createTopology } from '../../jobs/queues.ts'
import { listWorkers } from '../../pipeline/dispatch/workers-table.ts'
import { loadRoutes } from '../../routes/queries.ts'
import type { Route } from '../../routes/route.ts'
import { readHealth } from '../../routes/read-health.ts'
import { withDatabase } from '../connect.ts'
import { table, type Result } from '../result.ts'

const titles = ['route', 'priority', 'weight', 'protocol', 'pace', 'channels', 'serves', 'worker', 'now']

interface ListedRoute {
  readonly route: Route
  /** Client ids. */
  readonly accounts: readonly string[]
  /** Host and process of the worker that owns it. */
  readonly worker: string | null
  readonly usable: boolean
  readonly state: string
}

export function listRoutes(): Promise<Result> {
  return withDatabase(async (database) => {
    const routes = await loadRoutes(database)
    const health = await readHealth(database, routes)
    const clientIds = new Map((await loadAccounts(database)).map(({ id, clientId }) => [id, clientId]))
    const workers = (await listWorkers(database)).filter(({ live }) => live)
    const topology = createTopology('')
    const listed = routes.map((route): ListedRoute => {
      const partition = topology.partitionOf(route.id)
      const owner = route.enabled
        ? workers.find(({ partitions }) => partitions.includes(partition))
        : undefined
      const accounts = route.accounts.map((id) => clientIds.get(id) ?? `account ${id}`)
      return { route, accounts, worker: owner?.host ?? null, ...stateOf(route, health(route.id)) }
    })
    return { json: { routes: listed.map(routeJson) }, lines: table([titles, ...listed.map(toRow)]) }
  })
}

function stateOf({ enabled }: Route, health: Health): Pick<ListedRoute, 'usable' | 'state'> {
  if (!enabled) return { usable: false, state: 'is disabled' }
  return { usable: health.usable, state: health.reason ?? 'healthy' }
}

/** Without the options of the link: they may hold a password. */
function routeJson({ route, accounts, worker, usable, state }: ListedRoute) {
  const { id, enabled, priority, weight, protocol, partsPerSecond, channels, prefixes, carriers } = route
  const { minDeliveryRate, failoverAfterSeconds, unknownPolicy } = route
  return {
    ...{
      id,
      enabled,
      usable,
      state,
      worker,
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

function toRow({ route, accounts, worker, state }: ListedRoute): string[] {
  const rules = [accounts, route.prefixes, route.carriers].flatMap((rule) =>
    rule.length === 0 ? [] : [rule.join(',')],
  )
  return [
    route.id,
    String(route.priority),
    String(route.weight),
    route.protocol,
    route.partsPerSecond === 0 ? 'unlimited' : `${route.partsPerSecond}/s`,
    route.channels.join(','),
    rules.length === 0 ? 'all' : rules.join(' '),
    worker ?? '-',
    state,
  ]
}
