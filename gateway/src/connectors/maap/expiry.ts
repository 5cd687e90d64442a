/** How long the carrier tries to deliver. Pure. */
import { expirySeconds, type ExpiryOption } from '../../channels/rcs/limits.ts'

/** Seconds of each option at the carriers, the longest first. */
const carrierSeconds: readonly (readonly [ExpiryOption, number])[] = [
  ['1', 86_400],
  ['4', 3_600],
  ['3', 180],
  ['2', 30],
]

/**
 * The client’s option, or the longest one below it that ends with the step. The carriers have none below 30 s: a step with
 * less time gets that one. Options 1 and 4 last as long as the step itself, which begins when the message is accepted:
 * they are kept for a message that waited no longer than the tolerance.
 */
export function expiryOptionOf(
  asked: ExpiryOption,
  validUntil: Date,
  nowMs: number,
  toleranceMs: number,
): ExpiryOption {
  const leftMs = validUntil.getTime() - nowMs
  if (leftMs >= expirySeconds[asked] * 1_000 - toleranceMs) return asked
  const from = carrierSeconds.findIndex(([option]) => option === asked)
  const fitting = carrierSeconds.slice(from).find(([, seconds]) => seconds * 1_000 <= leftMs)
  return fitting?.[0] ?? '2'
}
