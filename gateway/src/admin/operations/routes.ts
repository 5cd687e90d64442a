/** Routes and connectors: show, explain. */
import { Type } from 'typebox'
import { listRoutes } from '../../acts/list-routes.ts'
import { explainFor, noSuchRoute } from '../../acts/routes.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { isInternationalRecipient, isRecipient } from '../../channels/numbers.ts'
import { channels } from '../../channels/registry.ts'
import { connectorKinds } from '../../connectors/registry.ts'
import { showOptions } from '../../connectors/describe.ts'
import { clock } from '../../platform/clock.ts'
import { countWaiting, maxCountedWaiting, readOldestDue } from '../../records/waiting/count-waiting.ts'
import { staleAfterMs } from '../../routes/judge-health.ts'
import { slownessOf, slownesses } from '../../routes/judge-slowness.ts'
import { loadRoutes, readRouteVersion } from '../../routes/queries.ts'
import { readResultMinutes } from '../../routes/results.ts'
import { loadRouteStates } from '../../routes/states.ts'
import { clientId, flag, list, nullable, number, oneOf, record, text, time, whole } from '../fields.ts'
import { defineOperation, reads } from '../operation.ts'
import { wrongField } from '../../acts/errors.ts'
import { ExplainedRoutes } from './explained-routes.ts'
import { routeFields, routeId, toRoute } from './route-fields.ts'

const Live = record(
  {
    share: text('Id of the share'),
    linked: flag('Whether it is linked to the carrier'),
    linkReason: nullable(
      text('Why it is not, as the carrier or the network says it; null while it is, or nothing is known'),
    ),
    rate: nullable(number('Parts per second that it submits at most now; null: no limit')),
    breaker: oneOf(['closed', 'open', 'half-open'], 'Its circuit breaker; open: it takes nothing'),
    throttledShare: number('Share of recent submissions that the carrier throttled, 0 to 1'),
    deliveryRate: nullable(
      number('Share of recent messages that were delivered, 0 to 1; null while too few are known'),
    ),
    arrivals: number('Steps that reached it in the last second'),
    submitted: number('Parts that it submitted in the last second'),
    queued: whole('Parts that wait in the memory of its owner'),
    seenAt: time('When its owner was last heard of'),
  },
  'What the owner of a share last published',
  { title: 'LiveShare' },
)

const Minute = record(
  {
    minute: time('The minute'),
    delivered: whole('Messages that were delivered'),
    failed: whole('Messages that failed because of the route'),
  },
  'Results of a minute',
  { title: 'RouteMinute' },
)

const showOperation = defineOperation({
  id: 'showRoute',
  method: 'get',
  path: '/admin/v1/routes/{routeId}',
  tag: 'Routes',
  summary:
    'Show a route: its settings, what its owners publish, its results of the last hour, and what waits for it',
  access: reads(),
  action: 'route show',
  command: { examples: ['skt-1'] },
  params: { routeId },
  data: record(
    {
      ...routeFields,
      version: text('Of the settings; send it as `If-Match` to replace or delete the route'),
      options: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Options of its connector; secrets are masked',
      }),
      defaults: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Options that it leaves out and that have a default, by path such as `tls.verify`',
      }),
      live: list(Live, 'What the owners of its shares last published'),
      minutes: list(Minute, 'Results of the last 60 minutes, the oldest first'),
      waiting: whole(`Steps that wait for it in PostgreSQL; counted up to ${maxCountedWaiting}`),
      waitingMore: flag('Whether there are more'),
      waitingSeconds: number(
        'How long the oldest of them has waited that could be submitted now; 0 without one',
      ),
      slow: nullable(
        oneOf(
          slownesses,
          'Why messages wait although it takes them; throttled: by its carrier; limit: by its settings; answers: its carrier answers slowly. null: it keeps up',
        ),
      ),
    },
    'A route',
    { title: 'RouteDetail' },
  ),
  run: async ({ params: { routeId: id } }, { database, services: { encryption } }) => {
    // Before the settings: a change in between makes the version old, never the settings.
    const version = await readRouteVersion(database, id)
    const listed = (await listRoutes(database)).find(({ route }) => route.id === id)
    const stored = (await loadRoutes(database, encryption)).find((route) => route.id === id)
    if (version === null || listed === undefined || stored === undefined) throw noSuchRoute(id)
    const ids = new Set(listed.shares.map((share) => share.id))
    const { options, defaults } = showOptions(stored.protocol, stored.options)
    const states = (await loadRouteStates(database)).filter(({ routeId: share }) => ids.has(share))
    const waiting = await countWaiting(database, id, maxCountedWaiting + 1)
    const waitingSeconds = await readOldestDue(database, id)
    const takes = listed.usable && stored.traffic === 'open'
    // As on the first screen: what an owner published that is gone says nothing about now.
    const now = clock.now()
    const owned = states.filter(({ seenAt }) => now - seenAt.getTime() <= staleAfterMs)
    return {
      ...toRoute(listed),
      version,
      ...{ options: { ...options }, defaults: { ...defaults } },
      live: states.map(({ routeId: share, linkReason = null, ...live }) => ({ share, linkReason, ...live })),
      minutes: await readResultMinutes(database, id, 60),
      ...{ waiting: Math.min(waiting, maxCountedWaiting), waitingMore: waiting > maxCountedWaiting },
      waitingSeconds,
      slow: takes ? slownessOf(owned, waitingSeconds, stored.partsPerSecond) : null,
    }
  },
})

