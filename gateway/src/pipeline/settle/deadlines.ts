/**
 * Ends steps at their deadline: with a failure, or with another try where the route's policy says so. Deadlines are rows,
 * so a restart loses none; several workers share the work by skipping each other's locked rows. Called by the worker role.
 */
import { inTransaction, type Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import { takeExpired, type Expired } from '../../records/messages/expire.ts'
import type { Route } from '../../routes/route.ts'
import type { RouteTable } from '../../routes/table.ts'
import type { Outbox } from '../scheduling/outbox.ts'
import { endSteps } from './end-step.ts'
import { maxTries, resendSteps } from './resend.ts'

export interface DeadlinesContext {
  readonly database: Database
  readonly routes: Pick<RouteTable, 'value'>
  readonly outbox: Outbox
  readonly metrics: Metrics
  readonly log: Log
}

const everyMs = 500
const batchSize = 500

export function startDeadlines(context: DeadlinesContext): Periodic {
  return every(everyMs, 'ending steps past their deadline', context.log, () => expireDue(context))
}

async function expireDue(context: DeadlinesContext): Promise<void> {
  const { database, metrics, outbox } = context
  for (;;) {
    const { count, codes, advanced } = await inTransaction(database, async (transaction) => {
      const expired = await takeExpired(transaction, new Date(), batchSize)
      const resent = expired.filter((step) => mayResend(step, context.routes.value))
      await resendSteps(
        transaction,
        resent.map((step) => ({ ...step, ttlMs: step.dueAt.getTime() - step.sentAt.getTime() })),
      )
      const failed = expired.filter((step) => !resent.includes(step))
      const ended = await endSteps(transaction, failed, outbox.stepTtlSeconds)
      return { ...ended, count: expired.length }
    })
    for (const code of codes) metrics.closed.inc({ code })
    await outbox.release(advanced)
    if (count < batchSize) return
  }
}

/** It may have been delivered: only a route whose operator prefers a message twice to none sends it again. */
function mayResend({ cause, routeId, try: nth }: Expired, routes: readonly Route[]): boolean {
  if (cause !== 'outcome-unknown' || nth >= maxTries) return false
  return routes.some(({ id, unknownPolicy }) => id === routeId && unknownPolicy === 'resend')
}
