/**
 * Ends steps: a failed one starts the next step of its flow, any other end closes the message, and so does a failure of
 * a stopped account, of a step that is the last that may be sent, or of one that may have been delivered where its account
 * wants no fallback then. The next step and its entry in the outbox commit together, so a crash afterwards loses no step.
 * Called in the transactions of settle and of the deadlines.
 */
import { inKeyOrder, stepId } from '../../jobs/step-key.ts'
import type { Queryable } from '../../platform/database.ts'
import { startNextSteps } from '../../records/messages/advance.ts'
import { closeMessages, type Closed, type EndedStep } from '../../records/messages/close.ts'
import { oweSteps } from '../scheduling/outbox.ts'

export interface EndStepsResult {
  /** Report codes of the messages that closed. */
  readonly codes: readonly string[]
  /** Keys of the messages whose next step has started and must be released. */
  readonly advanced: readonly string[]
  /** The same, each with the step that closed it. */
  readonly closed: readonly Closed[]
  /** Steps after which the next one of their flow was started. */
  readonly continued: readonly EndedStep[]
  /** Ids of the steps that ended here. A step that is missing had been ended by another worker. */
  readonly ended: ReadonlySet<string>
}

export async function endSteps(
  transaction: Queryable,
  unsorted: readonly EndedStep[],
  stepTtlSeconds: number,
): Promise<EndStepsResult> {
  const steps = inKeyOrder(unsorted)
  const failed = steps.filter(
    ({ cause, last }) => cause !== 'delivered' && cause !== 'account-stopped' && last !== true,
  )
  const { ended, started, stopped } =
    failed.length === 0
      ? { ended: [], started: [], stopped: [] }
      : await startNextSteps(transaction, failed, stepTtlSeconds)
  const ofStopped = new Set(stopped)
  await oweSteps(transaction, started)
  const advanced = new Set(started.map(({ msgKey }) => msgKey))
  const closed = await closeMessages(
    transaction,
    steps.flatMap((step) => {
      if (advanced.has(step.msgKey)) return []
      return step.cause === 'account-stopped' || ofStopped.has(step) ? [{ ...step, last: true }] : [step]
    }),
  )
  return {
    codes: closed.map(({ code }) => code),
    advanced: [...advanced],
    closed,
    continued: ended,
    ended: new Set([...ended, ...closed.map(({ step }) => step)].map(stepId)),
  }
}
