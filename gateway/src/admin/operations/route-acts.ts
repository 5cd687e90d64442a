/** What operators do to routes, and what it would do to the messages that wait: preview, enable, pause, drain, disable, set the rate. */
import { Type } from 'typebox'
import type { ActAudit } from '../../acts/act-audit.ts'
import { previewAct, routeActs } from '../../acts/route-preview.ts'
import { effects } from '../../acts/route-effects.ts'
import { closeRoute, setEnabled, setRate } from '../../acts/routes.ts'
import { lanes } from '../../channels/lane.ts'
import type { Database } from '../../platform/database.ts'
import { flag, list, nullable, number, oneOf, record, text, whole } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'
import { wrongField } from '../../acts/errors.ts'
import { routeId } from './route-fields.ts'

const partsPerSecond = whole('Parts per second; 0: as fast as the carrier allows', {
  minimum: 0,
  maximum: 1_000_000,
})

const changed = record(
  {
    id: routeId,
    enabled: flag('Whether it is enabled'),
    waiting: whole('Steps that wait for it, besides those in its queue'),
    effect: text('What happens to them'),
  },
  'The change',
  { title: 'RouteChange' },
)

/** `act` is done to the route; the answer says whether it is enabled now, and what waits for it. */
const trafficOperation = <const Verb extends 'enable' | 'disable' | 'pause' | 'drain'>(
  verb: Verb,
  summary: string,
  act: (database: Database, audit: ActAudit, id: string) => Promise<{ readonly waiting: number }>,
) =>
  defineOperation({
    id: `${verb}Route` as const,
    method: 'post',
    path: `/admin/v1/routes/{routeId}/${verb}`,
    tag: 'Routes',
    summary: `${summary}; running workers follow within two seconds`,
    description: effects[verb],
    access: changes('routes'),
    action: `route ${verb}`,
    command: { examples: ['skt-1'] },
    params: { routeId },
    data: changed,
    run: async ({ params: { routeId: id } }, { database, audit }) => {
      const { waiting } = await act(database, audit, id)
      return { id, enabled: verb !== 'disable', waiting, effect: effects[verb] }
    },
  })

const rateOperation = defineOperation({
  id: 'setRouteRate',
  method: 'post',
  path: '/admin/v1/routes/{routeId}/rate',
  tag: 'Routes',
  summary: 'Set the rate of a route; its owner follows within two seconds, over the same link',
  access: changes('routes'),
  action: 'route rate',
  command: { arguments: ['routeId', 'partsPerSecond'], examples: ['skt-1 50'] },
  params: { routeId },
  body: { partsPerSecond },
  data: record(
    { id: routeId, partsPerSecond: number('The rate from now on'), before: number('The rate before') },
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
    more: flag('Whether there are more'),
    lanes: list(
      record(
        {
          lane: oneOf(lanes, 'The lane'),
          steps: whole('Steps that wait'),
          parts: whole('Their parts'),
        },
        'A lane',
      ),
      'By lane',
    ),
    accounts: list(
      record({ account: text('Client id'), steps: whole('Steps that wait') }, 'An account'),
      'The 20 accounts with the most',
    ),
  },
  'What waits',
  { title: 'WaitingSteps' },
)

const previewOperation = defineOperation({
  id: 'previewRouteAct',
  method: 'post',
  path: '/admin/v1/routes/{routeId}/preview',
  tag: 'Routes',
  summary: 'Show what an act on a route would do to the messages that wait for it; changes nothing',
  description:
    'Up to 1,000 waiting steps of all lanes and accounts are placed as workers would place them after the act, by the routes and their health now. Rules of trust are not asked.',
  access: reads(),
  action: 'route preview',
  command: { arguments: ['routeId', 'act'], examples: ['skt-1 drain', 'skt-1 delete'] },
  params: { routeId },
  body: {
    act: oneOf(routeActs, 'The act'),
    partsPerSecond: Type.Optional(partsPerSecond),
  },
  data: record(
    {
      act: oneOf(routeActs, 'The act'),
      effect: text('What it does, in words'),
      waiting: Counted,
      looked: whole('Waiting steps whose next route was computed'),
      destinations: list(
        record(
          {
            route: nullable(text('The route that they go to, or wait for; null: none')),
            becomes: oneOf(
              ['moved', 'waits', 'sent', 'fails'],
              'moved: to another route; waits: until the route is enabled or their deadline passes',
            ),
            steps: whole('How many of those that were looked at'),
          },
          'Where steps go',
        ),
        'Where they would go, the most first',
      ),
      receiptsOwed: record(
        {
          count: whole('Submissions of open messages without a receipt'),
          more: flag('Whether there are more open messages than the 20,000 that were looked at'),
        },
        'Receipts that its carrier still owes',
      ),
      alternatives: list(
        record(
          {
            id: text('Id of the route'),
            channels: list(text('A channel'), 'Channels that it serves'),
            state: text('healthy, or what is wrong with it'),
          },
          'A route',
        ),
        'Other routes that take messages of its channels, in order of preference; at most 20',
      ),
      unservedChannels: list(text('A channel'), 'Its channels that no other route serves'),
      drainSeconds: nullable(
        number('How long the backlog takes at the rate that follows; null: not bounded by a rate'),
      ),
    },
    'What would happen',
    { title: 'RouteChangePreview' },
  ),
  run: async ({ params, body: { act, ...rate } }, { database }) => {
    if ((act === 'rate') !== (rate.partsPerSecond !== undefined))
      throw wrongField('partsPerSecond', 'belongs to the act rate, and must be given with it')
    const preview = await previewAct(database, { routeId: params.routeId, act, ...rate })
    return { act, effect: effects[act], ...preview }
  },
})

export const routeActOperations = [
  previewOperation,
  trafficOperation('enable', 'Enable a route, or open one that is paused or drained', (...at) =>
    setEnabled(...at, true),
  ),
  trafficOperation('pause', 'Pause a route', (...at) => closeRoute(...at, 'paused')),
  trafficOperation('drain', 'Drain a route', (...at) => closeRoute(...at, 'draining')),
  trafficOperation('disable', 'Disable a route', (...at) => setEnabled(...at, false)),
  rateOperation,
]
