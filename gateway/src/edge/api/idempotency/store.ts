/**
 * Stores claims of Idempotency-Keys in Redis for 24 hours, and refusals for minutes. One request at a time
 * holds the claim of a key, which contains the msgKeys of its messages. `claim` throws A920 if Redis does not
 * respond, and A020 if memory is scarce and the account's keys exceed `maxBytes`: nothing is accepted without
 * a claim, and no live key is evicted for a new one.
 *
 * Keys are stored under their own names, not hashed, so that a process of another version finds them during
 * an upgrade and does not send a repeated request twice. Their length is counted.
 */
import type { Redis } from 'ioredis'
import { randomLetters } from '../../../contract/msg-key.ts'
import type { ReservedMessage } from '../../../pipeline/accept/accept.ts'
import { Problem, rateLimitExceeded } from '../../../contract/problem.ts'
import { withRedisTimeout } from '../../../platform/redis.ts'
import { watchMemory, type MemoryWatch } from './memory.ts'
import { fromStoredBody, toStoredBody } from './sealed-response.ts'
import { estimateResponseBytes, estimateClaimBytes, shortenRefusal } from './size.ts'
import { claimScript, finishScript, forgetScript, releaseScript } from './scripts.ts'

export const keyLifetimeMs = 24 * 3_600_000
/** A refusal has no effect, so processing the request again is harmless. */
export const refusalLifetimeMs = 600_000
/** Keys expire and make room at times that are not known here. */
const retryFullSeconds = 60

export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/** Claim of a key, held by the one request that produces its response. */
export interface IdempotencyClaim {
  /** The request's messages, in the order of the destinations. */
  readonly messages: readonly ReservedMessage[]
  /** Stores the final response for further requests with the key; for minutes if it is a refusal. */
  finish(answer: StoredResponse, isRefusal: boolean): Promise<void>
  /** Gives up the claim without a final response; the next request with the key continues with the same messages. */
  release(): Promise<void>
  /** Deletes the claim because certainly nothing was accepted; the next request with the key may differ. */
  forget(): Promise<void>
}

export type IdempotencyResult =
  | { readonly kind: 'claimed'; readonly claim: IdempotencyClaim }
  | { readonly kind: 'answered'; readonly answer: StoredResponse }
  /** Another request with the key is in progress. */
  | { readonly kind: 'busy' }
  /** The key was used with another path or body. */
  | { readonly kind: 'other' }

export interface IdempotencyStore {
  claim(
    accountId: number,
    key: string,
    fingerprint: string,
    proposeKeys: () => readonly string[],
  ): Promise<IdempotencyResult>
}

export interface IdempotencyStoreOptions {
  readonly redis: Redis | undefined
  readonly keyPrefix: string
  /** Lifetime of a claim without a response; longer than any request takes. */
  readonly leaseMs: number
  /** Maximum bytes of an account's live keys while Redis memory is scarce; 0 means no limit. */
  readonly maxBytes: number
  readonly memory?: MemoryWatch | undefined
  readonly waitMs?: number
}

type StoredState =
  | ['claimed', string, string?]
  | ['answered', string, string]
  | ['busy']
  | ['other']
  | ['full']

export function createIdempotencyStore(options: IdempotencyStoreOptions): IdempotencyStore {
  const { redis, keyPrefix, leaseMs, maxBytes, waitMs = 1_000 } = options
  const memory = options.memory ?? (redis && watchMemory(redis))

  return {
    async claim(accountId, key, fingerprint, proposeKeys) {
      if (redis?.status !== 'ready') throw unavailable()
      const redisKey = `${keyPrefix}idempotency:${accountId}:${key}`
      const keys = [redisKey, `${keyPrefix}idempotency-bytes:${accountId}`]
      const owner = randomLetters(16)
      const proposed = proposeKeys().join(' ')
      const bytes = estimateClaimBytes(key, proposed)
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
        case 'claimed': {
          const messages = toMessages(state[1].split(' '), state[2])
          return {
            kind: 'claimed',
            claim: {
              messages,
              async finish({ status, body }, isRefusal) {
                const stored = await toStoredBody(redisKey, isRefusal ? shortenRefusal(body) : body)
                const lifetimeMs = isRefusal ? refusalLifetimeMs : 0
                const answer = [owner, status, stored, estimateResponseBytes(key, stored), lifetimeMs]
                await withRedisTimeout(waitMs, finishScript(redis, keys, answer))
              },
              async release() {
                await withRedisTimeout(waitMs, releaseScript(redis, keys, [owner, fromMessages(messages)]))
              },
              async forget() {
                await withRedisTimeout(waitMs, forgetScript(redis, keys, [owner]))
              },
            },
          }
        }
        case 'answered':
          return {
            kind: 'answered',
            answer: { status: Number(state[1]), body: await fromStoredBody(redisKey, state[2]) },
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

type EarlierResult = Pick<ReservedMessage, 'earlier' | 'heldBy'>

function fromMessages(messages: readonly ReservedMessage[]): string {
  return JSON.stringify(messages.map(({ earlier, heldBy }): EarlierResult => ({ earlier, heldBy })))
}

/**
 * `stored` is absent for a new key, and 'unknown' if the owner before ended without a word: its process crashed, or
 * Redis did not respond.
 */
function toMessages(msgKeys: readonly string[], stored: string | undefined): ReservedMessage[] {
  if (stored === undefined || stored === 'unknown')
    return msgKeys.map((msgKey) => ({ msgKey, earlier: stored ?? 'none' }))
  const results = JSON.parse(stored) as readonly EarlierResult[]
  return msgKeys.map((msgKey, index) => ({ msgKey, ...results[index]! }))
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
