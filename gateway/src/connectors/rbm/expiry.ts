/** When Google gives up on a message and revokes it. Pure. */
import type { Submission } from '../connector.ts'
import type { RbmOptions } from './options.ts'

/** Of the time of a step, for one that is shorter than four margins. */
const maxShare = 0.25

/**
 * Before the deadline of the step by a margin: the event that says that the message was revoked, so that a fallback reaches
 * the recipient once, must arrive before the deadline starts the fallback. The same in every repeat, except for a message
 * with less time left than the margin, which expires at the deadline.
 */
export function expireTimeOf(
  { revocationMarginMs }: Pick<RbmOptions, 'revocationMarginMs'>,
  { validUntil, ttlSeconds = Infinity }: Pick<Submission, 'validUntil' | 'ttlSeconds'>,
  nowMs: number,
): Date {
  const marginMs = Math.min(revocationMarginMs, ttlSeconds * 1_000 * maxShare)
  const expireMs = validUntil.getTime() - marginMs
  return expireMs > nowMs ? new Date(expireMs) : validUntil
}
