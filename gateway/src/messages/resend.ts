/**
 * Steps that were perhaps submitted, never heard of again, and whose route's policy is to send again rather than to
 * fail: the next try of the same step begins, with a deadline of its own. Bounded, because every try may have arrived.
 */
import type { Queryable } from '../platform/database.ts'
import type { StepKey } from './claim.ts'
import { holdSteps } from './waiting.ts'

export const mostTries = 3

export interface Resend extends StepKey {
  /** As long as the last try had from its submission. */
  readonly ttlMs: number
}

/** The rows must be locked by the caller. */
export async function resendSteps(transaction: Queryable, steps: readonly Resend[]): Promise<void> {
  if (steps.length === 0) return
  const now = Date.now()
  const moved = await transaction.query<{ msgKey: string; step: number; try: number; accountId: number }>(
    `update in_flight f set try = f.try + 1, state = 'released', due_at = r.due_at
       from unnest($1::text[], $2::smallint[], $3::smallint[], $4::timestamptz[]) as r (msg_key, step, try, due_at)
      where f.msg_key = any (array[r.msg_key]) and f.step = r.step and f.try = r.try
     returning f.msg_key as "msgKey", f.step, f.try, f.account_id as "accountId"`,
    [
      steps.map((step) => step.msgKey),
      steps.map((step) => step.step),
      steps.map((step) => step.try),
      steps.map((step) => new Date(now + Math.max(1_000, step.ttlMs))),
    ],
  )
  await holdSteps(
    transaction,
    moved.rows.map((row) => ({
      ...row,
      routeId: '',
      lane: 'normal',
      parts: 1,
      tries: 0,
      releaseAt: new Date(now),
      why: 'retry',
    })),
  )
}
