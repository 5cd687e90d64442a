/**
 * Keeps the metrics that alert an operator: the ledger's gap, the age of the oldest open message and of the most overdue
 * step. Every worker exports the same values; one of them does the check.
 */
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import { checkLedger, readCheck } from './check.ts'
import { checkGate } from './check-gate.ts'
import type { GateHorizon } from './gate-horizon.ts'

export interface LedgerMetricsContext {
  readonly database: Database
  readonly metrics: Metrics
  readonly log: Log
  readonly horizon: Pick<GateHorizon, 'read'>
}

const checkEveryMs = 30_000
/** More often than a check is due, so that another worker takes over from one that died. */
const lookEveryMs = 10_000

export function startLedgerMetrics(context: LedgerMetricsContext): Periodic {
  return every(lookEveryMs, 'checking the ledger', context.log, () =>
    updateLedgerMetrics(context, clock.date()),
  )
}

export async function updateLedgerMetrics(
  { database, metrics, log, horizon }: LedgerMetricsContext,
  now: Date,
): Promise<void> {
  const found = await checkLedger(database, now, checkEveryMs)
  // A single gap may occur while two versions of the software run; a second one in a row is an error.
  if (found !== null && found.check.consecutiveGaps >= 2) {
    log.error(
      { gap: found.check.gap, checks: found.check.consecutiveGaps, where: found.gaps.slice(0, 10) },
      'the ledger has a gap: messages were lost, recorded twice or closed twice; run `postern ledger` to see which accounts and days',
    )
  }
  if (found !== null) await checkGate(database, log, await horizon.read().catch(() => null))
  const check = await readCheck(database)
  if (check !== null) {
    metrics.ledgerGap.set(check.gap)
    metrics.ledgerAtGate.set(check.atGate)
    metrics.ledgerChecked.set(check.checkedAt.getTime() / 1000)
  }
  const { oldestKey, overdueSeconds } = await readOldest(database, now)
  metrics.oldestOpen.set(oldestKey === null ? 0 : Math.max(0, (now.getTime() - timeOfKey(oldestKey)) / 1000))
  metrics.overdue.set(overdueSeconds)
}

/** Two index probes, whatever the number of rows. */
async function readOldest(
  database: Database,
  now: Date,
): Promise<{ oldestKey: string | null; overdueSeconds: number }> {
  const result = await database.query<{ oldestKey: string | null; overdueSeconds: number }>(
    `select (select msg_key from in_flight order by msg_key limit 1) as "oldestKey",
            greatest(0, extract(epoch from $1::timestamptz - (select due_at from in_flight order by due_at limit 1)))::float8
              as "overdueSeconds"`,
    [now],
  )
  const [row] = result.rows
  return { oldestKey: row?.oldestKey ?? null, overdueSeconds: row?.overdueSeconds ?? 0 }
}

/** A key begins with the time of its acceptance: `yyyyMMddHHmmssSSS` in UTC. */
function timeOfKey(key: string): number {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})/.exec(key) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
}
