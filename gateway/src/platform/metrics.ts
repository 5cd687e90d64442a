/**
 * Prometheus metrics, one registry per process. Names follow the Prometheus conventions: base unit as suffix,
 * `_total` on counters. `deploy/alerts.yml` and `docs/operations` refer to them. The format is OpenMetrics,
 * which supports exemplars: traced messages in the buckets of latency histograms.
 */
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type LabelValues,
  type OpenMetricsContentType,
} from 'prom-client'
import { TopLabels } from './top-labels.ts'

type Register = Registry<OpenMetricsContentType>

/** A histogram whose observations can carry the trace of a message as an exemplar. */
export interface LatencyHistogram<Label extends string> {
  observe(observation: {
    readonly value: number
    readonly labels?: LabelValues<Label>
    readonly exemplarLabels?: Readonly<Record<string, string>>
  }): void
}

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const lagBuckets = [...latencyBuckets, 30, 60, 300, 1_800, 7_200, 43_200]
const sizeBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500]

const counter =
  <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
  (register: Register) =>
    new Counter<Label>({ name, help, labelNames, registers: [register] })

const gauge =
  <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
  (register: Register) =>
    new Gauge<Label>({ name, help, labelNames, registers: [register] })

const size =
  <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
  (register: Register) =>
    new Histogram<Label>({ name, help, labelNames, buckets: sizeBuckets, registers: [register] })

const latency =
  <Label extends string>(name: string, help: string, buckets: number[], labelNames: Label[] = []) =>
  (register: Register): LatencyHistogram<Label> =>
    new Histogram<string>({ name, help, labelNames, buckets, enableExemplars: true, registers: [register] })

