/**
 * Claims of Idempotency-Keys, stored in Redis for 24 hours, refusals for minutes. One request at a time claims a key; the
 * claim holds the msgKeys of its messages. When Redis does not reply, `claim` throws A920, and when memory is scarce and the
 * keys of the account take more than its share A020: nothing is accepted without a claim, and no live key is given up for a new one.
 *
 * Keys are stored under their own names, not under hashes of them: a process of another version beside this one finds them,
 * so that a repeated request is not sent twice during an upgrade. Their length is counted.
 */
import type { Redis } from 'ioredis'
import { randomLetters } from '../../contract/msg-key.ts'
import { Problem, rateLimitExceeded } from '../../contract/problem.ts'
import { withRedisTimeout } from '../../platform/redis.ts'
import { watchMemory, type MemoryWatch } from './memory.ts'
import { fromStoredBody, toStoredBody } from './sealed-answer.ts'
import { answerBytes, claimBytes, shortenRefusal } from './size.ts'
import { claimScript, finishScript, forgetScript, releaseScript } from './scripts.ts'

export const keyLifetimeMs = 24 * 3_600_000
/** A refusal had no effect: processed again, the request is refused again or sent for the first time. */
export const refusalLifetimeMs = 600_000
/** A limit that is reached passes when keys expire; a client has to ask again in any case. */
const retryFullSeconds = 60

export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/** Held by the one request that answers for its key. */
export interface Claim {
  /** The keys of its messages, in the order of the destinations. */
  readonly msgKeys: readonly string[]
  /** Stores the final answer: every further request with the key receives it, for minutes when nothing was accepted. */
  finish(answer: StoredAnswer, isRefusal: boolean): Promise<void>
  /** Without a final answer: the next request with the key is processed, under the same msgKeys. */
  release(): Promise<void>
  /** Certainly nothing was accepted: the next request with the key may be another one. */
  forget(): Promise<void>
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  /** Another request with the key is in progress. */
  | { readonly kind: 'busy' }
  /** The key belongs to another path or body. */
  | { readonly kind: 'other' }

export interface IdempotencyStore {
  claim(
    accountId: number,
    key: string,
    fingerprint: string,
    proposeKeys: () => readonly string[],
  ): Promise<ClaimResult>
}

export interface IdempotencyStoreOptions {
  readonly redis: Redis | undefined
  readonly keyPrefix: string
  /** A claim without an answer expires after this time, which is longer than any request takes. */
  readonly leaseMs: number
  /** The share of Redis's memory that the live keys of an account may take when it is scarce; 0: no limit. */
  readonly maxBytes: number
  readonly memory?: MemoryWatch | undefined
  readonly waitMs?: number
}

type StoredState = ['claimed', string] | ['answered', string, string] | ['busy'] | ['other'] | ['full']

export function createIdempotencyStore(options: IdempotencyStoreOptions): IdempotencyStore {
  const { redis, keyPrefix, leaseMs, maxBytes, waitMs = 1_000 } = options
  const memory = options.memory ?? (redis && watchMemory(redis))

  return {
    async claim(accountId, key, fingerprint, proposeKeys) {
      if (redis?.status !== 'ready') throw unavailable()
      const keys = [
        `${keyPrefix}idempotency:${accountId}:${key}`,
        `${keyPrefix}idempotency-bytes:${accountId}`,
      ]
      const owner = randomLetters(16)
      const proposed = proposeKeys().join(' ')
      const bytes = claimBytes(key, proposed)
      const args = [
        fingerprint,
        owner,
        proposed,
        leaseMs,
        keyLifetimeMs,
        bytes,
        maxBytes,
        memory?.isScarce() ? 1 : 0,
      ]
      let state: StoredState
      try {
        state = (await withRedisTimeout(waitMs, claimScript(redis, keys, args))) as StoredState
      } catch (error) {
        throw unavailable(error as Error)
      }
      switch (state[0]) {
        case 'claimed':
          return {
            kind: 'claimed',
            claim: {
              msgKeys: state[1].split(' '),
              async finish({ status, body }, isRefusal) {
                const stored = await toStoredBody(keys[0]!, isRefusal ? shortenRefusal(body) : body)
                const lifetimeMs = isRefusal ? refusalLifetimeMs : 0
                const answer = [owner, status, stored, answerBytes(key, stored), lifetimeMs]
                await withRedisTimeout(waitMs, finishScript(redis, keys, answer))
              },
              async release() {
                await withRedisTimeout(waitMs, releaseScript(redis, keys, [owner]))
              },
              async forget() {
                await withRedisTimeout(waitMs, forgetScript(redis, keys, [owner]))
              },
            },
          }
        case 'answered':
          return {
            kind: 'answered',
            answer: { status: Number(state[1]), body: await fromStoredBody(keys[0]!, state[2]) },
          }
        case 'full':
          throw rateLimitExceeded(
            `the Idempotency-Keys of the account's last 24 hours take the ${maxBytes / 1e6} MB that it may use while memory is scarce; this one is new, so nothing was accepted`,
            retryFullSeconds,
          )
        default:
          return { kind: state[0] }
      }
    },
  }
}

function unavailable(cause?: Error): Problem {
  const problem = new Problem(
    'A920',
    'Service busy: the Idempotency-Key cannot be stored now, so nothing was accepted; send the same request again',
    1,
  )
  if (cause !== undefined) problem.cause = cause
  return problem
}
