/**
 * Converts carrier responses to a job and back. A process that cannot record responses leaves that to the
 * settle stage.
 */
import type { ResponseJob } from '../../jobs/jobs.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import type { AttemptRow } from './attempts.ts'
import { toStoredRecipient } from './identifiers.ts'

/**
 * Builds the job from `rows`, at least one, which must belong to one step. `claim` is the token that the step
 * was submitted with.
 */
export function toResponseJob(rows: readonly AttemptRow[], claim: number): ResponseJob {
  const { msgKey, step, try: nth, routeId, recipient, routeReason, heldReason, heldMs } = rows[0]!
  return {
    v: 1,
    kind: 'answer',
    msgKey,
    step,
    try: nth,
    routeId,
    recipient: messageCipher.sealing ? toStoredRecipient(recipient) : recipient,
    claim,
    ...(typeof routeReason === 'string' ? { routeReason } : {}),
    ...(typeof heldReason === 'string' ? { heldReason } : {}),
    ...(typeof heldMs === 'number' ? { heldMs } : {}),
    answers: rows.map((row) => ({
      part: row.part,
      parts: row.parts,
      outcome: row.outcome,
      carrierId: row.carrierId,
      code: row.code,
      cause: row.cause,
      ...(row.reportCode === undefined ? {} : { reportCode: row.reportCode }),
      ...(row.portedTo === undefined ? {} : { portedTo: row.portedTo }),
      carrier: row.carrier ?? null,
      at: row.submittedAt.getTime(),
    })),
  }
}

export function parseResponseJob(job: ResponseJob): AttemptRow[] {
  const { msgKey, step, try: nth, routeId, recipient, routeReason, heldReason, heldMs } = job
  const submission = { msgKey, step, try: nth, routeId, recipient, routeReason, heldReason, heldMs }
  return job.answers.map(({ at, ...answer }) => ({ ...submission, ...answer, submittedAt: new Date(at) }))
}
