/** `postern route list`: every route in the order in which it is preferred, with its rules and how it is. */
import { loadAccounts } from '../accounts/queries.ts'
import type { Queryable } from '../platform/database.ts'
import { loadRoutes } from '../routes/queries.ts'
import type { Health } from '../routes/choose.ts'
import type { Route } from '../routes/route.ts'
import { readHealth } from '../routes/route-health.ts'
import { print, withDatabase } from './connect.ts'
import { grid } from './route-grid.ts'

const titles = ['route', 'priority', 'weight', 'protocol', 'pace', 'channels', 'serves', 'now']

export async function list(): Promise<void> {
  for (const line of await withDatabase(listRoutes)) print(line)
}

export async function listRoutes(database: Queryable): Promise<string[]> {
  const routes = await loadRoutes(database)
  const health = await readHealth(database, routes)
  const names = new Map((await loadAccounts(database)).map(({ id, clientId }) => [id, clientId]))
  return grid([titles, ...routes.map((route) => toRow(route, names, health(route.id)))])
}

function toRow(route: Route, clientIds: ReadonlyMap<number, string>, health: Health): string[] {
  return [
    route.id,
    String(route.priority),
    String(route.weight),
    route.protocol,
    route.partsPerSecond === 0 ? 'unlimited' : `${route.partsPerSecond}/s`,
    route.channels.join(','),
    whom(route, clientIds),
    route.enabled ? (health.why ?? 'is well') : 'is disabled',
  ]
}

function whom(route: Route, clientIds: ReadonlyMap<number, string>): string {
  const accounts = route.accounts.map((id) => clientIds.get(id) ?? `account ${id}`)
  const rules = [accounts, route.prefixes, route.carriers].flatMap((rule) =>
    rule.length === 0 ? [] : [rule.join(',')],
  )
  return rules.length === 0 ? 'all' : rules.join(' ')
}
