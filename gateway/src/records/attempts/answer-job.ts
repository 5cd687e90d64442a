/** Converts a carrier's answers to a job and back: a process that cannot record them leaves that to settle. */
import type { AnswerJob } from '../../jobs/jobs.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import type { AttemptRow } from './attempts.ts'
import { storedRecipient } from './identifiers.ts'

/** The rows, at least one, belong to one step. `claim` is the token that the step was submitted with. */
export function toAnswerJob(rows: readonly AttemptRow[], claim: number): AnswerJob {
  const { msgKey, step, try: nth, routeId, recipient, routeReason, heldReason, heldMs } = rows[0]!
  return {
    v: 1,
    kind: 'answer',
    msgKey,
    step,
    try: nth,
    routeId,
    recipient: messageCipher.sealing ? storedRecipient(recipient) : recipient,
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

export function fromAnswerJob(job: AnswerJob): AttemptRow[] {
  const { msgKey, step, try: nth, routeId, recipient, routeReason, heldReason, heldMs } = job
  const submission = { msgKey, step, try: nth, routeId, recipient, routeReason, heldReason, heldMs }
  return job.answers.map(({ at, ...answer }) => ({ ...submission, ...answer, submittedAt: new Date(at) }))
}
