/** Chooses how long the carrier attempts delivery. */
import { expirySeconds, type ExpiryOption } from '../../../channels/rcs/limits.ts'

/** Options in seconds at the carriers, longest first. */
const carrierSeconds: readonly (readonly [ExpiryOption, number])[] = [
  ['1', 86_400],
  ['4', 3_600],
  ['3', 180],
  ['2', 30],
]

/**
 * Returns the client's option if it ends at most the tolerance after the step, otherwise the longest option, at most the
 * client's, that ends no later than the step. The carriers have none below 30 s, so a step with less time gets that one. The
 * tolerance is needed because options 1 and 4 last as long as the step, which begins when the message is accepted.
 */
export function selectExpiryOption(
  requested: ExpiryOption,
  validUntil: Date,
  nowMs: number,
  toleranceMs: number,
): ExpiryOption {
  const leftMs = validUntil.getTime() - nowMs
  if (leftMs >= expirySeconds[requested] * 1_000 - toleranceMs) return requested
  const from = carrierSeconds.findIndex(([option]) => option === requested)
  const fitting = carrierSeconds.slice(from).find(([, seconds]) => seconds * 1_000 <= leftMs)
  return fitting?.[0] ?? '2'
}
