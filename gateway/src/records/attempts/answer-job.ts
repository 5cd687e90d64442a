/**
 * Answers of a carrier as a job, and back: for a process that knows them and cannot record them. Dispatch writes such jobs,
 * settle reads and records them. Pure.
 */
import type { AnswerJob } from '../../jobs/jobs.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import type { AttemptRow } from './attempts.ts'
import { storedRecipient } from './stored-recipient.ts'

/** The rows are of one step, at least one. `claim`: the token that the step was submitted with. */
export function toAnswerJob(rows: readonly AttemptRow[], claim?: number): AnswerJob {
  const { msgKey, step, try: nth, routeId, recipient, routeReason, heldReason, heldMs } = rows[0]!
  return {
    ...{ v: 1, kind: 'answer', msgKey, step, try: nth, routeId },
    recipient: messageCipher.sealing ? storedRecipient(recipient) : recipient,
    ...(claim === undefined ? {} : { claim }),
    ...(typeof routeReason === 'string' ? { routeReason } : {}),
    ...(typeof heldReason === 'string' ? { heldReason } : {}),
    ...(typeof heldMs === 'number' ? { heldMs } : {}),
    answers: rows.map((row) => ({
      ...{ part: row.part, parts: row.parts, outcome: row.outcome },
      ...{ carrierId: row.carrierId, code: row.code, cause: row.cause },
      ...(row.reportCode === undefined ? {} : { reportCode: row.reportCode }),
      ...(row.portedTo === undefined ? {} : { portedTo: row.portedTo }),
      carrier: row.carrier ?? null,
      at: row.submittedAt.getTime(),
    })),
  }
}

export function fromAnswerJob(job: AnswerJob): AttemptRow[] {
  const { msgKey, step, try: nth, routeId, recipient, routeReason, heldReason, heldMs } = job
  return job.answers.map(({ at, ...answer }) => ({
    ...{ msgKey, step, try: nth, routeId, recipient, routeReason, heldReason, heldMs },
    ...answer,
    submittedAt: new Date(at),
  }))
}
