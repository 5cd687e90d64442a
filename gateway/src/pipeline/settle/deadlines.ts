/**
 * Ends steps at their deadline: with a failure, or with another try where the route's policy says so. Deadlines are rows,
 * so a restart loses none; several workers share the work by skipping each other's locked rows. A step ends only when every receipt
 * that arrived before its deadline is settled, or stored because it matches no submission. A step that cannot be ended is postponed and logged; it does not delay the others.
 */
import type { MessageTrace } from '../../jobs/message-trace.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/clock.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import { scopeOf } from '../../platform/transient.ts'
import {
  isAnyDue,
  lockFirstDue,
  postponeDeadline,
  takeExpired,
  type Expired,
} from '../../records/messages/expire.ts'
import type { Route } from '../../routes/route.ts'
import type { RouteTable } from '../../routes/table.ts'
import type { Outbox } from '../scheduling/outbox.ts'
import { endSteps, type EndStepsResult } from './end-step.ts'
import { defaultOutageLimits, OutageWait, type OutageLimits } from './outage-wait.ts'
import { maxTries, resendSteps } from './resend.ts'
import { traceSettled } from './trace-batch.ts'

export interface DeadlinesContext {
  readonly database: Database
  readonly routes: Pick<RouteTable, 'value'>
  readonly outbox: Outbox
  /** Returns the time up to which all receipts are settled, or null if it is unknown. */
  readonly settledThrough: () => Promise<Date | null>
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
  readonly log: Log
  /** Tests set it lower. */
  readonly outage?: OutageLimits
  /**
   * A run ends after this long although more steps are due, as in an overload: the clock is looked at again, and a worker
   * that stops does not wait for all of them. Tests set it lower.
   */
  readonly maxRunMs?: number
}

const everyMs = 500
const batchSize = 500
const defaultMaxRunMs = 3_000
/** Until a step that could not be ended is tried again; sooner when the engine may be at fault. */
const postponeMs = { item: 3_600_000, unclear: 60_000 }

export function startDeadlines(context: DeadlinesContext): Periodic {
  const { outage = defaultOutageLimits } = context
  const wait = new OutageWait(outage, performance.now())
  return every(everyMs, 'ending steps past their deadline', context.log, async () => {
    // Ending a step cannot be undone: while one of the two clocks is wrong it is left to other workers.
    if (clock.agrees) {
      const dueBefore = await findDueBefore(context).catch((error: unknown) => {
        wait.failed()
        throw error
      })
      const mayEnd = wait.answered(performance.now())
      if (dueBefore !== null && mayEnd) await expireDue(context, dueBefore)
    }
    wait.active(performance.now())
  })
}

/** Returns the time up to which deadlines may be applied now; null if no step is due. */
async function findDueBefore({ database, settledThrough }: DeadlinesContext): Promise<Date | null> {
  const dueBefore = await settledThrough()
  // PostgreSQL is queried in any case: its answer ends an outage.
  const isDue = await isAnyDue(database, dueBefore ?? clock.date())
  return isDue ? dueBefore : null
}

async function expireDue(context: DeadlinesContext, dueBefore: Date): Promise<void> {
  const until = performance.now() + (context.maxRunMs ?? defaultMaxRunMs)
  let limit = batchSize
  for (;;) {
    try {
      const count = await expireBatch(context, dueBefore, limit)
      if (count < limit || performance.now() >= until) return
    } catch (error) {
      if (scopeOf(error) === 'engine') throw error
      if (limit === 1) await expireOrPostpone(context, dueBefore)
      // The steps are taken in order: halving the batch leaves the one that fails alone.
      limit = limit === 1 ? batchSize : Math.ceil(limit / 2)
    }
  }
}

/** Returns how many steps were due, up to the limit. */
async function expireBatch(context: DeadlinesContext, dueBefore: Date, limit: number): Promise<number> {
  const ended = await inTransaction(context.database, (transaction) =>
    expire(context, transaction, dueBefore, limit),
  )
  await publishEnds(context, ended)
  return ended.count
}

async function expireOrPostpone(context: DeadlinesContext, dueBefore: Date): Promise<void> {
  const { database, log } = context
  let due: StepKey | undefined
  let ended: Ends
  try {
    ended = await inTransaction(database, async (transaction) => {
      due = await lockFirstDue(transaction, dueBefore)
      return expire(context, transaction, dueBefore, 1)
    })
  } catch (error) {
    const scope = scopeOf(error)
    if (scope === 'engine' || due === undefined) throw error
    await postponeDeadline(database, due, new Date(clock.now() + postponeMs[scope]))
    log.error(
      { message: due.msgKey, step: due.step, err: error as Error },
      'a step past its deadline cannot be ended and is tried again later; the other steps are not affected. See `postern message show`',
    )
    // One in each run: if the engine is at fault, only few steps are postponed.
    if (scope === 'unclear') throw error
    return
  }
  // After the commit: a failure here is the outbox's, which releases the next step later.
  await publishEnds(context, ended)
}

interface Ends extends EndStepsResult {
  readonly count: number
  readonly startedMs: number
}

async function expire(
  { routes, outbox }: DeadlinesContext,
  transaction: Queryable,
  dueBefore: Date,
  limit: number,
): Promise<Ends> {
  const startedMs = performance.now()
  const expired = await takeExpired(transaction, dueBefore, limit)
  const resent = expired.filter((step) => mayResend(step, routes.value))
  await resendSteps(
    transaction,
    resent.map((step) => ({ ...step, ttlMs: step.dueAt.getTime() - step.sentAt.getTime() })),
  )
  const failed = expired.filter((step) => !resent.includes(step))
  const ended = await endSteps(transaction, failed, outbox.stepTtlSeconds)
  return { ...ended, count: expired.length, startedMs }
}

async function publishEnds({ metrics, outbox, trace }: DeadlinesContext, ends: Ends): Promise<void> {
  const { codes, advanced, startedMs } = ends
  if (trace !== undefined) traceSettled(trace, [], ends, startedMs)
  for (const code of codes) metrics.closed.inc({ code })
  await outbox.release(advanced)
}

/** It may have been delivered: only a route whose operator prefers a message twice to none sends it again. */
function mayResend({ cause, routeId, isStopped, try: nth }: Expired, routes: readonly Route[]): boolean {
  if (cause !== 'outcome-unknown' || nth >= maxTries || isStopped) return false
  return routes.some(({ id, unknownPolicy }) => id === routeId && unknownPolicy === 'resend')
}
