/** Figures of the first screen for operators: schemas of the response, and their types. */
import type { Static } from 'typebox'
import { slownessCauses } from '../../carriers/routes/slowness.ts'
import { traffics } from '../../carriers/routes/route.ts'
import { flag, list, nullable, number, oneOf, record, text, time, whole } from '../fields.ts'
import { BacklogFigures, DatabaseFigures, FailureFigures } from './cause-figures.ts'

export const Rates = record(
  {
    accepted: number('Messages accepted, per second over the last full minute'),
    submitted: number('Parts submitted by routes in the last second'),
    delivered: number('Messages reported as delivered, per second over the last full minute'),
    failed: number('Messages that failed because of their route, per second over the last full minute'),
    closed: nullable(
      number(
        'Messages closed with their reports, per second between the last two readings of the ledger; null while unknown',
      ),
    ),
  },
  'Message rates',
  { title: 'MessageRates' },
)

const live = (what: string) =>
  nullable(number(`${what}, per second over about the last ten seconds; null while unknown`))

export const FlowFigures = record(
  {
    recorded: live('Messages recorded by intake'),
    submitted: live('Parts submitted to carriers'),
    reported: live('Reports created'),
    delivered: number('Messages delivered, per second over the last one to two minutes'),
    failed: number(
      'Messages that failed because of their route, per second over the last one to two minutes',
    ),
  },
  'Current message rates',
  { title: 'MessageFlow' },
)

export const LaneFigures = record(
  {
    route: text('ID of the route'),
    usable: flag('Whether a share of it accepts messages'),
    state: text('healthy, or the problem'),
    waiting: whole('Counted steps that wait for it; for a slow route also the parts that wait in memory'),
    delivered: number('Messages delivered, per second over the last one to two minutes'),
    failed: number('Messages that failed because of it, per second over the last one to two minutes'),
    slow: nullable(oneOf(slownessCauses, 'Why messages wait although it accepts them; null if it keeps up')),
  },
  'An enabled route',
  { title: 'RouteLane' },
)

export const Ages = record(
  {
    openSeconds: number('Age of the oldest message that is not closed'),
    overdueSeconds: number('Time since the earliest passed deadline of an open step; 0 if there is none'),
    waitingSeconds: number('Age of the oldest message that waits to be released to a route'),
    parkedSeconds: number('Age of the oldest parked job; 0 if there is none'),
  },
  'Age of the oldest item in each stage, in seconds',
  { title: 'StageAges' },
)

export const Queue = record(
  {
    stage: oneOf(['accepted', 'dispatch', 'receipts', 'opt-outs', 'parked'], 'Stage that consumes it'),
    lane: nullable(oneOf(['urgent', 'normal', 'bulk'], 'Lane of accepted messages')),
    messages: nullable(whole('Ready messages; null while RabbitMQ does not respond')),
  },
  'A queue of RabbitMQ; the 32 queues of dispatch are combined',
  { title: 'BrokerQueue' },
)

export const LedgerFigures = record(
  {
    accepted: whole('Messages recorded since the installation; read every ten seconds'),
    final: whole('Closed messages'),
    inFlight: whole('Open messages'),
    gap: nullable(
      whole('Messages that were missing or duplicate at the last check; null before the first check'),
    ),
    unrecorded: nullable(whole('Messages confirmed but never recorded; null before the first check')),
    checkedAt: nullable(time('Time of the last ledger check')),
  },
  'Proof that no message was lost',
  { title: 'LedgerFigures' },
)

export const UnhealthyShare = record(
  {
    route: text('ID of the route'),
    share: text('ID of the share; that of the route unless it has several owners'),
    state: text('The problem'),
  },
  'A route, or a share of one, that accepts no messages',
  { title: 'UnhealthyShare' },
)

export const LinkFigures = record(
  {
    routes: whole('Enabled routes that are neither paused nor drained'),
    shares: whole('Shares of these routes: one per route, unless it has several owners'),
    healthy: whole('Shares that accept messages'),
    unhealthy: list(UnhealthyShare, 'The other shares, at most 50'),
    closed: whole('Routes paused or drained by an operator'),
    disabled: whole('Disabled routes'),
  },
  'Links to carriers',
  { title: 'CarrierLinks' },
)

