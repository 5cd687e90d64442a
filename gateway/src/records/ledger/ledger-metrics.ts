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
import { readOldestOpen } from './oldest.ts'

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
  const { openSeconds, overdueSeconds } = await readOldestOpen(database, now)
  metrics.oldestOpen.set(openSeconds)
  metrics.overdue.set(overdueSeconds)
}
