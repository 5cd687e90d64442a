/**
 * The bulk statements of dispatch, shared by all routes of a process: claims, returned claims and recorded attempts are
 * collected over routes and written together. Each call waits until PostgreSQL is available again. It rejects when the
 * process stops, or when its own item can never be written; the other items of the batch are written. An answer that
 * cannot be stored as it is becomes a reduced one, because the carrier may have accepted the message.
 */
import { recordAttempts, type AttemptRow } from '../../records/attempts/attempts.ts'
import { advanceOrphans } from '../../records/attempts/orphans.ts'
import {
  claimSteps,
  returnClaims,
  takeOverClaim,
  takeOverRest,
  type ClaimResult,
  type StepClaim,
} from '../../records/messages/claim.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { Batcher } from '../../platform/batcher.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { isTransient, scopeOf } from '../../platform/transient.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { retryTransient } from '../../platform/retry.ts'
import { interrupted, reduceAttempt } from './step/outcomes.ts'

export interface AttemptWriter {
  claim(claim: StepClaim, signal: AbortSignal): Promise<ClaimResult>
  takeOver(claim: StepClaim, signal: AbortSignal): Promise<boolean>
  takeOverRest(
    claim: StepClaim,
    from: readonly number[],
    signal: AbortSignal,
  ): Promise<'claimed' | 'unanswered' | 'stale'>
  returnClaim(claim: StepClaim, signal: AbortSignal): Promise<void>
  /** Returns the unused claim of the previous owner that the job names, and resolves to the job without it. */
  withoutClaim(job: RouteJob, signal: AbortSignal): Promise<RouteJob>
  record(rows: readonly AttemptRow[], signal: AbortSignal): Promise<void>
}

const bulk = { maxItems: 200, concurrency: 2, scopeOf }

export function createAttemptWriter(database: Database, metrics: Metrics, log: Log): AttemptWriter {
  const claims = new Batcher<StepClaim, ClaimResult>(bulk, (batch) => {
    metrics.batchSize.observe({ stage: 'claim' }, batch.length)
    return claimSteps(database, batch)
  })
  const createReturns = (): Batcher<StepClaim> =>
    new Batcher<StepClaim>(bulk, async (batch) => {
      await returnClaims(database, batch)
      return batch.map(() => undefined)
    })
  const returns = createReturns()
  // The claims of previous owners have their own batches, which may wait for a statement that is not committed.
  const previousReturns = createReturns()
  const records = new Batcher<readonly AttemptRow[]>(bulk, async (groups) => {
    metrics.batchSize.observe({ stage: 'record' }, groups.length)
    const rows = groups.flat()
    await recordAttempts(database, rows)
    // Their receipts may have come before them, without anything to be matched to.
    if (rows.some(({ code }) => code === interrupted.code)) await advanceOrphans(database, clock.date())
    return groups.map(() => undefined)
  })
  const write = (rows: readonly AttemptRow[], signal: AbortSignal): Promise<void> =>
    retryTransient(() => records.add(rows), { what: 'recording attempts', log, signal })

  async function writeReduced(row: AttemptRow, signal: AbortSignal): Promise<void> {
    try {
      await write([row], signal)
    } catch (error) {
      if (signal.aborted || isTransient(error)) throw error
      log.error(
        { message: row.msgKey, step: row.step, part: row.part, route: row.routeId, err: error as Error },
        'the answer of the carrier cannot be recorded as it is; it is recorded without its id and code, and its receipt is matched by recipient. Check what the carrier sends',
      )
      await write([reduceAttempt(row)], signal)
    }
  }

  return {
    claim: (claim, signal) =>
      retryTransient(() => claims.add(claim), { what: 'claiming a step', log, signal }),
    takeOver: (claim, signal) =>
      retryTransient(() => takeOverClaim(database, claim), { what: 'taking a claim over', log, signal }),
    takeOverRest: (claim, from, signal) =>
      retryTransient(() => takeOverRest(database, claim, from), {
        what: 'taking a claim over',
        log,
        signal,
      }),
    returnClaim: (claim, signal) =>
      retryTransient(() => returns.add(claim), { what: 'returning a claim', log, signal }),
    async withoutClaim({ unsubmittedClaim: token, ...job }, signal) {
      if (token !== undefined) {
        const claim = { ...job, token }
        await retryTransient(() => previousReturns.add(claim), { what: 'returning a claim', log, signal })
      }
      return job
    },
    async record(rows, signal) {
      try {
        await write(rows, signal)
      } catch (error) {
        if (signal.aborted || isTransient(error)) throw error
        for (const row of rows) await writeReduced(row, signal)
      }
    },
  }
}
