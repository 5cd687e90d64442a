/** How often webhooks are tested, proved and replayed: by account, and by target host over all accounts, over all processes. */
import { rateLimitExceeded } from '../../contract/problem.ts'
import type { LimitUse } from '../../webhooks/actions.ts'
import type { Limiter } from '../../platform/limiter/limiter.ts'

/** A person who sets up a receiver tests it some times in a row. */
const accountPace = { perSecond: 0.2, burst: 10 }
/** Ten times as much: one account cannot keep the others from a host that they share. */
const hostPace = { perSecond: 2, burst: 100 }

export function limitWebhookUse(limiter: Pick<Limiter, 'consume'>): LimitUse {
  return async (kind, id) => {
    const pace = kind === 'host' ? hostPace : accountPace
    const { granted, retryAfterSeconds } = await limiter.consume(`webhook-use:${kind}:${id}`, pace, 1)
    if (!granted)
      throw rateLimitExceeded(
        'tests, proofs and full replays of webhooks are limited to 10 in a row and 12 a minute by account, and tests and proofs to 120 a minute by host',
        retryAfterSeconds,
      )
  }
}
