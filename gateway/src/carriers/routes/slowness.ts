/**
 * Determines why messages wait for a route that accepts messages: throttling by the carrier, the route's own limit, or slow
 * responses. For monitoring only; routing does not depend on it.
 */

/**
 * `throttled`: the carrier accepts no more. `limit`: the route is limited to no more. `answers`: the route submits less than
 * arrives without reaching a limit, because its window is full of submissions without a response.
 */
export const slownessCauses = ['throttled', 'limit', 'answers'] as const
export type Slowness = (typeof slownessCauses)[number]

/** The part of the state of a route share that determines slowness. */
export interface SlowState {
  /** Fraction of recent submissions that the carrier throttled. */
  readonly throttledShare: number
  /** Maximum parts per second that the owner has measured; null if there is no limit. */
  readonly rate: number | null
  /** Parts submitted in the last second. */
  readonly submitted: number
  /** Parts that wait in the owner's memory; a route without a rate can have its whole backlog there. */
  readonly queued: number
  /** Number of owners that divide the rate of the route. */
  readonly owners: number
}

/** A longer wait counts as slow; a step that only waits for its turn takes about a second. */
const maxWaitSeconds = 10
/** Assumed minimum, because a route can submit nothing in a second. */
const minSubmitted = 0.5
/** Same threshold as for an impaired route, see `operations/routes/flow.ts`. */
const minThrottledShare = 0.05

/**
 * Returns null for a route that keeps up. `states` are those of the shares with an owner; each has its part of the limit.
 * `waitingSeconds` is the age of the oldest step that waits for the route and could be submitted now. `partsPerSecond` is the
 * configured rate; 0 means no limit.
 */
export function findSlowness(
  states: readonly SlowState[],
  waitingSeconds: number,
  partsPerSecond: number,
): Slowness | null {
  const submitted = states.reduce((sum, state) => sum + state.submitted, 0)
  const queued = states.reduce((sum, state) => sum + state.queued, 0)
  // Parts in memory wait until those before them are submitted.
  const aheadSeconds = queued / Math.max(submitted, minSubmitted)
  if (states.length === 0 || Math.max(waitingSeconds, aheadSeconds) <= maxWaitSeconds) return null
  const isBounded = states.every(({ rate }) => rate !== null)
  const rate = isBounded ? states.reduce((sum, state) => sum + state.rate!, 0) : null
  // A rate more than 5 % below the configured one was measured from refusals, even if this rate causes none.
  const limit = states.reduce((sum, { owners }) => sum + partsPerSecond / owners, 0)
  const isLearned = rate !== null && (partsPerSecond === 0 || rate < limit * 0.95)
  if (isLearned || states.some(({ throttledShare }) => throttledShare > minThrottledShare)) return 'throttled'
  // From 80 % of its limit, a route counts as limited.
  return partsPerSecond > 0 && submitted >= limit * 0.8 ? 'limit' : 'answers'
}
