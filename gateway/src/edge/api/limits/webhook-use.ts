import { rateLimitExceeded } from '../../../contract/problem.ts'
import type { LimitUse } from '../../webhooks/actions.ts'
import type { Limiter } from '../../../platform/limiter/limiter.ts'

/** Allows for a person who tests a new receiver several times in a row. */
const accountLimit = { perSecond: 0.2, burst: 10 }
/** Ten times the account's rate, so one account cannot block a host that others use. */
const hostLimit = { perSecond: 2, burst: 100 }

/**
 * Limits tests and proofs of webhooks by account and by target host, and full replays by account, across all
 * processes.
 */
export function limitWebhookUse(limiter: Pick<Limiter, 'consume'>): LimitUse {
  return async (kind, id) => {
    const limit = kind === 'host' ? hostLimit : accountLimit
    const { granted, retryAfterSeconds } = await limiter.consume(`webhook-use:${kind}:${id}`, limit, 1)
    if (!granted)
      throw rateLimitExceeded(
        'tests, proofs and full replays of webhooks are limited to 10 in a row and 12 per minute by account, and tests and proofs to 120 per minute by host',
        retryAfterSeconds,
      )
  }
}
