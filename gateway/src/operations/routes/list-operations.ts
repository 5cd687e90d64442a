import { Type } from 'typebox'
import { listRoutes, type ListedRoute } from './list.ts'
import {
  compareSeverity,
  severityKey,
  readFlows,
  routeStatuses,
  type FlowingRoute,
  type SeverityKey,
} from './flow.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { readResultCurves, type ResultCurve } from '../../carriers/routes/results.ts'
import { readCursor, toPage } from '../cursor.ts'
import { list, nullable, number, oneOf, page, pageQuery, record, text, whole } from '../fields.ts'
import { defineOperation, readAccess } from '../operation.ts'
import { routeFields, toRoute } from './fields.ts'

const curveMinutes = 60

const Flow = record(
  {
    trouble: oneOf(
      routeStatuses,
      'down: accepts nothing although it should; impaired: a share is down or on trial, the carrier throttles, or many messages fail; closed: paused or drained by an operator',
    ),
    rate: nullable(number('Current maximum of parts per second; null without limit or owner')),
    submitted: number('Parts submitted in the last second'),
    queued: whole('Parts waiting in the memory of its owners'),
    throttledShare: number('Fraction of recent submissions throttled by the carrier, 0 to 1'),
    deliveryRate: nullable(
      number('Fraction of messages delivered in the last five minutes, 0 to 1; null if too few are known'),
    ),
    waiting: whole('Steps that wait for it in PostgreSQL, of the 50,000 counted over all routes'),
    delivered: whole('Messages delivered in the last hour'),
    failed: whole('Messages that failed because of it in the last hour'),
    trafficShare: nullable(
      number('Fraction of the results of all routes in the last hour, 0 to 1; null without results'),
    ),
    curve: record(
      {
        delivered: list(whole('Messages'), 'Delivered'),
        failed: list(whole('Messages'), 'Failed because of it'),
      },
      'Results of each of the last 60 minutes, the current one last; empty without results',
    ),
  },
  'Traffic of the route',
  { title: 'RouteFlow' },
)

const noCurve: ResultCurve = { delivered: [], failed: [] }

export const routeListOperations = [
  defineOperation({
    id: 'listRoutes',
    method: 'get',
    path: '/admin/v1/routes',
    tag: 'Routes',
    summary: 'List routes with their health and traffic',
    description:
      'Sorted by preference, or in the order `trouble` by severity, then by backlog. In the order `trouble`, a route that changes its position between two pages can be missing or appear twice.',
    access: readAccess(),
    action: 'route list',
    command: {
      examples: [''],
      columns: ['id', 'priority', 'weight', 'protocol', 'partsPerSecond', 'channels', 'accounts', 'state'],
    },
    query: {
      ...pageQuery,
      order: Type.Optional(oneOf(['preference', 'trouble'], 'Sort order; preference by default')),
      state: Type.Optional(
        oneOf(
          ['healthy', 'unhealthy', 'closed', 'disabled'],
          'Only routes in this state; closed: paused or drained by an operator',
        ),
      ),
      trouble: Type.Optional(oneOf(routeStatuses, 'Only routes with this problem')),
      channel: Type.Optional(
        oneOf(Object.keys(channels) as ChannelName[], 'Only routes that serve the channel'),
      ),
      contains: Type.Optional(
        text('Only routes whose ID, protocol or carrier contains this text', { minLength: 1, maxLength: 40 }),
      ),
    },
    data: page(record({ ...routeFields, flow: Flow }, 'A route', { title: 'Route' }), 'Routes'),
    run: async ({ query }, { database }) => {
      const { limit, cursor, order = 'preference', state, trouble, channel, contains } = query
      const listed = (await listRoutes(database)).filter(
        ({ route, usable }) =>
          (channel === undefined || route.channels.includes(channel)) &&
          (state === undefined || state === getState(route, usable)) &&
          (contains === undefined || containsText(route, contains.toLowerCase())),
      )
      const flowing = (await readFlows(database, listed)).filter(
        ({ flow }) => trouble === undefined || flow.trouble === trouble,
      )
      const toArguments = order === 'trouble' ? byTrouble : byPreference
      const { items, next } = toPage(...toArguments(flowing, limit, cursor))
      return { items: await withCurves(database, items), next }
    },
  }),
]

type PageArguments = [
  rows: readonly FlowingRoute[],
  limit: number,
  show: (row: FlowingRoute) => FlowingRoute,
  getPosition: (row: FlowingRoute) => readonly unknown[],
]

const unchanged = (row: FlowingRoute): FlowingRoute => row

function byPreference(
  rows: readonly FlowingRoute[],
  limit: number,
  cursor: string | undefined,
): PageArguments {
  const after = readCursor(Type.Tuple([Type.Integer(), Type.String({ maxLength: 32 })]), cursor)
  const remaining = rows.filter(
    ({ route }) =>
      after === undefined ||
      route.priority > after[0] ||
      (route.priority === after[0] && route.id > after[1]),
  )
  return [remaining, limit, unchanged, ({ route }) => [route.priority, route.id]]
}

const SeverityPosition = Type.Tuple([
  Type.Integer({ minimum: 0, maximum: routeStatuses.length }),
  Type.Integer(),
  Type.Integer(),
  Type.String({ maxLength: 32 }),
])

function byTrouble(rows: readonly FlowingRoute[], limit: number, cursor: string | undefined): PageArguments {
  const after: SeverityKey | undefined = readCursor(SeverityPosition, cursor)
  const remaining = rows
    .filter((row) => after === undefined || compareSeverity(severityKey(row), after) > 0)
    .sort((before, next) => compareSeverity(severityKey(before), severityKey(next)))
  return [remaining, limit, unchanged, severityKey]
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

function getState({ enabled, traffic }: ListedRoute['route'], usable: boolean): string {
  if (!enabled) return 'disabled'
  if (traffic !== 'open') return 'closed'
  return usable ? 'healthy' : 'unhealthy'
}

function containsText({ id, protocol, carriers }: ListedRoute['route'], part: string): boolean {
  return [id, protocol, ...carriers].some((value) => value.toLowerCase().includes(part))
}
