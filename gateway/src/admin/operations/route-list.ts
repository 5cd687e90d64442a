/** The list of routes: in the order of preference, or those in trouble first, with what flows over each. */
import { Type } from 'typebox'
import { listRoutes, type ListedRoute } from '../../acts/list-routes.ts'
import {
  comparePlaces,
  placeOf,
  readFlows,
  troubles,
  type FlowingRoute,
  type TroublePlace,
} from '../../acts/route-flow.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import type { Queryable } from '../../platform/database.ts'
import { readResultCurves, type ResultCurve } from '../../routes/results.ts'
import { readCursor, toPage } from '../cursor.ts'
import { list, nullable, number, oneOf, page, pageQuery, record, text, whole } from '../fields.ts'
import { defineOperation, reads } from '../operation.ts'
import { routeFields, toRoute } from './route-fields.ts'

const curveMinutes = 60

const Flow = record(
  {
    trouble: oneOf(
      troubles,
      'down: it takes nothing although it should; impaired: a share of it is down or on trial, the carrier throttles, or many messages fail; closed: an operator has paused it or drains it',
    ),
    rate: nullable(
      number('Parts per second that its owners submit at most now; null: no limit, or no owner'),
    ),
    submitted: number('Parts that it submitted in the last second'),
    queued: whole('Parts that wait in the memory of its owners'),
    throttledShare: number('Share of recent submissions that the carrier throttled, 0 to 1'),
    deliveryRate: nullable(
      number(
        'Share of the messages of the last five minutes that were delivered, 0 to 1; null while too few are known',
      ),
    ),
    waiting: whole('Steps that wait for it in PostgreSQL, of the 50,000 that are counted for all routes'),
    delivered: whole('Messages of the last hour that were delivered'),
    failed: whole('Messages of the last hour that failed because of it'),
    trafficShare: nullable(
      number('Its share of the results of all routes in the last hour, 0 to 1; null without any'),
    ),
    curve: record(
      {
        delivered: list(whole('Messages'), 'Delivered'),
        failed: list(whole('Messages'), 'Failed because of it'),
      },
      'Results of each of the last 60 minutes, the present one last; empty without any',
    ),
  },
  'What flows over it',
  { title: 'RouteFlow' },
)

const noCurve: ResultCurve = { delivered: [], failed: [] }

export const routeListOperations = [
  defineOperation({
    id: 'listRoutes',
    method: 'get',
    path: '/admin/v1/routes',
    tag: 'Routes',
    summary: 'List routes with their health and what flows over them',
    description:
      'In the order of preference, or with `order=trouble` those in trouble first, then those that most waits for. In that order a route that changes its place between two pages may be missing or be answered twice.',
    access: reads(),
    action: 'route list',
    command: {
      examples: [''],
      columns: ['id', 'priority', 'weight', 'protocol', 'partsPerSecond', 'channels', 'accounts', 'state'],
    },
    query: {
      ...pageQuery,
      order: Type.Optional(oneOf(['preference', 'trouble'], 'The order; by default that of preference')),
      state: Type.Optional(
        oneOf(
          ['healthy', 'unhealthy', 'closed', 'disabled'],
          'Only such routes; closed: an operator has paused it or drains it',
        ),
      ),
      trouble: Type.Optional(oneOf(troubles, 'Only routes with this trouble')),
      channel: Type.Optional(
        oneOf(Object.keys(channels) as ChannelName[], 'Only routes that serve the channel'),
      ),
      contains: Type.Optional(
        text('Only routes whose id, protocol or carrier contains it', { minLength: 1, maxLength: 40 }),
      ),
    },
    data: page(record({ ...routeFields, flow: Flow }, 'A route', { title: 'Route' }), 'Routes'),
    run: async ({ query }, { database }) => {
      const { limit, cursor, order = 'preference', state, trouble, channel, contains } = query
      const listed = (await listRoutes(database)).filter(
        ({ route, usable }) =>
          (channel === undefined || route.channels.includes(channel)) &&
          (state === undefined || state === kindOf(route, usable)) &&
          (contains === undefined || has(route, contains.toLowerCase())),
      )
      const flowing = (await readFlows(database, listed)).filter(
        ({ flow }) => trouble === undefined || flow.trouble === trouble,
      )
      const pageOf = order === 'trouble' ? byTrouble : byPreference
      const { items, next } = toPage(...pageOf(flowing, limit, cursor))
      return { items: await withCurves(database, items), next }
    },
  }),
]

type PageArguments = [
  rows: readonly FlowingRoute[],
  limit: number,
  show: (row: FlowingRoute) => FlowingRoute,
  positionOf: (row: FlowingRoute) => readonly unknown[],
]

const same = (row: FlowingRoute): FlowingRoute => row

function byPreference(
  rows: readonly FlowingRoute[],
  limit: number,
  cursor: string | undefined,
): PageArguments {
  const after = readCursor(Type.Tuple([Type.Integer(), Type.String({ maxLength: 32 })]), cursor)
  const left = rows.filter(
    ({ route }) =>
      after === undefined ||
      route.priority > after[0] ||
      (route.priority === after[0] && route.id > after[1]),
  )
  return [left, limit, same, ({ route }) => [route.priority, route.id]]
}

const Place = Type.Tuple([
  Type.Integer({ minimum: 0, maximum: troubles.length }),
  Type.Integer(),
  Type.Integer(),
  Type.String({ maxLength: 32 }),
])

function byTrouble(rows: readonly FlowingRoute[], limit: number, cursor: string | undefined): PageArguments {
  const after: TroublePlace | undefined = readCursor(Place, cursor)
  const left = rows
    .filter((row) => after === undefined || comparePlaces(placeOf(row), after) > 0)
    .sort((one, other) => comparePlaces(placeOf(one), placeOf(other)))
  return [left, limit, same, placeOf]
}

async function withCurves(database: Queryable, rows: readonly FlowingRoute[]) {
  const ids = rows.map(({ route }) => route.id)
  const curves = await readResultCurves(database, ids, curveMinutes)
  return rows.map((row) => {
    const { delivered, failed } = curves.get(row.route.id) ?? noCurve
    const curve = { delivered: [...delivered], failed: [...failed] }
    return { ...toRoute(row), flow: { ...row.flow, curve } }
  })
}

function kindOf({ enabled, traffic }: ListedRoute['route'], usable: boolean): string {
  if (!enabled) return 'disabled'
  if (traffic !== 'open') return 'closed'
  return usable ? 'healthy' : 'unhealthy'
}

function has({ id, protocol, carriers }: ListedRoute['route'], part: string): boolean {
  return [id, protocol, ...carriers].some((text) => text.toLowerCase().includes(part))
}
