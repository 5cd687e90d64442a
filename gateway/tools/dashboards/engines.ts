import type { Dashboard } from './panel.ts'
import { largest, quantile, rate, smallest, total } from './queries.ts'

export const enginesDashboard: Dashboard = {
  uid: 'postern-engines',
  title: 'Postern: processes and engines',
  description:
    'Are processes and engines healthy, as the gateway sees them? RabbitMQ, PostgreSQL and Redis have their own exporters.',
  panels: [
    {
      title: 'Who owns the routes?',
      description: 'Partitions of the routes by worker, 32 together.',
      queries: [{ expr: total('postern_partitions_owned', 'instance'), legend: '{{instance}}' }],
      unit: 'short',
      stacked: true,
    },
    {
      title: 'Does RabbitMQ confirm?',
      description:
        '1 means that a queue does not confirm although the broker is connected: PosternQueueUnconfirmed.',
      queries: [{ expr: largest('postern_queue_unconfirmed', 'queue'), legend: '{{queue}}' }],
      unit: 'none',
    },
    {
      title: 'Which statements does PostgreSQL run?',
      description: 'The ten most frequent statements, per second.',
      queries: [
        {
          expr: `topk(10, ${rate('postern_database_statements_total', 'statement')})`,
          legend: '{{statement}}',
        },
      ],
      unit: 'short',
    },
    {
      title: 'Do bulk statements fill?',
      description: 'Items per statement, median by stage. If it is at its maximum, add workers.',
      queries: [{ expr: quantile(0.5, 'postern_batch_size', 'stage'), legend: '{{stage}}' }],
      unit: 'short',
    },
    {
      title: 'Is Redis available?',
      description: '0 means that the process limits on its own and rejects sends with an Idempotency-Key.',
      queries: [{ expr: smallest('postern_limits_shared', 'instance'), legend: '{{instance}}' }],
      unit: 'none',
    },
    {
      title: 'Are cached accounts and ledger checks fresh?',
      description:
        'Age of the cached accounts of an API process, and time since the last ledger check (above 180 s: PosternLedgerUnchecked).',
      queries: [
        { expr: largest('postern_accounts_age_seconds', 'instance'), legend: 'accounts, {{instance}}' },
        { expr: `time() - ${largest('postern_ledger_checked_timestamp_seconds')}`, legend: 'ledger' },
      ],
      unit: 's',
    },
    {
      title: 'Are clocks right?',
      description: 'Host minus PostgreSQL, and jumps of PostgreSQL: PosternClockSkew, PosternClockJump.',
      queries: [
        { expr: `abs(${largest('postern_clock_skew_seconds', 'instance')})`, legend: 'skew, {{instance}}' },
        { expr: `abs(${largest('postern_clock_jump_seconds', 'instance')})`, legend: 'jump, {{instance}}' },
      ],
      unit: 's',
    },
    {
      title: 'Is a process out of CPU?',
      description: 'Cores that each process uses. A process uses little more than one: add processes.',
      queries: [{ expr: rate('process_cpu_seconds_total', 'instance'), legend: '{{instance}}' }],
      unit: 'short',
    },
    {
      title: 'Does an event loop lag?',
      description: '99th percentile. Above 100 ms everything in the process is late.',
      queries: [{ expr: largest('nodejs_eventloop_lag_p99_seconds', 'instance'), legend: '{{instance}}' }],
      unit: 's',
    },
    {
      title: 'Does memory grow?',
      description: 'Resident memory of each process.',
      queries: [{ expr: largest('process_resident_memory_bytes', 'instance'), legend: '{{instance}}' }],
      unit: 'bytes',
    },
    {
      title: 'Do traces arrive?',
      description:
        'Spans per second by result, if tracing is on. "dropped" means that the collector is slow or unavailable.',
      queries: [{ expr: rate('postern_trace_spans_total', 'result'), legend: '{{result}}' }],
      unit: 'short',
    },
  ],
}
