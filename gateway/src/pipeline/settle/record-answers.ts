/** Records carrier answers that reached settle as jobs because the process that received them could not record them. */
import type { AnswerJob } from '../../jobs/jobs.ts'
import { stepId } from '../../jobs/step-key.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { fromAnswerJob } from '../../records/attempts/answer-job.ts'
import {
  findRefusals,
  recordAttempts,
  type AttemptRow,
  type Refusal,
} from '../../records/attempts/attempts.ts'
import { advanceOrphans } from '../../records/attempts/orphans.ts'
import { keepClaims } from '../../records/messages/claim.ts'

/**
 * Must be called before the transaction that settles, which locks parts in another order. Receipts that arrived before the
 * answers are matched again soon. Returns the refusals as stored now: the next owner of the route may have repeated a
 * refused part meanwhile, and the carrier may have accepted it.
 */
export async function recordAnswers(database: Database, jobs: readonly AnswerJob[]): Promise<Refusal[]> {
  const rows = await withoutRepeated(database, jobs)
  if (rows.length === 0) return []
  await recordAttempts(database, rows)
  // No receipt waits for a part that was refused.
  if (!rows.every(isRefused)) await advanceOrphans(database, clock.date())
  const refused = rows.filter(isRefused)
  return refused.length === 0 ? [] : findRefusals(database, refused)
}

/**
 * Drops refusals whose owner no longer holds the claim of the step: the next owner may be repeating the step, and the
 * carrier's answer to that decides.
 */
async function withoutRepeated(database: Database, jobs: readonly AnswerJob[]): Promise<AttemptRow[]> {
  const claims = jobs.flatMap(({ claim: token, answers, ...job }) =>
    answers.some(isRefused) ? [{ ...job, token }] : [],
  )
  const lost = claims.length === 0 ? [] : await keepClaims(database, claims)
  const repeated = new Set(lost.map(({ token, ...step }) => `${stepId(step)}/${token}`))
  return jobs.flatMap((job) => {
    const rows = fromAnswerJob(job)
    return repeated.has(`${stepId(job)}/${job.claim}`) ? rows.filter((row) => !isRefused(row)) : rows
  })
}

const isRefused = ({ outcome }: Pick<AttemptRow, 'outcome'>): boolean => outcome === 'refused'
