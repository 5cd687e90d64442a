/**
 * Limits token requests and wrong passwords, per client id and address. A client that requests a token before each call
 * must fit in. A password guesser must not, and must not lock the client out either, which is why the address is part
 * of the key.
 *
 * A password is checked only after `reserve`, so that concurrent guesses share one limit. A correct password gives its
 * reservation back.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { rateLimitExceeded, type Problem } from '../../contract/problem.ts'
import { toNetwork } from './address.ts'
import type { Pace } from '../limits/bucket.ts'
import type { Limiter, Decision } from '../limits/limiter.ts'

/** Who requests a token: the client id, and the address it comes from. */
export interface Requester {
  readonly clientId: string
  readonly address: string
}

/** One of the wrong passwords that are allowed. */
export interface Reservation {
  /** Call when the password was correct. */
  giveBack(): Promise<void>
}

export interface TokenThrottle {
  /** Throws a Problem when the requester has sent too many requests. */
  request(requester: Requester): Promise<void>
  /** Throws a Problem when the requester has sent too many wrong passwords. */
  reserve(requester: Requester): Promise<Reservation>
}

export interface TokenThrottleOptions {
  readonly requestsPerMinute: number
  readonly failuresPerMinute: number
}

/** Correct passwords under verification hold reservations too; they are given back after about this time. */
const checkMs = 250

export function createTokenThrottle(limiter: Limiter, options: TokenThrottleOptions): TokenThrottle {
  const requests = perMinute(options.requestsPerMinute)
  const failures = perMinute(options.failuresPerMinute)

  return {
    async request(requester) {
      const decision = await limiter.consume(`token-requests:${keyOf(requester)}`, requests, 1)
      if (!decision.granted) throw tooMany(decision)
    },
    async reserve(requester) {
      const key = `token-failures:${keyOf(requester)}`
      if (!(await limiter.consume(key, failures, 1)).granted) {
        await pause(checkMs)
        const decision = await limiter.consume(key, failures, 1)
        if (!decision.granted) throw tooMany(decision)
      }
      return { giveBack: () => limiter.giveBack(key, failures, 1) }
    },
  }
}

function perMinute(count: number): Pace {
  return { perSecond: count / 60, burst: count }
}

function keyOf({ clientId, address }: Requester): string {
  return `${toNetwork(address)} ${clientId}`
}

function tooMany({ retryAfterSeconds }: Decision): Problem {
  return rateLimitExceeded(
    'too many token requests; reuse the token, it is valid for 24 hours',
    retryAfterSeconds,
  )
}
