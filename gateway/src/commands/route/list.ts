/**
 * `postern route list`: every route in the order of preference, with its rules, its worker and its health. Below a route
 * with several owners there is a line for each of its shares.
 */
import { listRoutes as readRoutes, type ListedRoute } from '../../acts/list-routes.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

const titles = ['route', 'priority', 'weight', 'protocol', 'pace', 'channels', 'serves', 'worker', 'now']

export function listRoutes(invocation: Invocation): Promise<Result> {
  return withDatabase(invocation, async (database) => {
    const listed = await readRoutes(database)
    return { json: { routes: listed.map(routeJson) }, lines: table([titles, ...listed.flatMap(toRows)]) }
  })
}

/** Without the options of the link: they may hold a password. */
function routeJson({ route, accounts, shares, usable, state }: ListedRoute) {
  const { id, enabled, priority, weight, protocol, partsPerSecond, channels, prefixes, carriers } = route
  const { minDeliveryRate, failoverAfterSeconds, unknownPolicy, owners, traffic } = route
  return {
    ...{
      id,
      enabled,
      traffic,
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
