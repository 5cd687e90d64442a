/**
 * How a step continues after each outcome of a submission, in one table.
 *
 * `refused` is final for the step. `unknown` waits for a receipt until the step's deadline. `throttled` slows the whole
 * route and costs the message none of its tries: the carrier limits the link, not the message. `unreachable` was
 * certainly not accepted: it is tried again here a few times, then waits in a table, where another route may take it, and
 * fails after a bounded number of tries. A failure that takes the link down costs no try: the message waits for the link
 * until its deadline.
 */
import type { SubmitOutcome } from '../../../connectors/connector.ts'
import { backoffMs, type Random } from '../../../platform/backoff.ts'

export interface AfterOutcome {
  /** The answer is recorded; the part is not submitted again here. */
  readonly recorded: boolean
  /** Counts against the bounded number of tries. */
  readonly counts: boolean
}

export const afterOutcome: Readonly<Record<SubmitOutcome['kind'], AfterOutcome>> = {
  accepted: { recorded: true, counts: false },
  refused: { recorded: true, counts: false },
  unknown: { recorded: true, counts: false },
  throttled: { recorded: false, counts: false },
  unreachable: { recorded: false, counts: true },
}

export type NextTry =
  /** This route submits the step again after this time. */
  | { readonly kind: 'retry'; readonly afterMs: number }
  /** Any route may take the step after this time. */
  | { readonly kind: 'later'; readonly afterMs: number }
  | { readonly kind: 'failed' }

const failuresPerRoute = 6
const maxFailures = 30
const backoffOnRoute = { firstMs: 200, maxMs: 5_000 }
const backoffLater = { firstMs: 20_000, maxMs: 20_000 }

/** `failures` counts the submissions that the carrier certainly did not accept. */
export function nextTry(failures: number, random: Random = Math.random): NextTry {
  if (failures >= maxFailures) return { kind: 'failed' }
  const onRoute = failures % failuresPerRoute
  if (failures > 0 && onRoute === 0) return { kind: 'later', afterMs: backoffMs(0, backoffLater, random) }
  return { kind: 'retry', afterMs: backoffMs(Math.max(0, onRoute - 1), backoffOnRoute, random) }
}
