/**
 * How often a client id may ask for a token, shared by all processes through Redis; while Redis is away every
 * process limits for itself. A client that asks before each call must fit in; a password guesser must not.
 */
import type { Redis } from 'ioredis'
import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { Problem } from '../platform/problem.ts'

export interface TokenThrottle {
  /** Throws when the client id has asked too often, or has sent too many wrong passwords. */
  beforeCheck(clientId: string): Promise<void>
  afterFailure(clientId: string): Promise<void>
}

export interface TokenThrottleOptions {
  readonly requestsPerMinute: number
  readonly failuresPerMinute: number
  readonly keyPrefix: string
}

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
  return {
    async beforeCheck(clientId) {
      const failed = await failures.get(clientId).catch(() => null)
      if (failed !== null && failed.consumedPoints >= options.failuresPerMinute)
        throw tooMany(failed.msBeforeNext)
      await consume(requests, clientId)
    },
    async afterFailure(clientId) {
      await failures.penalty(clientId, 1)
    },
  }
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (reason) {
    if (reason instanceof RateLimiterRes) throw tooMany(reason.msBeforeNext)
    throw reason
  }
}

function tooMany(msBeforeNext: number): Problem {
  return new Problem(
    'A020',
    'Rate limit exceeded: too many token requests',
    Math.max(1, Math.ceil(msBeforeNext / 1000)),
  )
}
