import { recordAttempts, type AttemptRow } from '../../../records/attempts/attempts.ts'
import { advanceOrphans } from '../../../records/attempts/orphans.ts'
import {
  claimSteps,
  returnClaims,
  takeOverClaim,
  type StepClaimResult,
  type StepClaim,
} from '../../../records/messages/claim.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import { Batcher } from '../../../platform/database/batcher.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { isTransient, classifyError } from '../../../platform/database/transient.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { retryTransient } from '../../../platform/database/retry.ts'
import { interrupted, reduceAttempt } from '../step/outcomes.ts'

/**
 * Writes claims, returned claims and attempts of all routes of a process in bulk, and takeovers singly. Each call waits
 * until PostgreSQL is available again. It rejects when its signal aborts, or when its own item can never be written; the
 * other items of the batch are written. `record` first reduces a response that cannot be stored unchanged, because the
 * carrier may have accepted the message; it rejects if the reduced one cannot be written either.
 */
export interface AttemptWriter {
  claim(claim: StepClaim, signal: AbortSignal): Promise<StepClaimResult>
  /**
   * Takes over the claim of a previous owner of the same route, whose carrier recognizes a repeated submission. Resolves
   * to false if it cannot be taken over, for example because an outcome is recorded.
   */
  takeOver(claim: StepClaim, signal: AbortSignal): Promise<boolean>
  returnClaim(claim: StepClaim, signal: AbortSignal): Promise<void>
  /** Gives back the unused claim of the previous owner that the job names; resolves with the job without it. */
  returnPreviousClaim(job: RouteJob, signal: AbortSignal): Promise<RouteJob>
  record(rows: readonly AttemptRow[], signal: AbortSignal): Promise<void>
}

const bulk = { maxItems: 200, concurrency: 2, scopeOf: classifyError }

export function createAttemptWriter(database: Database, metrics: Metrics, log: Log): AttemptWriter {
  const claims = new Batcher<StepClaim, StepClaimResult>(bulk, (batch) => {
    metrics.batchSize.observe({ stage: 'claim' }, batch.length)
    return claimSteps(database, batch)
  })
  const createReturns = (): Batcher<StepClaim> =>
    new Batcher<StepClaim>(bulk, async (batch) => {
      await returnClaims(database, batch)
      return batch.map(() => undefined)
    })
  const returns = createReturns()
  // The claims of previous owners have separate batches, because these may wait for a statement that is not
  // committed.
  const previousReturns = createReturns()
  const records = new Batcher<readonly AttemptRow[]>(bulk, async (groups) => {
    metrics.batchSize.observe({ stage: 'record' }, groups.length)
    const rows = groups.flat()
    await recordAttempts(database, rows)
    // The receipts may have arrived before the attempts and matched nothing, so match them again soon.
    if (rows.some(({ code }) => code === interrupted.code)) await advanceOrphans(database, clock.date())
    return groups.map(() => undefined)
  })
  const write = (rows: readonly AttemptRow[], signal: AbortSignal): Promise<void> =>
    retryTransient(() => records.add(rows), { what: 'recording attempts', log, signal })

  async function writeOrReduce(row: AttemptRow, signal: AbortSignal): Promise<void> {
    try {
      await write([row], signal)
    } catch (error) {
      if (signal.aborted || isTransient(error)) throw error
      log.error(
        { message: row.msgKey, step: row.step, part: row.part, route: row.routeId, err: error as Error },
        'the response of the carrier cannot be recorded unchanged; it is recorded without its id and code, and its receipt is matched by recipient unless it was a refusal. Check the responses of the carrier',
      )
      await write([reduceAttempt(row)], signal)
    }
  }

  return {
    claim: (claim, signal) =>
      retryTransient(() => claims.add(claim), { what: 'claiming a step', log, signal }),
    takeOver: (claim, signal) =>
      retryTransient(() => takeOverClaim(database, claim), { what: 'taking a claim over', log, signal }),
    returnClaim: (claim, signal) =>
      retryTransient(() => returns.add(claim), { what: 'returning a claim', log, signal }),
    async returnPreviousClaim({ unsubmittedClaim: token, ...job }, signal) {
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
        for (const row of rows) await writeOrReduce(row, signal)
      }
    },
  }
}
