/** Prometheus metrics, one set per process. Names say stage, unit and kind. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    accepted: new Counter({
      name: 'postern_accepted_total',
      help: 'Messages answered with A000.',
      labelNames: ['channel'],
      registers,
    }),
    answers: new Counter({
      name: 'postern_http_answers_total',
      help: 'HTTP answers by result code.',
      labelNames: ['code'],
      registers,
    }),
    acceptSeconds: new Histogram({
      name: 'postern_accept_seconds',
      help: 'From a parsed send request to the broker confirm.',
      buckets: latencyBuckets,
      registers,
    }),
    limitsShared: new Gauge({
      name: 'postern_limits_shared',
      help: '1 while limits are shared through Redis; 0 while this process limits for itself.',
      registers,
    }),
    recorded: new Counter({
      name: 'postern_intake_recorded_total',
      help: 'Messages recorded by intake.',
      registers,
    }),
    batchSize: new Histogram({
      name: 'postern_batch_size',
      help: 'Items per bulk statement.',
      labelNames: ['stage'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    }),
    outcomes: new Counter({
      name: 'postern_submit_outcomes_total',
      help: 'Answers of carriers to submitted parts.',
      labelNames: ['route', 'outcome'],
      registers,
    }),
    submitSeconds: new Histogram({
      name: 'postern_submit_seconds',
      help: 'From handing a part to the connector to its outcome.',
      labelNames: ['route'],
      buckets: latencyBuckets,
      registers,
    }),
    linked: new Gauge({
      name: 'postern_route_linked',
      help: '1 while the link to the carrier is up, on the process that owns the route.',
      labelNames: ['route'],
      registers,
    }),
    retries: new Counter({
      name: 'postern_submit_retries_total',
      help: 'Submissions that came to nothing and are tried again on the same route.',
      labelNames: ['route'],
      registers,
    }),
    routeRate: new Gauge({
      name: 'postern_route_rate',
      help: 'Parts a second that the carrier lets the route send, as learned; 0 while nothing bounds it.',
      labelNames: ['route'],
      registers,
    }),
    receipts: new Counter({
      name: 'postern_receipts_total',
      help: 'Receipts by what became of them: settled, repeated, late (their step had ended), pending, orphaned.',
      labelNames: ['fate'],
      registers,
    }),
    doubled: new Counter({
      name: 'postern_double_deliveries_total',
      help: 'Messages of which an earlier step was delivered after a later one had been submitted.',
      registers,
    }),
    closed: new Counter({
      name: 'postern_closed_total',
      help: 'Messages closed, by report code.',
      labelNames: ['code'],
      registers,
    }),
    ledgerGap: new Gauge({
      name: 'postern_ledger_gap',
      help: 'Sum over accounts and days of |accepted - final - in flight| at the last check. Must be 0.',
      registers,
    }),
    ledgerChecked: new Gauge({
      name: 'postern_ledger_checked_timestamp_seconds',
      help: 'When the ledger was last checked, by whichever worker.',
      registers,
    }),
    oldestOpen: new Gauge({
      name: 'postern_oldest_open_message_seconds',
      help: 'Age of the oldest message that has no outcome yet; 0 when there is none.',
      registers,
    }),
    overdue: new Gauge({
      name: 'postern_overdue_seconds',
      help: 'How long the most overdue step has been past its deadline; 0 when none is.',
      registers,
    }),
    parkedNow: new Gauge({
      name: 'postern_parked',
      help: 'Jobs that lie parked and wait for an operator.',
      registers,
    }),
    parked: new Counter({
      name: 'postern_parked_total',
      help: 'Jobs no stage could process, put aside for an operator.',
      labelNames: ['stage'],
      registers,
    }),
    webhookPushes: new Counter({
      name: 'postern_webhook_pushes_total',
      help: 'Tries to push a report to a webhook, by result: acknowledged, failed.',
      labelNames: ['result'],
      registers,
    }),
    webhookPushSeconds: new Histogram({
      name: 'postern_webhook_push_seconds',
      help: 'How long one push took, connecting included.',
      buckets: latencyBuckets,
      registers,
    }),
    webhookLagSeconds: new Histogram({
      name: 'postern_webhook_lag_seconds',
      help: 'From a report being written to its webhook acknowledging it.',
      buckets: [...latencyBuckets, 30, 60, 300, 1_800, 7_200, 43_200],
      registers,
    }),
    webhookGivenUp: new Counter({
      name: 'postern_webhook_given_up_total',
      help: 'Pushes whose tries are used up; the reports are there by polling and inquiry.',
      registers,
    }),
    webhooksDisabled: new Counter({
      name: 'postern_webhooks_disabled_total',
      help: 'Webhooks disabled by this process: gone (answered 410), failing (nothing but failures for too long).',
      labelNames: ['why'],
      registers,
    }),
    webhooksOwned: new Gauge({
      name: 'postern_webhooks_owned',
      help: 'Webhooks that this process pushes to.',
      registers,
    }),
  }
}
