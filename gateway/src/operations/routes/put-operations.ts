import { Type } from 'typebox'
import { checkRoute, removeRoute, saveRoute, type RoutePut } from './put.ts'
import { effects } from './effects.ts'
import { unmaskOptions } from './unmask-options.ts'
import { mask } from '../../carriers/connectors/options/secrets.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import { mobileCarrierNames } from '../../channels/mobile-carriers.ts'
import { maxOwners } from '../../jobs/route-share.ts'
import { isPrefix } from '../../carriers/routes/numbering.ts'
import { readRouteVersion } from '../../carriers/routes/queries.ts'
import { flag, nullable, oneOf, record, text, whole } from '../fields.ts'
import { writeAccess, defineOperation } from '../operation.ts'
import { wrongField } from '../errors.ts'

const routeId = text('ID of the route', { pattern: '^[a-z0-9][a-z0-9-]{0,31}$' })
const version = text('Current version of the route; send it as `If-Match` to replace or delete it')

const body = {
  channels: Type.Array(oneOf(Object.keys(channels) as ChannelName[], 'A channel'), {
    minItems: 1,
    maxItems: 20,
    description: 'Channels that it serves',
  }),
  protocol: text('Kind of its connector', { minLength: 1, maxLength: 40 }),
  options: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
    description: `Options of the connector; ${mask} keeps the stored secret if the protocol and the address options are unchanged`,
  }),
  enabled: Type.Boolean({ default: true, description: 'Whether it is enabled' }),
  priority: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 100, description: 'Lower is preferred' }),
  partsPerSecond: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'Rate; 0 means no limit but that of the carrier',
  }),
  owners: Type.Integer({
    minimum: 1,
    maximum: maxOwners,
    default: 1,
    description: 'Processes that submit over it at the same time',
  }),
  accounts: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 1_000,
    default: [],
    description: 'Client IDs of the accounts that it serves; empty means all',
  }),
  prefixes: Type.Array(Type.String({ minLength: 1, maxLength: 20 }), {
    maxItems: 1_000,
    default: [],
    description: 'Prefixes of numbers that it serves; empty means all',
  }),
  carriers: Type.Array(oneOf(Object.keys(mobileCarrierNames), 'A carrier'), {
    maxItems: 20,
    default: [],
    description: "Recipients' carriers that it serves; empty means all",
  }),
  weight: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 1,
    description: 'How many messages it gets in relation to routes of the same priority',
  }),
  minDeliveryRate: Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1 }), Type.Null()], {
    default: null,
    description: 'Below this fraction of delivered messages another route is preferred; null means never',
  }),
  failoverAfterSeconds: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    default: 3,
    description: 'How long messages wait for it before they use another route',
  }),
  unknownPolicy: Type.Unsafe<'fail' | 'resend'>(
    Type.String({
      enum: ['fail', 'resend'],
      default: 'fail',
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
    summary: 'Create or replace a route; omitted fields are reset to their defaults',
    description:
      'Replacing an existing route requires `If-Match` with the `version` that was read, so that concurrent edits do not overwrite each other. Workers follow within two seconds; the link is reopened only if the connector, its options or the owners change.',
    access: writeAccess('routes'),
    action: 'route put',
    replaces: true,
    params: { routeId },
    body,
    data: record({ id: routeId, version: nullable(version) }, 'The route'),
    run: async ({ params: { routeId: id }, body: given }, { database, audit, services, ifMatch }) => {
      const { encryption } = services
      const invalidPrefix = given.prefixes.find((prefix) => !isPrefix(prefix))
      if (invalidPrefix !== undefined)
        throw wrongField(
          'prefixes',
          `must be prefixes such as 010, or + and a country code, not '${invalidPrefix}'`,
        )
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
    summary: 'Delete a route',
    description: `${effects.delete} Preview the deletion first, or drain the route and delete it once nothing waits.`,
    access: writeAccess('routes', 'required'),
    action: 'route delete',
    command: { examples: ['skt-1 --reason "contract ended"'] },
    replaces: true,
    params: { routeId },
    data: record(
      {
        id: routeId,
        waiting: whole('Steps that were waiting for it'),
        deleted: flag('Always true'),
        effect: text('Effect on these steps'),
      },
      'The deletion',
    ),
    run: async ({ params: { routeId: id } }, { database, audit, services, ifMatch }) => {
      const { waiting } = await removeRoute(database, audit, services.encryption, id, ifMatch)
      return { id, waiting, deleted: true, effect: effects.delete }
    },
  }),
]
