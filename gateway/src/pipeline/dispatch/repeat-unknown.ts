/**
 * Repeats a submission whose outcome is unknown, at a carrier that recognizes its reference, and nowhere else. Bounded;
 * always over the same link, and within the rate of the route. After an unknown outcome only an acceptance says more: a
 * later refusal or temporary error concerns the repeat, and the first submission may still have been accepted. A repeat
 * that the carrier throttles waits for as long as it asks, and one that does not reach it for as long as a restart of its
 * service may take.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Submission, SubmitOutcome } from '../../connectors/connector.ts'
import { backoffMs } from '../../platform/backoff.ts'
import { clock } from '../../platform/clock.ts'

type Unknown = Extract<SubmitOutcome, { kind: 'unknown' }>

export interface RepeatOptions {
  readonly signal: AbortSignal
  readonly onRepeat: () => void
  /** Takes a part from the rate of the route, when its time has come. False: it must not be repeated. */
  readonly takeTurn: () => Promise<boolean>
  /** The carrier throttles the route: it pauses for this long. */
  readonly onThrottled: (retryAfterMs: number) => void
  /** A previous owner of the route may have submitted it: only repeats are left. The first has its turn already. */
  readonly after?: Unknown | undefined
  /** Between two submissions. */
  readonly backoff?: { readonly firstMs: number; readonly maxMs: number }
}

/** With the first one, and without those that were throttled or did not reach the carrier. */
export const maxSubmissions = 4
export const maxThrottled = 20
/** With pauses of up to five seconds: about a minute and a half. */
export const maxUnreachable = 20
const defaultBackoff = { firstMs: 500, maxMs: 5_000 }

export async function submitRepeatably(
  submit: () => Promise<SubmitOutcome>,
  { validUntil }: Pick<Submission, 'validUntil'>,
  { signal, onRepeat, takeTurn, onThrottled, after, backoff = defaultBackoff }: RepeatOptions,
): Promise<SubmitOutcome> {
  const first = after ?? (await submit())
  if (first.kind !== 'unknown') return first
  let [submissions, throttled, unreachable] = [1, 0, 0]
  while (submissions < maxSubmissions && throttled <= maxThrottled && unreachable <= maxUnreachable) {
    if (submissions > 1 || throttled > 0 || unreachable > 0 || after === undefined) {
      try {
        await delay(backoffMs(submissions - 1 + unreachable, backoff), undefined, { signal })
      } catch {
        // The route is stopping: the answer so far is recorded.
        return first
      }
      if (!(await takeTurn())) return first
    }
    if (signal.aborted || clock.hasPassed(validUntil)) return first
    onRepeat()
    const again = await submit()
    if (again.kind === 'accepted') return again
    // Another repeat would be refused, too.
    if (again.kind === 'refused') return first
    if (again.kind === 'throttled') {
      onThrottled(again.retryAfterMs)
      throttled++
    } else if (again.kind === 'unreachable') unreachable++
    else submissions++
  }
  return first
}
