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
  /** Again on this route, after this long. */
  | { readonly kind: 'here'; readonly afterMs: number }
  /** It waits in a table for this long; any route may take it then. */
  | { readonly kind: 'later'; readonly afterMs: number }
  | { readonly kind: 'never' }

const triesHere = 6
const maxTries = 30
const backoffHere = { firstMs: 200, maxMs: 5_000 }
const backoffLater = { firstMs: 20_000, maxMs: 20_000 }

/** `tries`: submissions so far that the carrier certainly did not accept. */
export function nextTry(tries: number, random: Random = Math.random): NextTry {
  if (tries >= maxTries) return { kind: 'never' }
  if (tries > 0 && tries % triesHere === 0)
    return { kind: 'later', afterMs: backoffMs(0, backoffLater, random) }
  const failures = Math.max(0, (tries % triesHere) - 1)
  return { kind: 'here', afterMs: backoffMs(failures, backoffHere, random) }
}
