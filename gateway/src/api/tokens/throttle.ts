/**
 * Limits token requests and wrong passwords, per client id and address, and wrong passwords per address. A client that
 * requests a token before each call must fit in. A password guesser must not, and must not lock the client out either,
 * which is why the address is part of the key. Someone who tries many client ids is stopped by the limit of the address,
 * which does not apply to a client that has logged in from there before: many may share the address of a proxy.
 *
 * A password is checked only after `reserve`, so that concurrent guesses share one limit. A correct password gives its
 * reservation back.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { rateLimitExceeded, type Problem } from '../../contract/problem.ts'
import { toNetwork } from './address.ts'
import type { CheckLane } from './check-queue.ts'
import type { Pace } from '../../platform/limiter/bucket.ts'
import type { Limiter, Decision } from '../../platform/limiter/limiter.ts'

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
  /** Throws a Problem when the requester, or a stranger's address, has sent too many wrong passwords. */
  reserve(requester: Requester, lane?: CheckLane): Promise<Reservation>
}

export interface TokenThrottleOptions {
  readonly requestsPerMinute: number
  readonly failuresPerMinute: number
  /** For all client ids of one address; absent: no limit. */
  readonly addressFailuresPerMinute?: number
}

/** Correct passwords under verification hold reservations too; they are given back after about this time. */
const checkMs = 250

export function createTokenThrottle(limiter: Limiter, options: TokenThrottleOptions): TokenThrottle {
  const requests = perMinute(options.requestsPerMinute)
  const failures = perMinute(options.failuresPerMinute)
  const ofAddress =
    options.addressFailuresPerMinute === undefined ? null : perMinute(options.addressFailuresPerMinute)

  async function take(key: string, pace: Pace): Promise<Reservation> {
    if (!(await limiter.consume(key, pace, 1)).granted) {
      await pause(checkMs)
      const decision = await limiter.consume(key, pace, 1)
      if (!decision.granted) throw tooMany(decision)
    }
    return { giveBack: () => limiter.giveBack(key, pace, 1) }
  }

  return {
    async request(requester) {
      const decision = await limiter.consume(`token-requests:${keyOf(requester)}`, requests, 1)
      if (!decision.granted) throw tooMany(decision)
    },
    async reserve(requester, lane = 'stranger') {
      const address =
        ofAddress === null || lane === 'familiar'
          ? null
          : await take(`address-failures:${toNetwork(requester.address)}`, ofAddress)
      try {
        const own = await take(`token-failures:${keyOf(requester)}`, failures)
        return {
          async giveBack() {
            await Promise.all([own.giveBack(), address?.giveBack()])
          },
        }
      } catch (error) {
        await address?.giveBack()
        throw error
      }
    },
  }
}

function perMinute(count: number): Pace {
  return { perSecond: count / 60, burst: count }
}

/** The client id is chosen by anyone and may have 200 characters. */
function keyOf({ clientId, address }: Requester): string {
  const digest = createHash('sha256').update(clientId).digest('base64url').slice(0, 16)
  return `${toNetwork(address)} ${digest}`
}

function tooMany({ retryAfterSeconds }: Decision): Problem {
  return rateLimitExceeded(
    'too many token requests; reuse the token, it is valid for 24 hours',
    retryAfterSeconds,
  )
}
