import { Type } from 'typebox'
import { listRoutes } from './list.ts'
import { explainRoutes, noSuchRoute } from './changes.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { isInternationalRecipient, isRecipient } from '../../channels/numbers.ts'
import { channels } from '../../channels/registry.ts'
import { connectorKinds } from '../../carriers/connectors/registry.ts'
import { showOptions } from '../../carriers/connectors/describe.ts'
import { clock } from '../../platform/time/clock.ts'
import { countWaiting, maxCountedWaiting, readOldestDue } from '../../records/waiting/count-waiting.ts'
import { staleAfterMs } from '../../carriers/routes/health.ts'
import { findSlowness, slownessCauses } from '../../carriers/routes/slowness.ts'
import { loadRoutes, readRouteVersion } from '../../carriers/routes/queries.ts'
import { readResultMinutes } from '../../carriers/routes/results.ts'
import { loadRouteStates } from '../../carriers/routes/states.ts'
import { clientId, flag, list, nullable, number, oneOf, record, text, time, whole } from '../fields.ts'
import { defineOperation, readAccess } from '../operation.ts'
import { wrongField } from '../errors.ts'
import { ExplainedRoutesSchema } from './explained-routes.ts'
import { routeFields, routeId, toRoute } from './fields.ts'

const Live = record(
  {
    share: text('ID of the share'),
    linked: flag('Whether it is linked to the carrier'),
    linkReason: nullable(
      text(
        'Why it is not linked, as reported by the carrier or the network; null if it is linked or the reason is unknown',
      ),
    ),
    rate: nullable(number('Current maximum of parts per second; null without limit')),
    breaker: oneOf(['closed', 'open', 'half-open'], 'Circuit breaker; open: accepts nothing'),
    throttledShare: number('Fraction of recent submissions throttled by the carrier, 0 to 1'),
    deliveryRate: nullable(
      number('Fraction of recent messages delivered, 0 to 1; null if too few are known'),
    ),
    arrivals: number('Steps that reached it in the last second'),
    submitted: number('Parts submitted in the last second'),
    queued: whole('Parts waiting in the memory of its owner'),
    seenAt: time('Time of the last update by its owner'),
  },
  'The values last published by the owner of a share',
  { title: 'LiveShare' },
)

const Minute = record(
  {
    minute: time('The minute'),
    delivered: whole('Messages delivered'),
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
  summary: 'Show a route: settings, live values, results of the last hour and backlog',
  access: readAccess(),
  action: 'route show',
  command: { examples: ['skt-1'] },
  params: { routeId },
  data: record(
    {
      ...routeFields,
      version: text('Version of the settings; send it as `If-Match` to replace or delete the route'),
      options: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Options of its connector; secrets are masked',
      }),
      defaults: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Defaults of omitted options, by path such as `tls.verify`',
      }),
      live: list(Live, 'Values last published by the owners of its shares'),
      minutes: list(Minute, 'Results of the last 60 minutes, oldest first'),
      waiting: whole(`Steps that wait for it in PostgreSQL; counted up to ${maxCountedWaiting}`),
      waitingMore: flag('Whether there are more steps'),
      waitingSeconds: number('Wait of the oldest due step, in seconds; 0 if there is none'),
      slow: nullable(
        oneOf(
          slownessCauses,
          'Why messages wait although it accepts them; throttled: by its carrier; limit: by its settings; answers: its carrier responds slowly; null if it keeps up',
        ),
      ),
    },
    'A route',
    { title: 'RouteDetail' },
  ),
  run: async ({ params: { routeId: id } }, { database, services: { encryption } }) => {
    // Read before the settings: after a concurrent change the version can be older than the settings, but never newer.
    const version = await readRouteVersion(database, id)
    const listed = (await listRoutes(database)).find(({ route }) => route.id === id)
    const stored = (await loadRoutes(database, encryption)).find((route) => route.id === id)
    if (version === null || listed === undefined || stored === undefined) throw noSuchRoute(id)
    const ids = new Set(listed.shares.map((share) => share.id))
    const { options, defaults } = showOptions(stored.protocol, stored.options)
    const states = (await loadRouteStates(database)).filter(({ routeId: share }) => ids.has(share))
    const waiting = await countWaiting(database, id, maxCountedWaiting + 1)
    const waitingSeconds = await readOldestDue(database, id)
    const acceptsMessages = listed.usable && stored.traffic === 'open'
    // Values of owners that are gone are outdated and do not count, as on the first screen.
    const now = clock.now()
    const ownerStates = states.filter(({ seenAt }) => now - seenAt.getTime() <= staleAfterMs)
    return {
      ...toRoute(listed),
      version,
      options: { ...options },
      defaults: { ...defaults },
      live: states.map(({ routeId: share, linkReason = null, ...live }) => ({ share, linkReason, ...live })),
      minutes: await readResultMinutes(database, id, 60),
      waiting: Math.min(waiting, maxCountedWaiting),
      waitingMore: waiting > maxCountedWaiting,
      waitingSeconds,
      slow: acceptsMessages ? findSlowness(ownerStates, waitingSeconds, stored.partsPerSecond) : null,
    }
  },
})

const explainOperation = defineOperation({
  id: 'explainRoute',
  method: 'post',
  path: '/admin/v1/routes/explain',
  tag: 'Routes',
  summary: 'Explain which route a message would take now, and why, without sending it',
  access: readAccess(),
  action: 'route explain',
  command: { examples: ['--account shop-1 --channel sms --to 01012345678'] },
  body: {
    account: clientId,
    channel: oneOf(Object.keys(channels) as ChannelName[], 'Channel of the message'),
    to: text('Recipient, such as 01012345678 or +819012345678', { minLength: 3, maxLength: 20 }),
    msgKey: Type.Optional(
      text('Key of the message; it decides among routes of equal priority', { minLength: 32, maxLength: 32 }),
    ),
  },
  data: ExplainedRoutesSchema,
  run: async ({ body }, { database }) => {
    if (!isRecipient(body.to) && !isInternationalRecipient(body.to))
      throw wrongField('to', 'must be a number such as 01012345678 or +819012345678')
    const { routes, ...explained } = await explainRoutes(database, body)
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
    'In the schema, `secret` marks options that are masked when a route is shown, and `address` options that determine the destination of the link.',
  access: readAccess(),
  action: 'connector list',
  data: record(
    {
      connectors: list(
        record(
          {
            protocol: text('Name of the protocol'),
            summary: text('What it connects to'),
            channels: list(oneOf(Object.keys(channels) as ChannelName[], 'A channel'), 'Supported channels'),
            submits: text('Unit of submission: parts, or whole messages'),
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
        submits: kind.submissionUnit,
        severalOwners: kind.severalOwners ?? false,
        options: { ...kind.options },
        example: { ...kind.example },
      })),
    }),
})

export const routeOperations = [showOperation, explainOperation, connectorsOperation]
