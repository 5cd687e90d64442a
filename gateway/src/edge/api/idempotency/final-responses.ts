import type { Acceptance } from '../../../contract/acceptance.ts'

/**
 * What becomes of a key after the response to its request.
 *
 * - `accepted`, `refused`: the response is final, so it is stored and repeated; for a shorter time if no message was accepted.
 * - `forgotten`: certainly nothing was accepted, so the next request with the key may differ: a gateway that sends through
 *   this one repeats a message with a shorter time limit.
 * - `released`: the same request is processed again, under the same msgKeys.
 */
export type KeyOutcome = 'accepted' | 'refused' | 'forgotten' | 'released'

export interface SendOutcome {
  readonly status: number
  /** Result codes of an omni send that was processed. */
  readonly destinations: readonly string[] | undefined
  /** The header of a response other than 200; absent means `perhaps`. */
  readonly acceptance: Acceptance | undefined
}

/**
 * Not final are a rate limit, an internal error, an unavailable service, and a destination that the broker did not
 * confirm; such a request may still be accepted when it is repeated.
 */
export function chooseKeyOutcome({ status, destinations, acceptance }: SendOutcome): KeyOutcome {
  if (status >= 429) return acceptance === 'no' ? 'forgotten' : 'released'
  if (status !== 200) return 'refused'
  if (destinations?.includes('A920') === true) return 'released'
  return destinations?.includes('A000') === false ? 'refused' : 'accepted'
}
