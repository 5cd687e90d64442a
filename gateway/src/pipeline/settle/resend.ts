/**
 * Starts the next try of steps that may have been submitted, got no receipt by their deadline, and whose route's policy is
 * to resend rather than to fail. Each try has its own deadline. Their number is bounded, because every try may have been
 * delivered. Called at the deadline.
 */
import type { StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import { startNextTries } from '../../records/messages/advance.ts'
import { oweRetries } from '../scheduling/outbox.ts'

export const maxTries = 3

export interface Resend extends StepKey {
  /** The time that the last try had from its submission. */
  readonly ttlMs: number
}

/** The rows must be locked by the caller. */
export async function resendSteps(transaction: Queryable, steps: readonly Resend[]): Promise<void> {
  if (steps.length === 0) return
  const now = clock.now()
  const started = await startNextTries(
    transaction,
    steps.map(({ ttlMs, ...key }) => ({ ...key, dueAt: new Date(now + Math.max(1_000, ttlMs)) })),
  )
  await oweRetries(transaction, started)
}
