import type { ResponseJob } from '../../jobs/jobs.ts'
import { stepId } from '../../jobs/step-key.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { parseResponseJob } from '../../records/attempts/response-job.ts'
import {
  findRefusals,
  recordAttempts,
  type AttemptRow,
  type RefusedAttempt,
} from '../../records/attempts/attempts.ts'
import { advanceOrphans } from '../../records/attempts/orphans.ts'
import { pinClaims } from '../../records/messages/claim.ts'

/**
 * Records outcomes that reached settle as jobs because the process that received them could not record them.
 * Must be called before the transaction that settles, which locks parts in another order. Receipts that
 * arrived before the outcomes are matched again soon. Returns the refusals as stored now: the next owner of
 * the route may have repeated a refused part in the meantime, and the carrier may have accepted it.
 */
export async function recordOutcomes(
  database: Database,
  jobs: readonly ResponseJob[],
): Promise<RefusedAttempt[]> {
  const rows = await pinClaimsOfRefusals(database, jobs)
  if (rows.length === 0) return []
  await recordAttempts(database, rows)
  // No receipt waits for a part that was refused.
  if (!rows.every(isRefused)) await advanceOrphans(database, clock.date())
  const refused = rows.filter(isRefused)
  return refused.length === 0 ? [] : findRefusals(database, refused)
}

/**
 * Protects the claims of refused steps from takeover. Returns the rows of all jobs, except refusals whose owner no longer
 * holds the claim of the step: the next owner may be repeating the step, and the carrier's response to that decides.
 */
async function pinClaimsOfRefusals(database: Database, jobs: readonly ResponseJob[]): Promise<AttemptRow[]> {
  const claims = jobs.flatMap(({ claim: token, answers, ...job }) =>
    answers.some(isRefused) ? [{ ...job, token }] : [],
  )
  const lostClaims = claims.length === 0 ? [] : await pinClaims(database, claims)
  const repeated = new Set(lostClaims.map(({ token, ...step }) => `${stepId(step)}/${token}`))
  return jobs.flatMap((job) => {
    const rows = parseResponseJob(job)
    return repeated.has(`${stepId(job)}/${job.claim}`) ? rows.filter((row) => !isRefused(row)) : rows
  })
}

const isRefused = ({ outcome }: Pick<AttemptRow, 'outcome'>): boolean => outcome === 'refused'
