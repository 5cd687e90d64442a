import fc from 'fast-check'
import type { Cause } from '../../src/channels/cause.ts'

export interface PartPlan {
  readonly response: 'accepted' | 'accepted-without-id' | 'refused' | 'unknown'
  /** Receipts of the carrier, which arrive in any order. The first one that is settled counts. */
  readonly receipts: readonly Cause[]
}

export interface StepPlan {
  readonly channel: 'sms' | 'rcs'
  readonly parts: readonly PartPlan[]
}

/** Flow of one message with the responses and receipts of carriers. */
export interface MessagePlan {
  readonly steps: readonly StepPlan[]
  /** Determines the random decisions about this message. */
  readonly seed: number
}

const receipts: fc.Arbitrary<Cause[]> = fc.array(
  fc.constantFrom<Cause>('delivered', 'delivered', 'phone-off', 'failed'),
  { maxLength: 3 },
)
const part: fc.Arbitrary<PartPlan> = fc.record({
  response: fc.constantFrom('accepted', 'accepted', 'accepted', 'accepted-without-id', 'refused', 'unknown'),
  receipts,
})
const step: fc.Arbitrary<StepPlan> = fc.record({
  channel: fc.constantFrom('sms', 'rcs'),
  parts: fc.array(part, { minLength: 1, maxLength: 3 }),
})

export const messagePlan: fc.Arbitrary<MessagePlan> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  seed: fc.nat(),
})

/**
 * Creates a repeatable generator of random numbers from 0 to below 1. Each message has its own, so its decisions
 * do not depend on other messages.
 */
export function seededRandom(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
