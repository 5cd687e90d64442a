import { Type } from 'typebox'
import type { AuditRecorder } from '../audit-recorder.ts'
import { previewAction, routeActions } from './preview.ts'
import { effects } from './effects.ts'
import { closeRoute, disableRoute, enableRoute, setRate } from './changes.ts'
import { lanes } from '../../channels/lane.ts'
import type { Database } from '../../platform/database/database.ts'
import { flag, list, nullable, number, oneOf, record, text, whole } from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'
import { wrongField } from '../errors.ts'
import { routeId } from './fields.ts'

const partsPerSecond = whole('Parts per second; 0 means no limit but that of the carrier', {
  minimum: 0,
  maximum: 1_000_000,
})

const changed = record(
  {
    id: routeId,
    enabled: flag('Whether it is enabled'),
    waiting: whole('Steps that wait for it in PostgreSQL'),
    effect: text('Effect on these steps'),
  },
  'The change',
  { title: 'RouteChange' },
)

/**
 * Defines the operation that applies `act` to a route and returns whether it is enabled and what waits for
 * it.
 */
const trafficOperation = <const Verb extends 'disable' | 'pause' | 'drain'>(
  verb: Verb,
  summary: string,
  act: (database: Database, audit: AuditRecorder, id: string) => Promise<{ readonly waiting: number }>,
) =>
  defineOperation({
    id: `${verb}Route` as const,
    method: 'post',
    path: `/admin/v1/routes/{routeId}/${verb}`,
    tag: 'Routes',
    summary: `${summary}; running workers follow within two seconds`,
    description: effects[verb],
    access: writeAccess('routes'),
    action: `route ${verb}`,
    command: { examples: ['skt-1'] },
    params: { routeId },
    data: changed,
    run: async ({ params: { routeId: id } }, { database, audit }) => {
      const { waiting } = await act(database, audit, id)
      return { id, enabled: verb !== 'disable', waiting, effect: effects[verb] }
    },
  })

const enableOperation = defineOperation({
  id: 'enableRoute',
  method: 'post',
  path: '/admin/v1/routes/{routeId}/enable',
  tag: 'Routes',
  summary: 'Enable a route, or reopen a paused or drained one; running workers follow within two seconds',
  description: effects.enable,
  access: writeAccess('routes'),
  action: 'route enable',
  command: { examples: ['skt-1', 'skt-1 --reviewed 1795104000000000'] },
  params: { routeId },
  body: {
    reviewed: Type.Optional(
      text(
        'The `version` of the route that you have reviewed. Required if another operator saved the route and must not enable it',
        { maxLength: 40 },
      ),
    ),
  },
  data: changed,
  run: async ({ params: { routeId: id }, body: { reviewed } }, { database, audit }) => {
    const { waiting } = await enableRoute(database, audit, id, reviewed)
    return { id, enabled: true, waiting, effect: effects.enable }
  },
})

const rateOperation = defineOperation({
  id: 'setRouteRate',
  method: 'post',
  path: '/admin/v1/routes/{routeId}/rate',
  tag: 'Routes',
  summary: 'Set the rate of a route; its owner follows within two seconds, over the same link',
  access: writeAccess('routes'),
  action: 'route rate',
  command: { arguments: ['routeId', 'partsPerSecond'], examples: ['skt-1 50'] },
  params: { routeId },
  body: { partsPerSecond },
  data: record(
    { id: routeId, partsPerSecond: number('The new rate'), before: number('The previous rate') },
    'The change',
  ),
  run: async ({ params: { routeId: id }, body }, { audit }) => {
    const { before } = await setRate(audit, id, body.partsPerSecond)
    return { id, partsPerSecond: body.partsPerSecond, before }
  },
})

const Counted = record(
  {
    steps: whole('Steps that wait for it in PostgreSQL; counted up to 50,000'),
    more: flag('Whether there are more steps'),
    lanes: list(
      record(
        { lane: oneOf(lanes, 'The lane'), steps: whole('Steps that wait'), parts: whole('Their parts') },
        'A lane',
      ),
      'By lane',
    ),
    accounts: list(
      record({ account: text('Client ID'), steps: whole('Steps that wait') }, 'An account'),
      'The 20 accounts with the most waiting steps',
    ),
  },
  'Waiting steps',
  { title: 'WaitingSteps' },
)

const previewOperation = defineOperation({
  id: 'previewRouteAct',
  method: 'post',
  path: '/admin/v1/routes/{routeId}/preview',
  tag: 'Routes',
  summary: 'Preview the effect of an action on a route on its waiting messages, without changing anything',
  description:
    'Places up to 1,000 waiting steps of all lanes and accounts as workers would after the action, by the current routes and their health. Trust rules are not applied.',
  access: readAccess(),
  action: 'route preview',
  command: { arguments: ['routeId', 'act'], examples: ['skt-1 drain', 'skt-1 delete'] },
  params: { routeId },
  body: { act: oneOf(routeActions, 'The action'), partsPerSecond: Type.Optional(partsPerSecond) },
  data: record(
    {
      act: oneOf(routeActions, 'The action'),
      effect: text('Description of the effect'),
      waiting: Counted,
      looked: whole('Waiting steps whose next route was computed'),
      destinations: list(
        record(
          {
            route: nullable(text('The route that they use or wait for; null if there is none')),
            becomes: oneOf(
              ['moved', 'waits', 'sent', 'fails'],
              'moved: to another route; waits: until the route is enabled or the deadline passes',
            ),
            steps: whole('Number of sampled steps'),
          },
          'A destination of steps',
        ),
        'Destinations, largest number of steps first',
      ),
      receiptsOwed: record(
        {
          count: whole('Submissions of open messages without a receipt'),
          more: flag('Whether there are more open messages than the 20,000 that were read'),
        },
        'Outstanding receipts of its carrier',
      ),
      alternatives: list(
        record(
          {
            id: text('ID of the route'),
            channels: list(text('A channel'), 'Channels that it serves'),
            state: text('healthy, or the problem'),
          },
          'A route',
        ),
        'Other routes, enabled and not draining, that serve one of its channels, in order of preference; at most 20',
      ),
      unservedChannels: list(text('A channel'), 'Its channels that no other route serves'),
      drainSeconds: nullable(
        number(
          'Time to drain the backlog at the resulting rate, in seconds; null without a rate limit, and for actions other than enable and rate',
        ),
      ),
    },
    'The effect of the action',
    { title: 'RouteChangePreview' },
  ),
  run: async ({ params, body: { act, ...rate } }, { database }) => {
    if ((act === 'rate') !== (rate.partsPerSecond !== undefined))
      throw wrongField('partsPerSecond', 'is required with the action rate, and only allowed with it')
    const preview = await previewAction(database, { routeId: params.routeId, act, ...rate })
    return { act, effect: effects[act], ...preview }
  },
})

export const routeStateOperations = [
  previewOperation,
  enableOperation,
  trafficOperation('pause', 'Pause a route', (...at) => closeRoute(...at, 'paused')),
  trafficOperation('drain', 'Drain a route', (...at) => closeRoute(...at, 'draining')),
  trafficOperation('disable', 'Disable a route', disableRoute),
  rateOperation,
]
