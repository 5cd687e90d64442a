/**
 * The periodic maintenance of the tables and files. Every worker runs it; each round tolerates others at the same time.
 * What deletes or erases runs only while the host's clock agrees with PostgreSQL's.
 */
import { removeExpired } from '../files/removal.ts'
import type { FileStore } from '../files/store.ts'
import { removeExpiredForms } from '../forms/removal.ts'
import { clock } from '../platform/clock.ts'
import { every, type Periodic } from '../platform/periodic.ts'
import { foldLedger } from '../records/ledger/queries.ts'
import { startLedgerMetrics } from '../records/ledger/ledger-metrics.ts'
import { eraseClosed } from '../records/messages/erase.ts'
import { maintainPartitions } from '../records/partitions.ts'
import { foldUsage } from '../records/usage/queries.ts'
import type { Runtime } from './runtime.ts'

const hourMs = 3_600_000

export function startMaintenance({ config, database, metrics, log }: Runtime, store: FileStore): Periodic {
  const periodics = [
    every(hourMs, 'maintaining partitions', log, () =>
      maintainPartitions(database, config.retentionDays, clock.date()),
    ),
    every(hourMs, 'removing expired files and forms', log, async () => {
      if (!clock.agrees) return
      await removeExpired(database, store, clock.date())
      await removeExpiredForms(database, clock.date())
    }),
    every(10_000, 'erasing texts and recipients', log, async () => {
      if (clock.agrees) await eraseClosed(database, clock.date())
    }),
    every(30_000, 'folding the ledger', log, () => foldLedger(database)),
    every(30_000, 'folding the usage counts', log, () => foldUsage(database, config.timeZone)),
    startLedgerMetrics({ database, metrics, log }),
  ]
  return {
    async stop() {
      await Promise.all(periodics.map((periodic) => periodic.stop()))
    },
  }
}
