import { parkJob } from '../../records/parked/park.ts'
import { readReceiptJob } from '../../jobs/read.ts'
import { clock } from '../../platform/time/clock.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import {
  dropOldOrphans,
  orphanLifetimeHours,
  removeOrphans,
  claimOrphans,
} from '../../records/attempts/orphans.ts'
import type { RouteTable } from '../../carriers/routes/table.ts'
import { settleOrPark, type SettleItem, type SettleOrParkContext } from './batch.ts'
import { createScope } from './match.ts'

export interface OrphanRetriesContext extends SettleOrParkContext {
  readonly routes: Pick<RouteTable, 'value'>
  /** Number of days whose attempts can be matched. */
  readonly retentionDays: number
  /** Tests set it lower. */
  readonly recordedWithinMs?: number
}

const matchEveryMs = 1_000
const dropEveryMs = 1_200_000
const batchSize = 500
/**
 * Batches per run: enough for a carrier that sends many, few enough that a stopping process does not wait
 * long.
 */
const maxBatches = 10

/**
 * Starts matching orphaned receipts again: those that settle could not match in time and stored. Their retry times are rows,
 * so a restart loses none; several workers share the work by skipping each other's locked rows. A receipt that matches
 * nothing during its lifetime is deleted.
 */
export function startOrphanRetries(context: OrphanRetriesContext): Periodic {
  const { database, log } = context
  const matching = every(matchEveryMs, 'matching orphaned receipts', log, () => matchOrphans(context))
  const dropping = every(dropEveryMs, 'dropping old orphaned receipts', log, async () => {
    if (!clock.agrees) return
    const dropped = await dropOldOrphans(database, clock.date())
    if (dropped > 0)
      log.warn(
        { dropped, hours: orphanLifetimeHours },
        'receipts matched no message during their lifetime and were deleted; check the carrier ids of the route with the carrier',
      )
  })
  return {
    async stop() {
      await Promise.all([matching.stop(), dropping.stop()])
    },
  }
}

async function matchOrphans(context: OrphanRetriesContext): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch++) {
    if ((await matchBatch(context)) < batchSize) return
  }
}

/** Returns the number of due receipts. */
async function matchBatch(context: OrphanRetriesContext): Promise<number> {
  const { database, routes, retentionDays, recordedWithinMs } = context
  const orphans = await claimOrphans(database, clock.date(), batchSize)
  if (orphans.length === 0) return 0
  const unreadable: number[] = []
  const items = new Map<SettleItem, number>()
  for (const { id, receipt } of orphans) {
    const read = readReceiptJob(receipt)
    if (read.ok) {
      items.set({ job: read.job, isStored: true }, id)
    } else {
      await parkJob(context, 'settle', receipt, read.reason)
      unreadable.push(id)
    }
  }
  const scope = createScope(routes.value, retentionDays, {
    recentDays: retentionDays,
    waitedDays: orphanLifetimeHours / 24,
    recordedWithinMs,
  })
  const results = await settleOrPark(context, [...items.keys()], scope)
  const matched = [...items.values()].filter((_, n) => results[n] !== 'unmatched')
  await removeOrphans(database, [...unreadable, ...matched])
  return orphans.length
}