export const RouteFigures = record(
  {
    id: text('ID of the route'),
    traffic: oneOf(traffics, 'State set by an operator'),
    usable: flag('Whether it accepts messages'),
    state: text('healthy, or the problem'),
    arrivals: number('Steps that reached it in the last second'),
    submitted: number('Parts submitted in the last second'),
    delivered: number('Messages reported as delivered, per second over the last full minute'),
    failed: number('Messages that failed because of it, per second over the last full minute'),
    queued: whole('Parts waiting in the memory of its owners'),
    waiting: whole('Counted steps that wait for it in PostgreSQL'),
    waitingSeconds: number('Wait of the oldest due step, in seconds; 0 if there is none'),
    throttledShare: number('Fraction of recent submissions throttled by the carrier, 0 to 1'),
    slow: nullable(
      oneOf(
        slownessCauses,
        'Why messages wait although it accepts them; throttled: by its carrier; limit: by its settings; answers: its carrier responds slowly; null if it keeps up',
      ),
    ),
  },
  'Traffic of a route',
  { title: 'RouteFigures' },
)

export const Readings = record(
  {
    minute: time('Minute covered by `accepted`, `delivered` and `failed`'),
    ledgerAt: time('Time at which the ledger sums were read'),
    routesAt: nullable(time('Time of the last update by a route owner; null if there was none')),
  },
  'Age of the figures',
  { title: 'FigureTimes' },
)

export const Alarm = record(
  {
    id: text('Kind of alarm'),
    severity: oneOf(['critical', 'warning'], 'critical: messages are lost or blocked'),
    text: text('The problem'),
    action: text('What to do next'),
    path: nullable(text('Path of the admin API with details')),
  },
  'A problem that requires an operator',
  { title: 'Alarm' },
)

export const Now = record(
  {
    at: time('Time at which the figures were read'),
    readings: Readings,
    rates: Rates,
    flow: FlowFigures,
    lanes: list(LaneFigures, 'Enabled routes, at most 12; those with problems or the most work first'),
    ages: Ages,
    queues: list(Queue, 'Queues of RabbitMQ'),
    waiting: record(
      {
        count: whole('Steps waiting in PostgreSQL; counted up to 50,000'),
        more: flag('Whether there are more steps'),
      },
      'The backlog in PostgreSQL',
    ),
    parked: whole('Parked jobs; counted up to 10,000'),
    ledger: LedgerFigures,
    links: LinkFigures,
    routes: list(
      RouteFigures,
      'Enabled routes, at most 100: those with problems first, then those with the most work',
    ),
    workers: record(
      {
        running: whole('Workers that renew their row'),
        silent: whole('Workers that stopped without unregistering'),
        partitionsWithoutOwner: whole('Partitions without an owner, of 32'),
      },
      'Processes that submit messages',
    ),
    webhooks: record(
      {
        enabled: whole('Enabled webhooks'),
        failing: whole('Of these, webhooks whose pushes fail'),
        failingLongest: nullable(
          record(
            {
              id: text('ID of the webhook'),
              account: text('Client ID of its account'),
              name: text('Name of its account'),
              since: time('Time since which its pushes fail'),
            },
            'The webhook that has failed for the longest time',
          ),
        ),
        disabledByFailure: whole('Webhooks disabled by the gateway'),
      },
      'Pushes to clients',
    ),
    database: DatabaseFigures,
    backlog: BacklogFigures,
    failures: FailureFigures,
    alarms: list(Alarm, 'Alarms, worst first'),
  },
  'Traffic status',
  { title: 'Now' },
)

export type Now = Static<typeof Now>
export type Alarm = Static<typeof Alarm>
export type Queue = Static<typeof Queue>
export type FlowFigures = Static<typeof FlowFigures>
export type LaneFigures = Static<typeof LaneFigures>
export type LinkFigures = Static<typeof LinkFigures>
export type RouteFigures = Static<typeof RouteFigures>
export type LedgerFigures = Static<typeof LedgerFigures>
export type NowFigures = Omit<Now, 'alarms'>