const explainOperation = defineOperation({
  id: 'explainRoute',
  method: 'post',
  path: '/admin/v1/routes/explain',
  tag: 'Routes',
  summary: 'Explain which route a message would take now, and why; sends nothing',
  access: reads(),
  action: 'route explain',
  command: { examples: ['--account shop-1 --channel sms --to 01012345678'] },
  body: {
    account: clientId,
    channel: oneOf(Object.keys(channels) as ChannelName[], 'Channel of the message'),
    to: text('Recipient, such as 01012345678 or +819012345678', { minLength: 3, maxLength: 20 }),
    msgKey: Type.Optional(
      text('Among routes of equal priority the key decides', { minLength: 32, maxLength: 32 }),
    ),
  },
  data: ExplainedRoutes,
  run: async ({ body }, { database }) => {
    if (!isRecipient(body.to) && !isInternationalRecipient(body.to))
      throw wrongField('to', 'must be a number such as 01012345678 or +819012345678')
    const { routes, ...explained } = await explainFor(database, body)
    return { ...explained, routes: [...routes] }
  },
})

const connectorsOperation = defineOperation({
  id: 'listConnectors',
  method: 'get',
  path: '/admin/v1/connectors',
  tag: 'Routes',
  summary: 'List the kinds of connectors that a route can have, with the JSON Schema of their options',
  description:
    'In the schema, `secret` marks what is masked when a route is shown, and `address` what decides where the link goes.',
  access: reads(),
  action: 'connector list',
  data: record(
    {
      connectors: list(
        record(
          {
            protocol: text('Its name'),
            summary: text('What it connects to'),
            channels: list(
              oneOf(Object.keys(channels) as ChannelName[], 'A channel'),
              'Channels it can serve',
            ),
            submits: text('parts, or whole messages'),
            severalOwners: flag('Whether a route can have several owners'),
            options: Type.Record(Type.String(), Type.Unknown(), {
              description: 'JSON Schema of its options',
            }),
            example: Type.Record(Type.String(), Type.Unknown(), {
              description: 'Valid options, with references for secrets',
            }),
          },
          'A kind of connector',
          { title: 'Connector' },
        ),
        'Kinds of connectors',
      ),
    },
    'Kinds of connectors',
  ),
  run: () =>
    Promise.resolve({
      connectors: Object.values(connectorKinds).map((kind) => ({
        protocol: kind.name,
        summary: kind.summary,
        channels: [...kind.channels],
        submits: kind.takes,
        severalOwners: kind.severalOwners ?? false,
        options: { ...kind.options },
        example: { ...kind.example },
      })),
    }),
})

export const routeOperations = [showOperation, explainOperation, connectorsOperation]
