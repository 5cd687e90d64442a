import { setTimeout as delay } from 'node:timers/promises'
import type { Submission, SubmitOutcome } from '../../../carriers/connectors/connector.ts'
import { backoffMs } from '../../../platform/time/backoff.ts'
import { clock } from '../../../platform/time/clock.ts'

type Unknown = Extract<SubmitOutcome, { kind: 'unknown' }>

export interface RepeatOptions {
  readonly signal: AbortSignal
  readonly onRepeat: () => void
  /**
   * Takes a part from the rate of the route when its turn comes. Resolves to false if the submission must not
   * be repeated.
   */
  readonly takeTurn: () => Promise<boolean>
  /** Called when the carrier throttles a repeat; the route then pauses for this time. */
  readonly onThrottled: (retryAfterMs: number) => void
  /**
   * Outcome of a previous owner that may have submitted the part: only repeats are left, and the first
   * already has its turn.
   */
  readonly after?: Unknown | undefined
  /** Delay between two submissions. */
  readonly backoff?: { readonly firstMs: number; readonly maxMs: number }
}

/** Includes the first submission; excludes those that were throttled or did not reach the carrier. */
export const maxRepeatedSubmissions = 4
export const maxThrottled = 20
/** With pauses of up to five seconds, this takes about a minute and a half. */
export const maxUnreachable = 20
const defaultBackoff = { firstMs: 500, maxMs: 5_000 }

/**
 * Repeats a submission whose outcome is unknown, only at a carrier that recognizes its reference. Repeats are limited, use
 * the same link and stay within the rate of the route. After an unknown outcome only an acceptance is conclusive: a later
 * refusal or temporary error concerns the repeat, and the first submission may still have been accepted. A throttled
 * repeat waits as long as the carrier requests, and one that does not reach the carrier as long as a restart of its service
 * may take.
 */
export async function submitRepeatably(
  submit: () => Promise<SubmitOutcome>,
  { validUntil }: Pick<Submission, 'validUntil'>,
  { signal, onRepeat, takeTurn, onThrottled, after, backoff = defaultBackoff }: RepeatOptions,
): Promise<SubmitOutcome> {
  const first = after ?? (await submit())
  if (first.kind !== 'unknown') return first
  let [submissions, throttled, unreachable] = [1, 0, 0]
  while (submissions < maxRepeatedSubmissions && throttled <= maxThrottled && unreachable <= maxUnreachable) {
    if (submissions > 1 || throttled > 0 || unreachable > 0 || after === undefined) {
      try {
        await delay(backoffMs(submissions - 1 + unreachable, backoff), undefined, { signal })
      } catch {
        // The route is stopping, so the outcome so far is recorded.
        return first
      }
      if (!(await takeTurn())) return first
    }
    if (signal.aborted || clock.hasPassed(validUntil)) return first
    onRepeat()
    const again = await submit()
    if (again.kind === 'accepted') return again
    // Another repeat would be refused as well.
    if (again.kind === 'refused') return first
    if (again.kind === 'throttled') {
      onThrottled(again.retryAfterMs)
      throttled++
    } else if (again.kind === 'unreachable') unreachable++
    else submissions++
  }
  return first
}
