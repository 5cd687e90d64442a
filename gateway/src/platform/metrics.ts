/**
 * Prometheus metrics, one registry per process. Names follow the Prometheus conventions: base unit as suffix, `_total` on
 * counters. `deploy/alerts.yml` and `docs/operations` refer to them.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { BusyLabels } from './busy-labels.ts'
import { Exemplars } from './exemplars.ts'

export type Metrics = ReturnType<typeof createMetrics>

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const lagBuckets = [...latencyBuckets, 30, 60, 300, 1_800, 7_200, 43_200]

/** `cell`: a label of every series, so that alerts can judge each cell of an installation on its own. */
export function createMetrics(cell?: string) {
  const registry = new Registry()
  if (cell !== undefined) registry.setDefaultLabels({ cell })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    /** Labels that every series has. */
    ownLabels: cell === undefined ? [] : ['cell'],
    /** Of the histograms that a trace leads on from. */
    exemplars: new Exemplars({
      postern_accept_duration_seconds: latencyBuckets,
      postern_submit_duration_seconds: latencyBuckets,
      postern_webhook_push_duration_seconds: latencyBuckets,
      postern_webhook_lag_seconds: lagBuckets,
    }),
    accepted: new Counter({
      name: 'postern_messages_accepted_total',
      help: 'Messages accepted (result code A000), by channel.',
      labelNames: ['channel'],
      registers,
    }),
    accountMessages: new Counter({
      name: 'postern_account_messages_total',
      help: 'Messages accepted, by account: those with a large part of the traffic, at most 50 in a process, and `other`.',
      labelNames: ['account'],
      registers,
    }),
    busyAccounts: new BusyLabels(),
    answers: new Counter({
      name: 'postern_http_responses_total',
      help: 'HTTP responses of the API, by HTTP status.',
      labelNames: ['status'],
      registers,
    }),
    acceptSeconds: new Histogram({
      name: 'postern_accept_duration_seconds',
      help: 'Time from a parsed send request to the publisher confirm of the broker.',
      buckets: latencyBuckets,
      registers,
    }),
    limitsShared: new Gauge({
      name: 'postern_limits_shared',
      help: '1 while rate limits are shared through Redis, 0 while this process enforces them on its own.',
      registers,
    }),
    copyAge: new Gauge({
      name: 'postern_accounts_age_seconds',
      help: 'Time since this API process last compared its copies of accounts and credentials with PostgreSQL.',
      registers,
    }),
    firstQueueAge: new Gauge({
      name: 'postern_first_queue_age_seconds',
      help: 'Time from accept to record of the messages that intake takes from the first queue, by lane; grows while it takes none.',
      labelNames: ['lane'],
      registers,
    }),
    receiptAge: new Gauge({
      name: 'postern_receipt_age_seconds',
      help: 'Age of the oldest receipt that waits to be settled; grows while the worker cannot settle. Deadlines wait as long.',
      registers,
    }),
    firstQueueDepth: new Gauge({
      name: 'postern_first_queue_depth',
      help: 'Messages that wait in the first queue, by lane, from the number of groups and their usual size.',
      labelNames: ['lane'],
      registers,
    }),
    sendsRefused: new Counter({
      name: 'postern_sends_refused_total',
      help: 'Send requests that admission refused, by reason (share: the account is above its share, 429; reserve: the first queue is full, 503) and lane.',
      labelNames: ['reason', 'lane'],
      registers,
    }),
    queueSilent: new Gauge({
      name: 'postern_queue_silent',
      help: '1 while a queue does not confirm what this process publishes to it, although the broker is connected; 0 when it confirms again.',
      labelNames: ['queue'],
      registers,
    }),
    recorded: new Counter({
      name: 'postern_messages_recorded_total',
      help: 'Messages that intake wrote to PostgreSQL.',
      registers,
    }),
    clockSkew: new Gauge({
      name: 'postern_clock_skew_seconds',
      help: "This host's clock minus PostgreSQL's; decisions use PostgreSQL's.",
      registers,
    }),
    clockJump: new Gauge({
      name: 'postern_clock_jump_seconds',
      help: "How far PostgreSQL's clock has jumped since this process started; 0 when another worker explains it by a pause of this machine, or after a restart.",
      registers,
    }),
    batchSize: new Histogram({
      name: 'postern_batch_size',
      help: 'Items per bulk statement, by stage.',
      labelNames: ['stage'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    }),
    statements: new Counter({
      name: 'postern_database_statements_total',
      help: 'Statements sent to PostgreSQL, by name; the first word where a statement has no name.',
      labelNames: ['statement'],
      registers,
    }),
    outcomes: new Counter({
      name: 'postern_submit_outcomes_total',
      help: 'Submitted message parts, by route and outcome.',
      labelNames: ['route', 'outcome'],
      registers,
    }),
    trustDenials: new Counter({
      name: 'postern_trust_denials_total',
      help: 'Steps that a rule of docs/trust.md stopped before their submission, by rule and verdict (hold, fail).',
      labelNames: ['rule', 'verdict'],
      registers,
    }),
    usedCaps: new Gauge({
      name: 'postern_caps_used',
      help: 'Caps of accounts in the present day or month, by the highest level in per cent (70, 90, 100) that is used; set by one worker.',
      labelNames: ['level'],
      registers,
    }),
    unusualVolume: new Gauge({
      name: 'postern_accounts_unusual_volume',
      help: 'Accounts that have sent more than three times as many messages today as on their busiest day of the last week; set by one worker.',
      registers,
    }),
    tokenRequests: new Counter({
      name: 'postern_token_requests_total',
      help: 'Requests for an access token, by result code; A100: the credentials are wrong or have ended.',
      labelNames: ['code'],
      registers,
    }),
    auditEvents: new Counter({
      name: 'postern_audit_events_total',
      help: 'Security events in the audit log, by event: sign-in-refused, denied (a right is missing), personal-data (shown to an operator); counted by one worker.',
      labelNames: ['event'],
      registers,
    }),
    auditBroken: new Gauge({
      name: 'postern_audit_broken',
      help: '1 after a verification has found that the audit log was tampered with; set by one worker.',
      registers,
    }),
    auditVerified: new Gauge({
      name: 'postern_audit_verified_timestamp_seconds',
      help: 'Unix time of the last verification of the whole audit log by this worker; 0 before the first.',
      registers,
    }),
    submitSeconds: new Histogram({
      name: 'postern_submit_duration_seconds',
      help: 'Time from passing a message part to the connector to its outcome.',
      labelNames: ['route'],
      buckets: latencyBuckets,
      registers,
    }),
    linked: new Gauge({
      name: 'postern_route_linked',
      help: '1 while the link to the carrier is up, 0 while it is down; set by the process that owns the route. `share` is set when the route has several owners.',
      labelNames: ['route', 'share'],
      registers,
    }),
    partitions: new Gauge({
      name: 'postern_partitions_owned',
      help: 'Partitions of the routes that this worker owns; 32 over all workers.',
      registers,
    }),
    retries: new Counter({
      name: 'postern_submit_retries_total',
      help: 'Submissions that failed and are retried on the same route.',
      labelNames: ['route'],
      registers,
    }),
    routeRate: new Gauge({
      name: 'postern_route_rate_limit',
      help: 'Message parts per second that the route may send, as learned from throttling; 0 when unlimited. A route with several owners has one value for each `share`.',
      labelNames: ['route', 'share'],
      registers,
    }),
    connectorEvents: new Counter({
      name: 'postern_connector_events_total',
      help: 'What happened on the link of a route beside outcomes and receipts, by route and event: reply, stray-response, receipts-deferred and others of its kind of connector.',
      labelNames: ['route', 'event'],
      registers,
    }),
    inboundRequests: new Counter({
      name: 'postern_inbound_requests_total',
      help: 'Requests of carriers to /inbound, by route and HTTP status of the answer.',
      labelNames: ['route', 'status'],
      registers,
    }),
    receipts: new Counter({
      name: 'postern_receipts_total',
      help: 'Carrier receipts by result: settled, repeated, late (the step had ended), pending (intermediate), orphaned (no matching attempt).',
      labelNames: ['result'],
      registers,
    }),
    doubleDeliveries: new Counter({
      name: 'postern_double_deliveries_total',
      help: 'Messages whose earlier step was delivered after a later step had been submitted.',
      registers,
    }),
    closed: new Counter({
      name: 'postern_messages_closed_total',
      help: 'Messages closed, by report code.',
      labelNames: ['code'],
      registers,
    }),
    ledgerGap: new Gauge({
      name: 'postern_ledger_gap',
      help: 'Sum over accounts and days of |accepted - final - in flight| at the last check. Must be 0.',
      registers,
    }),
    ledgerAtGate: new Gauge({
      name: 'postern_ledger_at_gate_messages',
      help: 'Messages that the broker confirmed to an API process and that were neither recorded nor parked. Must be 0.',
      registers,
    }),
    ledgerChecked: new Gauge({
      name: 'postern_ledger_checked_timestamp_seconds',
      help: 'Unix time of the last ledger check by any worker.',
      registers,
    }),
    oldestOpen: new Gauge({
      name: 'postern_oldest_open_message_age_seconds',
      help: 'Age of the oldest message without an outcome; 0 when there is none.',
      registers,
    }),
    overdue: new Gauge({
      name: 'postern_step_overdue_max_seconds',
      help: 'Time since the deadline of the most overdue open step; 0 when no step is overdue.',
      registers,
    }),
    parkedNow: new Gauge({
      name: 'postern_parked_jobs',
      help: 'Parked jobs that wait for an operator.',
      registers,
    }),
    replies: new Counter({
      name: 'postern_replies_total',
      help: 'Texts of recipients that were stored: assigned to an account, unassigned because no account or several have the number, or a part of a longer text.',
      labelNames: ['route', 'result'],
      registers,
    }),
    parked: new Counter({
      name: 'postern_jobs_parked_total',
      help: 'Jobs parked because their stage could not process them, by stage.',
      labelNames: ['stage'],
      registers,
    }),
    webhookPushes: new Counter({
      name: 'postern_webhook_pushes_total',
      help: 'Pushes to webhooks, retries included, by result: acknowledged, failed.',
      labelNames: ['result'],
      registers,
    }),
    webhookPushSeconds: new Histogram({
      name: 'postern_webhook_push_duration_seconds',
      help: 'Duration of one push to a webhook, connection setup included.',
      buckets: latencyBuckets,
      registers,
    }),
    webhookLagSeconds: new Histogram({
      name: 'postern_webhook_lag_seconds',
      help: 'Time from writing a report to its acknowledgement by the webhook.',
      buckets: lagBuckets,
      registers,
    }),
    webhookPushesAbandoned: new Counter({
      name: 'postern_webhook_pushes_abandoned_total',
      help: 'Pushes abandoned after the last retry. The reports remain available by polling and inquiry.',
      registers,
    }),
    webhooksDisabled: new Counter({
      name: 'postern_webhooks_disabled_total',
      help: 'Webhooks disabled by this process, by reason: gone (the endpoint answered 410), failing (no success for too long).',
      labelNames: ['reason'],
      registers,
    }),
    smppConnections: new Gauge({
      name: 'postern_smpp_server_connections',
      help: 'Connections of clients to the SMPP server of this process, by state (unbound, bound).',
      labelNames: ['state'],
      registers,
    }),
    smppBinds: new Counter({
      name: 'postern_smpp_server_binds_total',
      help: 'Binds of clients, by command_status of the answer.',
      labelNames: ['status'],
      registers,
    }),
    smppSubmits: new Counter({
      name: 'postern_smpp_server_submits_total',
      help: 'Requests of SMPP clients to send, by command_status of the answer.',
      labelNames: ['status'],
      registers,
    }),
    smppDeliveries: new Counter({
      name: 'postern_smpp_server_deliveries_total',
      help: 'Receipts and replies sent to SMPP clients, by kind and result: acknowledged, refused, or never answered (stored and repeated for three days), repeated (the bind was lost, or the client asked for less).',
      labelNames: ['kind', 'result'],
      registers,
    }),
    spans: new Counter({
      name: 'postern_trace_spans_total',
      help: 'Spans of traced messages, by result: exported to the collector, dropped because it did not accept them in time.',
      labelNames: ['result'],
      registers,
    }),
    webhooksOwned: new Gauge({
      name: 'postern_webhooks_owned',
      help: 'Webhooks whose pushes this process owns.',
      registers,
    }),
  }
}
