/**
 * How often a client id may ask for a token from one address, shared by all processes through Redis; while Redis is away
 * every process limits for itself. A client that asks before each call must fit in; a password guesser must not, and
 * must not shut the client out either: what is counted is the client id together with the address.
 *
 * A password is checked only on a place reserved before, so that guesses made at once share one limit; the right
 * password gives its place back.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { Problem } from '../../contract/problem.ts'

/** Who asks: for which client id, from where. */
export interface Asker {
  readonly clientId: string
  readonly address: string
}

/** A place among the wrong passwords that are let through. */
export interface Reservation {
  /** The password was right. */
  giveBack(): Promise<void>
}

export interface TokenThrottle {
  /** Throws when the asker has asked too often. */
  request(asker: Asker): Promise<void>
  /** Throws when the asker has sent too many wrong passwords. */
  reserve(asker: Asker): Promise<Reservation>
}

export interface TokenThrottleOptions {
  readonly requestsPerMinute: number
  readonly failuresPerMinute: number
  readonly keyPrefix: string
}

/** Right passwords that are checked at this moment hold places too; they are free again after about this time. */
const checkMs = 250

export function createTokenThrottle(redis: Redis | undefined, options: TokenThrottleOptions): TokenThrottle {
  const limiter = (name: string, points: number): RateLimiterAbstract => {
    const keyPrefix = `${options.keyPrefix}token-${name}`
    const memory = new RateLimiterMemory({ keyPrefix, points, duration: 60 })
    if (redis === undefined) return memory
    return new RateLimiterRedis({
      storeClient: redis,
      keyPrefix,
      points,
      duration: 60,
      insuranceLimiter: memory,
    })
  }
  const requests = limiter('requests', options.requestsPerMinute)
  const failures = limiter('failures', options.failuresPerMinute)

  async function take(key: string): Promise<RateLimiterRes | null> {
    const refusal = await refusalOf(failures, key)
    // A refused place was counted as well.
    if (refusal !== null) await failures.reward(key, 1)
    return refusal
  }

  return {
    async request(asker) {
      const refusal = await refusalOf(requests, keyOf(asker))
      if (refusal !== null) throw tooMany(refusal)
    },
    async reserve(asker) {
      const key = keyOf(asker)
      if ((await take(key)) !== null) {
        await pause(checkMs)
        const refusal = await take(key)
        if (refusal !== null) throw tooMany(refusal)
      }
      return {
        async giveBack() {
          await failures.reward(key, 1)
        },
      }
    },
  }
}

function keyOf({ clientId, address }: Asker): string {
  return `${address} ${clientId}`
}

async function refusalOf(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes | null> {
  try {
    await limiter.consume(key)
    return null
  } catch (reason) {
    if (reason instanceof RateLimiterRes) return reason
    throw reason
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes): Problem {
  return new Problem(
    'A020',
    'Rate limit exceeded: too many token requests; keep the token, it is good for 24 hours',
    Math.max(1, Math.ceil(msBeforeNext / 1000)),
  )
}
