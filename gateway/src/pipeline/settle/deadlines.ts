import type { MessageTrace } from '../../jobs/message-trace.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/time/clock.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { classifyError } from '../../platform/database/transient.ts'
import {
  isAnyDue,
  lockFirstDue,
  postponeDeadline,
  claimExpired,
  type ExpiredStep,
} from '../../records/messages/expire.ts'
import type { Route } from '../../carriers/routes/route.ts'
import type { RouteTable } from '../../carriers/routes/table.ts'
import type { Outbox } from '../scheduling/outbox.ts'
import { endSteps, maxSubmissions, publishEnds, resendSteps, type StepEnds } from './end-steps.ts'

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
  readonly graceMs?: number
  /**
   * A run ends with the first successful batch after this time, even if more steps are due, as in an overload: the clock is
   * checked again, and a worker that stops does not wait for all of them. Tests set it lower.
   */
  readonly maxRunMs?: number
}

const everyMs = 500
const batchSize = 500
const defaultMaxRunMs = 3_000
/** A worker that completes no run for this long was frozen, or PostgreSQL or the broker was unavailable. */
const minOutageMs = 2_500
/**
 * No step ends for this long after a start or an outage. The watermark covers the receipts in the broker.
 * Until carriers are connected again and outcomes in memory are recorded, other evidence is in neither the
 * broker nor PostgreSQL, and a step whose deadline passed in the meantime would end as unknown, or start its
 * fallback although it was delivered.
 */
const defaultGraceMs = 8_000
/** Delays before a step that could not be ended is retried; shorter if the engine may be at fault. */
const postponeMs = { item: 3_600_000, unclear: 60_000 }

/**
 * Starts ending steps at their deadline: with a failure, or with another try if the route's policy is to resend. Deadlines
 * are rows, so a restart loses none; several workers share the work by skipping each other's locked rows. A step ends only
 * when every receipt that reached the broker before its deadline is settled, or stored because it matches no submission. A
 * step that cannot be ended is postponed and logged; it does not delay the others.
 */
export function startDeadlines(context: DeadlinesContext): Periodic {
  const { graceMs = defaultGraceMs, log } = context
  let resumedAt = performance.now()
  let ranAt = resumedAt
  return every(everyMs, 'ending steps past their deadline', log, async () => {
    const now = performance.now()
    if (now - ranAt >= minOutageMs) resumedAt = now
    // Ending a step cannot be undone, so while the two clocks disagree, it is left to other workers.
    if (clock.agrees) {
      const dueBefore = await findDueBefore(context)
      // The time that was read is that of a jump if the clock has followed one in the meantime.
      const isDue = dueBefore !== null && clock.agrees
      if (isDue && now - resumedAt >= graceMs) await expireDue(context, dueBefore)
    }
    ranAt = performance.now()
  })
}

/** Returns the time up to which deadlines may be applied now; null if it is unknown or no step is due. */
async function findDueBefore({ database, settledThrough }: DeadlinesContext): Promise<Date | null> {
  const dueBefore = await settledThrough()
  // Query PostgreSQL in any case, because a failure shows an outage.
  const isDue = await isAnyDue(database, dueBefore ?? clock.date())
  return isDue ? dueBefore : null
}

async function expireDue(context: DeadlinesContext, dueBefore: Date): Promise<void> {
  const until = performance.now() + (context.maxRunMs ?? defaultMaxRunMs)
  let limit = batchSize
  for (;;) {
    const startedMs = performance.now()
    const expired = await expireOrPostpone(context, dueBefore, limit)
    if (expired === 'failed') limit = Math.ceil(limit / 2)
    else if (expired === 'postponed') limit = batchSize
    else {
      // Publish after the commit; if the release fails, the outbox releases the next steps later.
      await publishEnds(context, expired.ends, startedMs)
      if (expired.count < limit || performance.now() >= until) return
    }
  }
}

interface ExpiredBatch {
  readonly ends: StepEnds
  /** Number of due steps, up to the limit. */
  readonly count: number
}

/**
 * Ends up to `limit` due steps in one transaction. Steps are taken in order, so halving the limit after
 * `failed` isolates the step that fails; on its own, it is postponed.
 */
async function expireOrPostpone(
  context: DeadlinesContext,
  dueBefore: Date,
  limit: number,
): Promise<ExpiredBatch | 'failed' | 'postponed'> {
  const { database, log } = context
  let single: StepKey | undefined
  try {
    return await inTransaction(database, async (transaction) => {
      if (limit === 1) single = await lockFirstDue(transaction, dueBefore)
      return expire(context, transaction, dueBefore, limit)
    })
  } catch (error) {
    const scope = classifyError(error)
    if (scope === 'engine') throw error
    if (limit > 1) return 'failed'
    if (single === undefined) throw error
    await postponeDeadline(database, single, new Date(clock.now() + postponeMs[scope]))
    log.error(
      { message: single.msgKey, step: single.step, err: error as Error },
      'a step past its deadline cannot be ended and is retried later; the other steps are not affected. See `postern message show`',
    )
    // Only one in each run: if the engine is at fault, few steps are postponed.
    if (scope === 'unclear') throw error
    return 'postponed'
  }
}

async function expire(
  { routes, outbox }: DeadlinesContext,
  transaction: Queryable,
  dueBefore: Date,
  limit: number,
): Promise<ExpiredBatch> {
  const expired = await claimExpired(transaction, dueBefore, limit)
  const resent = expired.filter((step) => mayResend(step, routes.value))
  await resendSteps(
    transaction,
    resent.map((step) => ({ ...step, ttlMs: step.dueAt.getTime() - step.sentAt.getTime() })),
  )
  const failed = expired.filter((step) => !resent.includes(step))
  return { ends: await endSteps(transaction, failed, outbox.stepTtlSeconds), count: expired.length }
}

/**
 * Reports whether a step that may have been delivered is sent again: only if the route's operator prefers
 * duplicates to losses.
 */
function mayResend({ cause, routeId, isStopped, try: nth }: ExpiredStep, routes: readonly Route[]): boolean {
  if (cause !== 'outcome-unknown' || nth >= maxSubmissions || isStopped) return false
  return routes.some(({ id, unknownPolicy }) => id === routeId && unknownPolicy === 'resend')
}
