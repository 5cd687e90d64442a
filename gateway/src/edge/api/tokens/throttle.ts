import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { rateLimitExceeded, type Problem } from '../../../contract/problem.ts'
import { toNetwork } from './address.ts'
import type { CheckLane } from './check-queue.ts'
import type { RateLimit } from '../../../platform/limiter/bucket.ts'
import type { Limiter, Decision } from '../../../platform/limiter/limiter.ts'

export interface Requester {
  readonly clientId: string
  readonly address: string
}

/** Reservation of one of the wrong passwords that are allowed. */
export interface FailureReservation {
  /** Call when the password was correct, or was not checked. */
  release(): Promise<void>
}

/**
 * Limits token requests and wrong passwords per client id and address, and wrong passwords per address. A client
 * that requests a token before each call must fit in. A password guesser must not, and must not lock the client out
 * either, so the address is part of the key. The limit per address stops a guesser of many client ids; it does not
 * apply to a client that has logged in from there before, because many may share the address of a proxy.
 *
 * A password is checked only after `reserve`, so concurrent guesses share one limit. A correct password releases
 * its reservation.
 */
export interface TokenThrottle {
  /** Throws a Problem if the requester has sent too many requests. */
  request(requester: Requester): Promise<void>
  /**
   * Throws a Problem if the requester, or the address of an unknown one, has sent too many wrong passwords.
   */
  reserve(requester: Requester, lane?: CheckLane): Promise<FailureReservation>
}

export interface TokenThrottleOptions {
  readonly requestsPerMinute: number
  readonly failuresPerMinute: number
  /** Limit for all client ids of one address; none if undefined. */
  readonly addressFailuresPerMinute?: number
}

/** A refused reservation is tried again after about one check, because correct passwords release theirs then. */
const checkMs = 250

export function createTokenThrottle(limiter: Limiter, options: TokenThrottleOptions): TokenThrottle {
  const requests = perMinute(options.requestsPerMinute)
  const failures = perMinute(options.failuresPerMinute)
  const addressFailures =
    options.addressFailuresPerMinute === undefined ? null : perMinute(options.addressFailuresPerMinute)

  async function take(key: string, limit: RateLimit): Promise<FailureReservation> {
    if (!(await limiter.consume(key, limit, 1)).granted) {
      await pause(checkMs)
      const decision = await limiter.consume(key, limit, 1)
      if (!decision.granted) throw tooMany(decision)
    }
    return { release: () => limiter.giveBack(key, limit, 1) }
  }

  return {
    async request(requester) {
      const decision = await limiter.consume(`token-requests:${keyOf(requester)}`, requests, 1)
      if (!decision.granted) throw tooMany(decision)
    },
    async reserve(requester, lane = 'unknown') {
      const addressReservation =
        addressFailures === null || lane === 'known'
          ? null
          : await take(`address-failures:${toNetwork(requester.address)}`, addressFailures)
      try {
        const requesterReservation = await take(`token-failures:${keyOf(requester)}`, failures)
        return {
          async release() {
            await Promise.all([requesterReservation.release(), addressReservation?.release()])
          },
        }
      } catch (error) {
        await addressReservation?.release()
        throw error
      }
    },
  }
}

function perMinute(count: number): RateLimit {
  return { perSecond: count / 60, burst: count }
}

/**
 * Returns the part of a Redis key that identifies a requester. The client id is hashed: anyone chooses it, and it may
 * have 200 characters.
 */
function keyOf({ clientId, address }: Requester): string {
  const digest = createHash('sha256').update(clientId).digest('base64url').slice(0, 16)
  return `${toNetwork(address)} ${digest}`
}

function tooMany({ retryAfterSeconds }: Decision): Problem {
  return rateLimitExceeded(
    'too many token requests or wrong passwords; reuse the token, it is valid for 24 hours',
    retryAfterSeconds,
  )
}