const definitions = {
  // The API.
  accepted: counter(
    'postern_messages_accepted_total',
    'Messages accepted (result code A000) or created for a batch, by channel.',
    ['channel'],
  ),
  accountMessages: counter(
    'postern_account_messages_total',
    'Messages accepted, by account. At most 50 accounts per process with a large share of the traffic are named; the rest share `other`.',
    ['account'],
  ),
  answers: counter('postern_http_responses_total', 'HTTP responses of the API, by HTTP status.', ['status']),
  acceptSeconds: latency(
    'postern_accept_duration_seconds',
    'Time from a parsed send request to the publisher confirm of the broker.',
    latencyBuckets,
  ),
  tokenRequests: counter(
    'postern_token_requests_total',
    'Requests for an access token, by result code. A100 means that the credentials are wrong or expired.',
    ['code'],
  ),
  sendsRefused: counter(
    'postern_sends_refused_total',
    'Send requests that admission refused, by reason and lane. Reasons: share (429, the account exceeds its share) and reserve (503, the intake queue is full or was not recorded for too long).',
    ['reason', 'lane'],
  ),
  limitsShared: gauge(
    'postern_limits_shared',
    '1 while rate limits are shared through Redis, 0 while this process enforces them locally.',
  ),
  copyAge: gauge(
    'postern_accounts_age_seconds',
    'Time since this API process last compared its cached accounts and credentials with PostgreSQL.',
  ),
  inboundRequests: counter(
    'postern_inbound_requests_total',
    'Carrier requests to /inbound, by route and HTTP status of the response.',
    ['route', 'status'],
  ),

  // Intake.
  intakeQueueAge: gauge(
    'postern_intake_queue_age_seconds',
    'Time from acceptance to record of the messages that intake consumes, by lane. Grows while intake consumes nothing.',
    ['lane'],
  ),
  intakeQueueDepth: gauge(
    'postern_intake_queue_depth',
    'Messages waiting in the intake queue, by lane, estimated from the number of groups and their average size.',
    ['lane'],
  ),
  recorded: counter(
    'postern_messages_recorded_total',
    'Messages written to PostgreSQL, by intake or for a batch.',
  ),

  // Dispatch.
  partitions: gauge(
    'postern_partitions_owned',
    'Route partitions that this worker owns; 32 over all workers.',
  ),
  linked: gauge(
    'postern_route_linked',
    '1 while the link to the carrier is up, 0 while it is down; set by the process that owns the route. The label `share` is set if the route has several owners.',
    ['route', 'share'],
  ),
  outcomes: counter('postern_submit_outcomes_total', 'Submitted message parts, by route and outcome.', [
    'route',
    'outcome',
  ]),
  submitSeconds: latency(
    'postern_submit_duration_seconds',
    'Time from the submission of a message part to its outcome.',
    latencyBuckets,
    ['route'],
  ),
  retries: counter(
    'postern_submit_retries_total',
    'Submissions that are repeated on the same route, because they failed or their outcome is unknown.',
    ['route'],
  ),
  lookups: counter(
    'postern_lookups_total',
    'Status queries to carriers for submissions without a response or receipt, by route and result: found (final result), pending, not-found, failed, revoked (withdrawn shortly before the deadline).',
    ['route', 'result'],
  ),
  lostSteps: counter(
    'postern_steps_lost_total',
    'Steps that were neither submitted nor waiting minutes after their start, and were placed again: a queue lost their jobs, or held them for very long.',
  ),
  routeRate: gauge(
    'postern_route_rate_limit',
    'Current rate limit of the route in message parts per second: the configured one, or less after throttling; 0 means unlimited. A route with several owners has one value per `share`.',
    ['route', 'share'],
  ),
  connectorEvents: counter(
    'postern_connector_events_total',
    'Other events on the link of a route, by route and event: reply, stray-response, receipts-deferred and events specific to the connector.',
    ['route', 'event'],
  ),

  // Settle.
  receipts: counter(
    'postern_receipts_total',
    'Carrier receipts by result: settled, repeated, late (the step had ended), pending (intermediate), orphaned (no matching attempt).',
    ['result'],
  ),
  receiptAge: gauge(
    'postern_receipt_age_seconds',
    'Age of the oldest unsettled receipt. Grows while the worker cannot settle; deadlines are delayed by the same time.',
  ),
  replies: counter(
    'postern_replies_total',
    'Stored replies of recipients: assigned to an account, unassigned because no account or several accounts have the number, or a part of a longer reply.',
    ['route', 'result'],
  ),
  doubleDeliveries: counter(
    'postern_double_deliveries_total',
    'Messages that were delivered although a later step or try had been submitted, so that the recipient may have them twice.',
  ),
  closed: counter('postern_messages_closed_total', 'Messages closed, by report code.', ['code']),
  overdue: gauge(
    'postern_step_overdue_max_seconds',
    'Time since the deadline of the most overdue open step; 0 when no step is overdue.',
  ),
  oldestOpen: gauge(
    'postern_oldest_open_message_age_seconds',
    'Age of the oldest message without an outcome; 0 when there is none.',
  ),

  // Rules.
  trustDenials: counter(
    'postern_trust_denials_total',
    'Steps that a rule of docs/reference/rules.md stopped before submission, by rule and decision (hold, fail).',
    ['rule', 'verdict'],
  ),
  usedCaps: gauge(
    'postern_caps_used',
    'Daily and monthly caps of accounts by the highest level reached (70, 90 or 100 per cent); set by one worker.',
    ['level'],
  ),
  unusualVolume: gauge(
    'postern_accounts_unusual_volume',
    'Accounts that have sent over three times as many messages today as on their busiest day of the last week; set by one worker.',
  ),

  // Ledger, parked jobs and audit log.
  ledgerGap: gauge(
    'postern_ledger_gap',
    'Sum over accounts and days of |accepted - final - in flight| at the last check. Must be 0.',
  ),
  ledgerUnrecorded: gauge(
    'postern_ledger_unrecorded_messages',
    'Messages that the broker confirmed to an API process and that were neither recorded nor parked. Must be 0.',
  ),
  ledgerChecked: gauge(
    'postern_ledger_checked_timestamp_seconds',
    'Unix time of the last ledger check by any worker.',
  ),
  parked: counter(
    'postern_jobs_parked_total',
    'Jobs parked because a stage could not process them, by stage.',
    ['stage'],
  ),
  parkedNow: gauge('postern_parked_jobs', 'Parked jobs waiting for an operator.'),
  auditEvents: counter(
    'postern_audit_events_total',
    'Security events in the audit log, by event: sign-in-refused, denied (missing right), personal-data (shown to an operator), route-host (a route was added, or connects to another host); counted by one worker.',
    ['event'],
  ),
  auditBroken: gauge(
    'postern_audit_broken',
    '1 after a verification has found tampering with the audit log; set by one worker.',
  ),
  auditVerified: gauge(
    'postern_audit_verified_timestamp_seconds',
    'Unix time of the last verification of the whole audit log by this worker; 0 before the first.',
  ),

  // Webhooks.
  webhooksOwned: gauge('postern_webhooks_owned', 'Webhooks whose pushes this process owns.'),
  webhookPushes: counter(
    'postern_webhook_pushes_total',
    'Pushes to webhooks, retries included, by result: acknowledged, failed.',
    ['result'],
  ),
  webhookPushSeconds: latency(
    'postern_webhook_push_duration_seconds',
    'Duration of one push to a webhook, connection setup included.',
    latencyBuckets,
  ),
  webhookLagSeconds: latency(
    'postern_webhook_lag_seconds',
    'Time from writing a report to its acknowledgement by the webhook.',
    lagBuckets,
  ),
  webhookPushesAbandoned: counter(
    'postern_webhook_pushes_abandoned_total',
    'Pushes abandoned after the last retry. The reports remain available by polling and inquiry.',
  ),
  webhooksDisabled: counter(
    'postern_webhooks_disabled_total',
    'Webhooks disabled by this process, by reason: gone (the endpoint answered 410), failing (no success for too long).',
    ['reason'],
  ),

  // SMPP server.
  smppConnections: gauge(
    'postern_smpp_server_connections',
    'Client connections to the SMPP server of this process, by state (unbound, bound).',
    ['state'],
  ),
  smppBinds: counter('postern_smpp_server_binds_total', 'Client binds, by command_status of the response.', [
    'status',
  ]),
  smppSubmits: counter(
    'postern_smpp_server_submits_total',
    'Send requests of SMPP clients, by command_status of the response.',
    ['status'],
  ),
  smppDeliveries: counter(
    'postern_smpp_server_deliveries_total',
    'Receipts and replies sent to SMPP clients, by kind and result: acknowledged, refused, unanswered (stored and retried for three days), repeated (the bind was lost, or the client requested a lower rate).',
    ['kind', 'result'],
  ),

  // Engines and process.
  brokerAvailable: gauge(
    'postern_broker_available',
    '1 while this process can publish to RabbitMQ, 0 while RabbitMQ is unreachable or blocks publishers.',
  ),
  queueUnconfirmed: gauge(
    'postern_queue_unconfirmed',
    '1 while a queue does not confirm publishes of this process although the broker is connected, otherwise 0.',
    ['queue'],
  ),
  statements: counter(
    'postern_database_statements_total',
    'Statements sent to PostgreSQL, by name, or by first word if the statement has no name.',
    ['statement'],
  ),
  batchSize: size('postern_batch_size', 'Items per bulk statement, by stage.', ['stage']),
  clockSkew: gauge(
    'postern_clock_skew_seconds',
    "This host's clock minus PostgreSQL's; decisions use PostgreSQL's.",
  ),
  clockJump: gauge(
    'postern_clock_jump_seconds',
    "Jump of PostgreSQL's clock since this process started; 0 once another worker attributes it to a pause of this machine, or after a restart.",
  ),
  spans: counter(
    'postern_trace_spans_total',
    'Spans of traced messages, by result: exported to the collector, or dropped because it did not accept them in time.',
    ['result'],
  ),
}

type Series = { readonly [Name in keyof typeof definitions]: ReturnType<(typeof definitions)[Name]> }

export interface Metrics extends Series {
  readonly registry: Register
  readonly busyAccounts: TopLabels
}

/** `cell` becomes a label of every series, so that alerts can evaluate each cell separately. */
export function createMetrics(cell?: string): Metrics {
  const registry: Register = new Registry()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  if (cell !== undefined) registry.setDefaultLabels({ cell })
  collectDefaultMetrics({ register: registry })
  const series = Object.entries(definitions).map(([name, create]) => [name, create(registry)])
  return { ...(Object.fromEntries(series) as Series), registry, busyAccounts: new TopLabels() }
}
