import type { SubmitOutcome } from '../../../carriers/connectors/connector.ts'
import { backoffMs, type Random } from '../../../platform/time/backoff.ts'

export interface AfterOutcome {
  /** The outcome is recorded; the part is not submitted again here. */
  readonly recorded: boolean
  /** Counts against the maximum number of tries. */
  readonly counts: boolean
}

/**
 * How a step continues after each outcome of a submission.
 *
 * `refused` is final for the step. `unknown` waits for a receipt until the step's deadline. `throttled` slows the whole
 * route and costs the message no try: the carrier limits the link, not the message. `unreachable` was certainly not
 * accepted: it is retried here a few times, then waits in a table, where another route may take it, and fails after a
 * maximum number of tries. A failure that takes the link down costs no try: the message waits for the link until its
 * deadline.
 */
export const afterOutcome: Readonly<Record<SubmitOutcome['kind'], AfterOutcome>> = {
  accepted: { recorded: true, counts: false },
  refused: { recorded: true, counts: false },
  unknown: { recorded: true, counts: false },
  throttled: { recorded: false, counts: false },
  unreachable: { recorded: false, counts: true },
}

export type RetryDecision =
  /** This route submits the step again after this time. */
  | { readonly kind: 'retry'; readonly afterMs: number }
  /** Any route may take the step after this time. */
  | { readonly kind: 'later'; readonly afterMs: number }
  | { readonly kind: 'failed' }

const failuresPerRoute = 6
const maxFailures = 30
const backoffOnRoute = { firstMs: 200, maxMs: 5_000 }
const backoffLater = { firstMs: 20_000, maxMs: 20_000 }

/**
 * Returns how a step continues after `unreachable`; `failures` counts the submissions with that outcome that
 * left the link up. A step whose only setback is `throttled` is not counted and needs no decision: it waits
 * for its turn at the route again.
 */
export function decideRetry(failures: number, random: Random = Math.random): RetryDecision {
  if (failures >= maxFailures) return { kind: 'failed' }
  const onRoute = failures % failuresPerRoute
  if (failures > 0 && onRoute === 0) return { kind: 'later', afterMs: backoffMs(0, backoffLater, random) }
  return { kind: 'retry', afterMs: backoffMs(Math.max(0, onRoute - 1), backoffOnRoute, random) }
}
