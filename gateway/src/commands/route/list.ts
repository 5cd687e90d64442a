/** `postern route list`: every route in the order of preference, with its rules and its health. */
import { loadAccounts } from '../../accounts/queries.ts'
import type { Health } from '../../routes/choose.ts'
import { loadRoutes } from '../../routes/queries.ts'
import type { Route } from '../../routes/route.ts'
import { readHealth } from '../../routes/read-health.ts'
import { withDatabase } from '../connect.ts'
import { table, type Result } from '../result.ts'

const titles = ['route', 'priority', 'weight', 'protocol', 'pace', 'channels', 'serves', 'now']

interface ListedRoute {
  readonly route: Route
  /** Client ids. */
  readonly accounts: readonly string[]
  readonly usable: boolean
  readonly state: string
}

export function listRoutes(): Promise<Result> {
  return withDatabase(async (database) => {
    const routes = await loadRoutes(database)
    const health = await readHealth(database, routes)
    const clientIds = new Map((await loadAccounts(database)).map(({ id, clientId }) => [id, clientId]))
    const listed = routes.map((route): ListedRoute => {
      const accounts = route.accounts.map((id) => clientIds.get(id) ?? `account ${id}`)
      return { route, accounts, ...stateOf(route, health(route.id)) }
    })
    return { json: { routes: listed.map(routeJson) }, lines: table([titles, ...listed.map(toRow)]) }
  })
}

function stateOf({ enabled }: Route, health: Health): Pick<ListedRoute, 'usable' | 'state'> {
  if (!enabled) return { usable: false, state: 'is disabled' }
  return { usable: health.usable, state: health.reason ?? 'healthy' }
}

/** Without the options of the link: they may hold a password. */
function routeJson({ route, accounts, usable, state }: ListedRoute) {
  const { id, enabled, priority, weight, protocol, partsPerSecond, channels, prefixes, carriers } = route
  const { minDeliveryRate, failoverAfterSeconds, unknownPolicy } = route
  return {
    ...{
      id,
      enabled,
      usable,
      state,
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

function toRow({ route, accounts, state }: ListedRoute): string[] {
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
    state,
  ]
}
