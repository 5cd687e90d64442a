/**
 * What time does to messages: steps past their deadline end, orphaned receipts are tried again. Everything is in
 * tables, so a restart loses no timer; several workers share the work by skipping each other's rows.
 */
import { closeMessages } from '../messages/close.ts'
import { takeExpired } from '../messages/expire.ts'
import { dropOldOrphans, removeOrphans, takeOrphans } from '../messages/orphans.ts'
import { inTransaction, type Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { dayOf } from '../platform/partitions.ts'
import { everyMs, type Periodic } from '../platform/periodic.ts'
import { settleBatch } from './batch.ts'

const batchSize = 500

export interface TimersContext {
  readonly database: Database
  readonly metrics: Metrics
  readonly retentionDays: number
  readonly log: Log
}

export function startTimers(context: TimersContext): Periodic {
  const { log } = context
  const periodics = [
    everyMs(500, 'expiring steps', log, () => expireDue(context)),
    everyMs(1_000, 'matching orphaned receipts', log, () => matchOrphans(context)),
    everyMs(600_000, 'dropping old orphaned receipts', log, async () => {
      const dropped = await dropOldOrphans(context.database, new Date())
      if (dropped > 0) log.warn({ dropped }, 'receipts that matched nothing for three days were dropped')
    }),
  ]
  return {
    async stop() {
      await Promise.all(periodics.map((periodic) => periodic.stop()))
    },
  }
}

async function expireDue({ database, metrics }: TimersContext): Promise<void> {
  for (;;) {
    const count = await inTransaction(database, async (transaction) => {
      const expired = await takeExpired(transaction, new Date(), batchSize)
      const codes = await closeMessages(transaction, expired)
      for (const code of codes) metrics.closed.inc({ code })
      return expired.length
    })
    if (count < batchSize) return
  }
}

async function matchOrphans({ database, metrics, retentionDays }: TimersContext): Promise<void> {
  const orphans = await takeOrphans(database, new Date(), batchSize)
  if (orphans.length === 0) return
  const items = orphans.map(({ receipt }) => ({ job: receipt, byRecipient: true }))
  const fates = await settleBatch(database, items, dayOf(new Date(), -retentionDays), metrics)
  await removeOrphans(
    database,
    orphans.filter((_, index) => fates[index] !== 'unmatched').map(({ id }) => id),
  )
}
