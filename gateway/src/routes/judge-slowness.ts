/**
 * Decides why messages wait for a route that takes messages: its carrier throttles it, it submits at its own limit, or its carrier answers
 * slowly. For whoever watches: nothing is routed by it. Pure.
 */

/**
 * `throttled`: the carrier takes no more. `limit`: the route is set to no more. `answers`: neither bounds it, and it submits less than
 * arrives, because its window is full of submissions that are not answered.
 */
export const slownesses = ['throttled', 'limit', 'answers'] as const
export type Slowness = (typeof slownesses)[number]

/** The part of the states of a route's shares that the decision needs. */
export interface SlowState {
  /** Share of recent submissions that the carrier throttled, 0 to 1. */
  readonly throttledShare: number
  /** Parts per second at most, as its owner has learned; null: nothing bounds it. */
  readonly rate: number | null
  /** Parts in the last second. */
  readonly submitted: number
  /** Parts that wait in the memory of its owner: a route without a rate may have all of its backlog there. */
  readonly queued: number
  /** Owners by which the rate of the route is divided. */
  readonly owners: number
}

/** A step that waits for its turn takes about a second. */
const maxWaitSeconds = 10
const minSubmitted = 0.5
/** As a route that is impaired, see `acts/route-flow.ts`. */
const minThrottledShare = 0.05

/**
 * Null for a route that keeps up. `waitingSeconds`: how long the oldest step has waited for it that could be submitted now.
 * `states`: of the shares that have an owner; each has its part of the limit. `partsPerSecond`: of its settings; 0: no limit.
 */
export function slownessOf(
  states: readonly SlowState[],
  waitingSeconds: number,
  partsPerSecond: number,
): Slowness | null {
  const submitted = states.reduce((sum, state) => sum + state.submitted, 0)
  const queued = states.reduce((sum, state) => sum + state.queued, 0)
  // What is in memory takes as long as it takes to submit it.
  const aheadSeconds = queued / Math.max(submitted, minSubmitted)
  if (states.length === 0 || Math.max(waitingSeconds, aheadSeconds) <= maxWaitSeconds) return null
  const isBounded = states.every(({ rate }) => rate !== null)
  const rate = isBounded ? states.reduce((sum, state) => sum + state.rate!, 0) : null
  // A rate below that of the settings was learned from refusals, also when there are none at this rate.
  const limit = states.reduce((sum, { owners }) => sum + partsPerSecond / owners, 0)
  const isLearned = rate !== null && (partsPerSecond === 0 || rate < limit * 0.95)
  if (isLearned || states.some(({ throttledShare }) => throttledShare > minThrottledShare)) return 'throttled'
  return partsPerSecond > 0 && submitted >= limit * 0.8 ? 'limit' : 'answers'
}
