import type { Submission } from '../connector.ts'
import type { RbmOptions } from './options.ts'

/** Maximum margin as a fraction of the time of a step. */
const maxFraction = 0.25

/**
 * Returns the time at which Google stops and revokes a message, a margin before the deadline of the step: the revocation event must
 * arrive before the deadline starts the fallback, so that the recipient gets one message. The same in every repeat, except for a
 * message with less time left than the margin, which expires at the deadline.
 */
export function computeExpireTime(
  { revocationMarginMs }: Pick<RbmOptions, 'revocationMarginMs'>,
  { validUntil, ttlSeconds = Infinity }: Pick<Submission, 'validUntil' | 'ttlSeconds'>,
  nowMs: number,
): Date {
  const marginMs = Math.min(revocationMarginMs, ttlSeconds * 1_000 * maxFraction)
  const expireMs = validUntil.getTime() - marginMs
  return expireMs > nowMs ? new Date(expireMs) : validUntil
}
