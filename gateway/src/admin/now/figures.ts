/** What the first screen of an operator shows. Schemas of the answer, which are also the types of the code that reads and judges. */
import type { Static } from 'typebox'
import { slownesses } from '../../routes/judge-slowness.ts'
import { traffics } from '../../routes/route.ts'
import { flag, list, nullable, number, oneOf, record, text, time, whole } from '../fields.ts'
import { Backlog, DatabaseFigures, FailureFigures } from './cause-figures.ts'

export const Rates = record(
  {
    accepted: number('Messages that were accepted, per second over the last full minute'),
    submitted: number('Parts that routes submitted in the last second'),
    delivered: number('Messages that carriers reported as delivered, per second over the last full minute'),
    failed: number('Messages that failed because of their route, per second over the last full minute'),
    closed: nullable(
      number(
        'Messages that ended with their reports, per second between the last two readings of the ledger; null while unknown',
      ),
    ),
  },
  'How fast messages flow',
  { title: 'MessageRates' },
)

const live = (what: string) =>
  nullable(number(`${what}, per second over about the last ten seconds; null while unknown`))

export const Flow = record(
  {
    recorded: live('Messages that intake recorded'),
    submitted: live('Parts of messages that were submitted to carriers'),
    reported: live('Reports that were made'),
    delivered: number('Messages that were delivered, per second over the last one to two minutes'),
    failed: number(
      'Messages that failed because of their route, per second over the last one to two minutes',
    ),
  },
  'How fast messages flow now',
  { title: 'MessageFlow' },
)

export const Lane = record(
  {
    route: text('Id of the route'),
    usable: flag('Whether a share of it takes messages'),
    state: text('healthy, or what is wrong with it'),
    waiting: whole(
      'Steps that wait for it, of those that were counted; of a route that is slow also the parts that wait in memory',
    ),
    delivered: number('Messages that were delivered, per second over the last one to two minutes'),
    failed: number('Messages that failed because of it, per second over the last one to two minutes'),
    slow: nullable(oneOf(slownesses, 'Why messages wait although it takes them; null: it keeps up')),
  },
  'A route that is enabled',
  { title: 'RouteLane' },
)

export const Ages = record(
  {
    openSeconds: number('Age of the oldest message that has not ended'),
    overdueSeconds: number('How long the deadline of a step has passed without an end; 0 when none has'),
    waitingSeconds: number('Age of the oldest message that waits to be released to a route'),
    parkedSeconds: number('Age of the oldest parked job; 0 without one'),
  },
  'The age of the oldest in each stage',
  { title: 'StageAges' },
)

export const Queue = record(
  {
    stage: oneOf(['accepted', 'dispatch', 'receipts', 'opt-outs', 'parked'], 'The stage that it leads to'),
    lane: nullable(oneOf(['urgent', 'normal', 'bulk'], 'Of accepted messages: their lane')),
    messages: nullable(whole('Messages that are ready; null while RabbitMQ does not answer')),
  },
  'A queue of RabbitMQ; the 32 queues of dispatch are added up',
  { title: 'BrokerQueue' },
)

export const LedgerFigures = record(
  {
    accepted: whole('Messages that were recorded, since the installation began; read every ten seconds'),
    final: whole('Those of them that have ended'),
    inFlight: whole('The others'),
    gap: nullable(whole('Messages that the last check missed or found twice; null before the first check')),
    atGate: nullable(whole('Messages that were confirmed and never recorded; null before the first check')),
    checkedAt: nullable(time('When a worker last compared the counts with the messages')),
  },
  'Proof that no message was lost',
  { title: 'LedgerFigures' },
)

export const UnhealthyShare = record(
  {
    route: text('Id of the route'),
    share: text('Id of the share: that of the route, unless it has several owners'),
    state: text('What is wrong with it'),
  },
  'A route, or a share of one, that takes no messages',
  { title: 'UnhealthyShare' },
)

export const Links = record(
  {
    routes: whole('Routes that are enabled'),
    shares: whole('Their shares: one for each route, unless it has several owners'),
    healthy: whole('Shares that take messages'),
    unhealthy: list(UnhealthyShare, 'The others, at most 50'),
    closed: whole('Routes that an operator has paused or drains'),
    disabled: whole('Routes that are disabled'),
  },
  'Links to carriers',
  { title: 'CarrierLinks' },
)

