/** How often webhooks are tested, proved and replayed: by account and by target host, over all processes. */
import { rateLimitExceeded } from '../../contract/problem.ts'
import type { Limiter } from './limiter.ts'

/** A person who sets up a receiver tests it some times in a row. */
const pace = { perSecond: 0.2, burst: 10 }

export function limitWebhookUse(limiter: Pick<Limiter, 'consume'>): (key: string) => Promise<void> {
  return async (key) => {
    const { granted, retryAfterSeconds } = await limiter.consume(`webhook-use:${key}`, pace, 1)
    if (!granted)
      throw rateLimitExceeded(
        'tests, proofs and full replays of webhooks are limited to 10 in a row and 12 a minute, by account and by host',
        retryAfterSeconds,
      )
  }
}
