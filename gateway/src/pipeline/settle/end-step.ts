/**
 * What the end of a step means: a failed one starts the next of its flow, anything else closes the message. The next
 * step and its entry in the outbox commit together, so a crash afterwards loses no step.
 */
import { stepId } from '../../jobs/step-key.ts'
import type { Queryable } from '../../platform/database.ts'
import { startNextSteps } from '../../records/messages/advance.ts'
import { closeMessages, type EndedStep } from '../../records/messages/close.ts'
import { oweSteps } from '../scheduling/outbox.ts'

export interface EndStepsResult {
  /** Report codes of the messages that closed. */
  readonly codes: readonly string[]
  /** Keys of the messages whose next step has started and must be released. */
  readonly advanced: readonly string[]
  /** Steps that ended here. Whoever finds a step missing comes after somebody else who has ended it. */
  readonly ended: ReadonlySet<string>
}

export async function endSteps(
  transaction: Queryable,
  conclusions: readonly EndedStep[],
  stepTtlSeconds: number,
): Promise<EndStepsResult> {
  const failed = conclusions.filter(({ cause }) => cause !== 'delivered')
  const { ended, started } =
    failed.length === 0
      ? { ended: [], started: [] }
      : await startNextSteps(transaction, failed, stepTtlSeconds)
  await oweSteps(transaction, started)
  const advanced = new Set(started.map(({ msgKey }) => msgKey))
  const closed = await closeMessages(
    transaction,
    conclusions.filter(({ msgKey }) => !advanced.has(msgKey)),
  )
  return {
    codes: closed.map(({ code }) => code),
    advanced: [...advanced],
    ended: new Set([...ended, ...closed.map(({ step }) => step)].map(stepId)),
  }
}