export const RouteFigures = record(
  {
    id: text('Id of the route'),
    traffic: oneOf(traffics, 'What an operator lets it do'),
    usable: flag('Whether it takes messages'),
    state: text('healthy, or what is wrong with it'),
    arrivals: number('Steps that reached it in the last second'),
    submitted: number('Parts that it submitted in the last second'),
    delivered: number('Messages reported as delivered, per second over the last full minute'),
    failed: number('Messages that failed because of it, per second over the last full minute'),
    queued: whole('Parts that wait in the memory of its owners'),
    waiting: whole('Steps that wait for it in PostgreSQL, of those that were counted'),
    waitingSeconds: number(
      'How long the oldest of them has waited that could be submitted now; 0 without one',
    ),
    throttledShare: number('Share of recent submissions that the carrier throttled, 0 to 1'),
    slow: nullable(
      oneOf(
        slownesses,
        'Why messages wait although it takes them; throttled: by its carrier; limit: by its settings; answers: its carrier answers slowly. null: it keeps up',
      ),
    ),
  },
  'What flows over a route',
  { title: 'RouteFigures' },
)

export const Readings = record(
  {
    minute: time('The minute that `accepted`, `delivered` and `failed` count'),
    ledgerAt: time('When the sums of the ledger were read'),
    routesAt: nullable(time('When an owner of a route was last heard of; null: never')),
  },
  'How old the figures are',
  { title: 'FigureTimes' },
)

export const Alarm = record(
  {
    id: text('What kind of alarm it is'),
    severity: oneOf(['critical', 'warning'], 'critical: messages are lost or stand still'),
    text: text('What is wrong'),
    action: text('What to do next'),
    path: nullable(text('Path of the admin API that shows more')),
  },
  'Something that needs a person',
  { title: 'Alarm' },
)

export const Now = record(
  {
    at: time('When the figures were read'),
    readings: Readings,
    rates: Rates,
    flow: Flow,
    lanes: list(Lane, 'Routes that are enabled, at most 12: those with the most work or trouble first'),
    ages: Ages,
    queues: list(Queue, 'What waits in RabbitMQ'),
    waiting: record(
      {
        count: whole('Steps that wait in PostgreSQL; counted up to 50,000'),
        more: flag('Whether there are more'),
      },
      'The backlog in PostgreSQL',
    ),
    parked: whole('Parked jobs; counted up to 10,000'),
    ledger: LedgerFigures,
    links: Links,
    routes: list(
      RouteFigures,
      'Enabled routes: first those with trouble, then those with the most to do; at most 100',
    ),
    workers: record(
      {
        running: whole('Workers that renew their row'),
        silent: whole('Workers that stopped without leaving'),
        partitionsWithoutOwner: whole('Of the 32 partitions of routes'),
      },
      'Processes that submit messages',
    ),
    webhooks: record(
      {
        enabled: whole('Webhooks that are enabled'),
        failing: whole('Those of them whose pushes fail'),
        failingLongest: nullable(
          record(
            {
              id: text('Id of the webhook'),
              account: text('Client id of its account'),
              name: text('Name of its account'),
              since: time('Since when its pushes fail'),
            },
            'The one whose pushes have failed for the longest time',
          ),
        ),
        disabledByFailure: whole('Webhooks that the gateway has disabled'),
      },
      'Pushes to clients',
    ),
    database: DatabaseFigures,
    backlog: Backlog,
    failures: FailureFigures,
    alarms: list(Alarm, 'What is wrong, the worst first'),
  },
  'Whether traffic flows',
  { title: 'Now' },
)

export type Now = Static<typeof Now>
export type Alarm = Static<typeof Alarm>
export type Queue = Static<typeof Queue>
export type Flow = Static<typeof Flow>
export type Lane = Static<typeof Lane>
export type Links = Static<typeof Links>
export type RouteFigures = Static<typeof RouteFigures>
export type LedgerFigures = Static<typeof LedgerFigures>
export type Figures = Omit<Now, 'alarms'>
