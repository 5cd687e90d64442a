/**
 * Steps that were perhaps submitted, never heard of again, and whose route's policy is to send again rather than to
 * fail: the next try of the same step begins, with a deadline of its own. Bounded, because every try may have arrived.
 */
import type { StepKey } from '../../jobs/step-key.ts'
import type { Queryable } from '../../platform/database.ts'
import { startNextTries } from '../../records/messages/advance.ts'
import { oweRetries } from '../scheduling/outbox.ts'

export const maxTries = 3

export interface Resend extends StepKey {
  /** As long as the last try had from its submission. */
  readonly ttlMs: number
}

/** The rows must be locked by the caller. */
export async function resendSteps(transaction: Queryable, steps: readonly Resend[]): Promise<void> {
  if (steps.length === 0) return
  const now = Date.now()
  const started = await startNextTries(
    transaction,
    steps.map(({ ttlMs, ...key }) => ({ ...key, dueAt: new Date(now + Math.max(1_000, ttlMs)) })),
  )
  await oweRetries(transaction, started)
}
