/** Routes as a whole: put and delete. */
import { Type } from 'typebox'
import { checkRoute, removeRoute, saveRoute, type RoutePut } from '../../acts/put-route.ts'
import { effects } from '../../acts/route-effects.ts'
import { unmaskOptions } from '../../acts/unmask-options.ts'
import { mask } from '../../connectors/secrets.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import { carrierNames } from '../../channels/mobile-carriers.ts'
import { maxOwners } from '../../jobs/route-share.ts'
import { isPrefix } from '../../routes/numbering.ts'
import { readRouteVersion } from '../../routes/queries.ts'
import { flag, nullable, oneOf, record, text, whole } from '../fields.ts'
import { changes, defineOperation } from '../operation.ts'
import { wrongField } from '../../acts/errors.ts'

const routeId = text('Id of the route', { pattern: '^[a-z0-9][a-z0-9-]{0,31}$' })
const version = text('Of the route now; send it as `If-Match` to replace or delete it')

const body = {
  channels: Type.Array(oneOf(Object.keys(channels) as ChannelName[], 'A channel'), {
    ...{ minItems: 1, maxItems: 20, description: 'Channels that it serves' },
  }),
  protocol: text('Kind of its connector', { minLength: 1, maxLength: 40 }),
  options: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
    description: `The link, as the connector describes it; ${mask} keeps the secret that is stored, while the protocol and the options that say where the link goes stay`,
  }),
  enabled: Type.Boolean({ default: true, description: 'Whether it is used' }),
  priority: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 100, description: 'Lower is preferred' }),
  partsPerSecond: Type.Integer({
    ...{ minimum: 0, maximum: 1_000_000, default: 0 },
    description: 'Its rate; 0: as fast as the carrier allows',
  }),
  owners: Type.Integer({
    ...{ minimum: 1, maximum: maxOwners, default: 1 },
    description: 'Processes that submit over it at the same time',
  }),
  accounts: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    ...{ maxItems: 1_000, default: [], description: 'Client ids of the accounts that it serves; empty: all' },
  }),
  prefixes: Type.Array(Type.String({ minLength: 1, maxLength: 20 }), {
    ...{ maxItems: 1_000, default: [], description: 'Prefixes of numbers that it serves; empty: all' },
  }),
  carriers: Type.Array(oneOf(Object.keys(carrierNames), 'A carrier'), {
    ...{ maxItems: 20, default: [], description: "Recipients' carriers that it serves; empty: all" },
  }),
  weight: Type.Integer({
    ...{ minimum: 1, maximum: 1_000, default: 1 },
    description: 'Its share among routes of the same priority',
  }),
  minDeliveryRate: Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1 }), Type.Null()], {
    default: null,
    description: 'Below this share of delivered messages another route is preferred; null: never',
  }),
  failoverAfterSeconds: Type.Integer({
    ...{ minimum: 0, maximum: 86_400, default: 3 },
    description: 'How long its messages wait for it before they take another route',
  }),
  unknownPolicy: Type.Unsafe<'fail' | 'resend'>(
    Type.String({
      ...{ enum: ['fail', 'resend'], default: 'fail' },
      description: 'What happens at the deadline to a step that may have been submitted',
    }),
  ),
}

export const putRouteOperations = [
  defineOperation({
    id: 'putRoute',
    method: 'put',
    path: '/admin/v1/routes/{routeId}',
    tag: 'Routes',
    summary: 'Create or replace a route; what is left out has its default again',
    description:
      'A route that exists is replaced only with `If-Match`, the `version` that was read: two people who edit it at the same time do not undo each other. Workers follow within two seconds; the link is opened again only when the connector, its options or the owners change.',
    access: changes('routes'),
    action: 'route put',
    replaces: true,
    params: { routeId },
    body,
    data: record({ id: routeId, version: nullable(version) }, 'The route'),
    run: async ({ params: { routeId: id }, body: given }, { database, audit, services, ifMatch }) => {
      const { encryption } = services
      const wrong = given.prefixes.find((prefix) => !isPrefix(prefix))
      if (wrong !== undefined)
        throw wrongField('prefixes', `must be prefixes such as 010, or + and a country code, not '${wrong}'`)
      const options = await unmaskOptions(database, encryption, { ...given, id })
      const route: RoutePut = { ...given, id, options }
      checkRoute(route)
      await saveRoute(audit, encryption, route, ifMatch ?? null)
      return { id, version: await readRouteVersion(database, id) }
    },
  }),
  defineOperation({
    id: 'deleteRoute',
    method: 'delete',
    path: '/admin/v1/routes/{routeId}',
    tag: 'Routes',
    summary: 'Delete a route and its queues',
    description: `${effects.delete} Preview it first, or drain it and delete it when nothing waits.`,
    access: changes('routes', 'required'),
    action: 'route delete',
    command: { examples: ['skt-1 --reason "contract ended"'] },
    replaces: true,
    params: { routeId },
    data: record(
      {
        id: routeId,
        waiting: whole('Steps that waited for it'),
        deleted: flag('true'),
        effect: text('What happens to them'),
      },
      'The deletion',
    ),
    run: async ({ params: { routeId: id } }, { database, audit, services, ifMatch }) => {
      const { waiting } = await removeRoute(database, audit, services.encryption, id, ifMatch)
      return { id, waiting, deleted: true, effect: effects.delete }
    },
  }),
]
