import type { Dashboard, Panel } from './panel.ts'
import { inHour, largest, latency, rate, total } from './queries.ts'

/** Values that are 0 while nothing is wrong. */
const numbers: readonly Panel[] = [
  {
    title: 'Does the ledger balance?',
    description: 'Accepted minus final minus in flight. Any other value than 0: PosternLedgerGap.',
    queries: [{ expr: largest('postern_ledger_gap'), legend: 'gap' }],
    kind: 'stat',
    unit: 'short',
    thresholds: { bad: 1 },
  },
  {
    title: 'Was anything lost before it was recorded?',
    description:
      'Confirmed by the broker and never recorded. Any other value than 0: PosternLedgerUnrecorded.',
    queries: [{ expr: largest('postern_ledger_unrecorded_messages'), legend: 'unrecorded' }],
    kind: 'stat',
    unit: 'short',
    thresholds: { bad: 1 },
  },
  {
    title: 'What waits for a person?',
    description: 'Parked jobs: PosternParked.',
    queries: [{ expr: largest('postern_parked_jobs'), legend: 'parked' }],
    kind: 'stat',
    unit: 'short',
    thresholds: { warn: 1, bad: 100 },
  },
  {
    title: 'Is a step overdue?',
    description: 'Seconds since the deadline of the most overdue step. Above 30: PosternMessagesOverdue.',
    queries: [{ expr: largest('postern_step_overdue_max_seconds'), legend: 'overdue' }],
    kind: 'stat',
    unit: 's',
    thresholds: { warn: 10, bad: 30 },
  },
  {
    title: 'How many routes have no link?',
    description: 'Routes or shares of routes whose link to the carrier is down: PosternRouteNotLinked.',
    queries: [
      {
        expr: `count(${largest('postern_route_linked', 'cell, route, share')} == 0) or vector(0)`,
        legend: 'without a link',
      },
    ],
    kind: 'stat',
    unit: 'short',
    thresholds: { bad: 1 },
  },
  {
    title: 'Do all routes have an owner?',
    description: 'Partitions that no worker owns, of 32 in each cell: PosternRoutesWithoutOwner.',
    queries: [{ expr: `sum(32 - ${total('postern_partitions_owned', 'cell')})`, legend: 'without an owner' }],
    kind: 'stat',
    unit: 'short',
    thresholds: { bad: 1 },
  },
]

export const flowDashboard: Dashboard = {
  uid: 'postern-flow',
  title: 'Postern: flow',
  description:
    'Does traffic flow, and where is the backlog? Each red value has an entry in docs/operations/runbooks.md.',
  panels: [
    ...numbers,
    {
      title: 'Does traffic flow?',
      description:
        'The curves lie on each other while it flows. Accepted above recorded: workers or PostgreSQL are slow. Recorded above submitted: a carrier is, or messages are scheduled. Submitted above closed: receipts are missing.',
      queries: [
        { expr: rate('postern_messages_accepted_total'), legend: 'accepted' },
        { expr: rate('postern_messages_recorded_total'), legend: 'recorded' },
        { expr: rate('postern_submit_outcomes_total', '', 'outcome="accepted"'), legend: 'parts submitted' },
        { expr: rate('postern_messages_closed_total'), legend: 'closed' },
      ],
      unit: 'msg/s',
    },
    {
      title: 'Where is the backlog?',
      description:
        'How long messages wait until they are recorded, by lane: half a second at full load is normal, above 10 s is PosternIntakeQueueOld. Receipts: the oldest one that is not settled; deadlines wait as long. Past the deadline: steps that are not being ended.',
      queries: [
        { expr: largest('postern_intake_queue_age_seconds', 'lane'), legend: 'intake queue, {{lane}}' },
        { expr: largest('postern_receipt_age_seconds'), legend: 'receipts' },
        { expr: largest('postern_step_overdue_max_seconds'), legend: 'past the deadline' },
      ],
      unit: 's',
    },
    {
      title: 'How do messages end?',
      description:
        'By report code; see docs/reference/codes.md. The routes dashboard shows which route a code comes from.',
      queries: [{ expr: rate('postern_messages_closed_total', 'code'), legend: '{{code}}' }],
      unit: 'msg/s',
      stacked: true,
    },
    {
      title: 'How long do accept and submit take?',
      description:
        'Accept: until the broker has confirmed. Submit: until the carrier has responded. A point is the trace of one message if tracing is on.',
      queries: [
        ...latency('postern_accept_duration_seconds', 'accept'),
        ...latency('postern_submit_duration_seconds', 'submit'),
      ],
      unit: 's',
      exemplars: true,
    },
    {
      title: 'Are sends refused?',
      description:
        'share: accounts above their share (429, PosternSendsRefused). reserve: the intake queue is full or was not recorded for too long (503, PosternReserveUsedUp).',
      queries: [
        { expr: rate('postern_sends_refused_total', 'reason, lane'), legend: '{{reason}}, {{lane}}' },
      ],
      unit: 'msg/s',
      stacked: true,
    },
    {
      title: 'What do clients get?',
      description:
        'Responses of the API by HTTP status. 503: the broker or PostgreSQL is unavailable, or the gateway is overloaded.',
      queries: [{ expr: rate('postern_http_responses_total', 'status'), legend: '{{status}}' }],
      unit: 'msg/s',
      stacked: true,
    },
    {
      title: 'How much waits before it is recorded?',
      description: 'Messages in the intake queue, by lane.',
      queries: [{ expr: largest('postern_intake_queue_depth', 'lane'), legend: '{{lane}}' }],
      unit: 'short',
      stacked: true,
    },
    {
      title: 'How old is the oldest open message?',
      description:
        'A step expires at its deadline, after a day by default. Above 25 hours: PosternOldestMessage.',
      queries: [{ expr: largest('postern_oldest_open_message_age_seconds'), legend: 'oldest' }],
      unit: 's',
    },
    {
      title: 'What do receipts do?',
      description:
        'orphaned: they match no message, which should be rare. late: their step had ended. repeated: the carrier sent them twice.',
      queries: [{ expr: rate('postern_receipts_total', 'result'), legend: '{{result}}' }],
      unit: 'msg/s',
      stacked: true,
    },
    {
      title: 'Was anything parked or delivered twice?',
      description: 'In an hour. PosternParked, PosternDoubleDeliveries.',
      queries: [
        { expr: inHour('postern_jobs_parked_total', 'stage'), legend: 'parked, {{stage}}' },
        { expr: inHour('postern_double_deliveries_total'), legend: 'delivered twice' },
      ],
      unit: 'short',
    },
  ],
}
