/**
 * What time does to messages: steps past their deadline end, orphaned receipts are tried again. Everything is in
 * tables, so a restart loses no timer; several workers share the work by skipping each other's rows.
 */
import { parkJob } from '../../jobs/park.ts'
import { readReceiptJob } from '../../jobs/read.ts'
import type { SettleItem } from './batch.ts'
import { endSteps } from './end-step.ts'
import { takeExpired, type Expired } from '../../records/messages/expire.ts'
import { maxTries, resendSteps } from './resend.ts'
import { dropOldOrphans, removeOrphans, takeOrphans } from '../../records/attempts/orphans.ts'
import { inTransaction } from '../../platform/database.ts'
import { dayOf } from '../../records/partitions.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import type { Route } from '../../routes/route.ts'
import type { RouteTable } from '../../routes/table.ts'
import { settleOrPark, type SettleOrParkContext } from './settle-or-park.ts'

const batchSize = 500

export interface TimersContext extends SettleOrParkContext {
  readonly retentionDays: number
  readonly routes: Pick<RouteTable, 'value'>
}

export function startTimers(context: TimersContext): Periodic {
  const { log } = context
  const periodics = [
    every(500, 'expiring steps', log, () => expireDue(context)),
    every(1_000, 'matching orphaned receipts', log, () => matchOrphans(context)),
    every(250, 'releasing steps whose time has come', log, () => context.outbox.releaseStranded()),
    every(600_000, 'dropping old orphaned receipts', log, async () => {
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

async function expireDue(context: TimersContext): Promise<void> {
  const { database, metrics, outbox } = context
  for (;;) {
    const { count, codes, advanced } = await inTransaction(database, async (transaction) => {
      const expired = await takeExpired(transaction, new Date(), batchSize)
      const again = expired.filter((step) => isSentAgain(step, context.routes.value))
      await resendSteps(
        transaction,
        again.map((step) => ({ ...step, ttlMs: step.dueAt.getTime() - step.sentAt.getTime() })),
      )
      const ended = expired.filter((step) => !again.includes(step))
      const concluded = await endSteps(transaction, ended, outbox.stepTtlSeconds)
      return { ...concluded, count: expired.length }
    })
    for (const code of codes) metrics.closed.inc({ code })
    await outbox.release(advanced)
    if (count < batchSize) return
  }
}

/** Perhaps it arrived: only a route whose operator prefers a message twice to none sends it again. */
function isSentAgain({ cause, routeId, try: nth }: Expired, routes: readonly Route[]): boolean {
  if (cause !== 'outcome-unknown' || nth >= maxTries) return false
  return routes.some(({ id, unknownPolicy }) => id === routeId && unknownPolicy === 'resend')
}

async function matchOrphans(context: TimersContext): Promise<void> {
  const { database, retentionDays } = context
  const orphans = await takeOrphans(database, new Date(), batchSize)
  if (orphans.length === 0) return
  const ended: number[] = []
  const readable: { readonly id: number; readonly item: SettleItem }[] = []
  for (const { id, receipt } of orphans) {
    const read = readReceiptJob(receipt)
    if (read.ok) {
      readable.push({ id, item: { job: read.job, byRecipient: true } })
    } else {
      await parkJob(context, 'settle', receipt, read.reason)
      ended.push(id)
    }
  }
  const items = readable.map(({ item }) => item)
  const fates =
    items.length === 0 ? [] : await settleOrPark(context, items, dayOf(new Date(), -retentionDays))
  readable.forEach(({ id }, index) => {
    if (fates[index] !== 'unmatched') ended.push(id)
  })
  await removeOrphans(database, ended)
}
