/**
 * Claims of Idempotency-Keys, kept in Redis for 24 hours. A key is claimed by one request at a time; the claim holds
 * the msgKeys its messages will have. Never guesses: when Redis does not answer, a Problem says so.
 */
import type { Redis } from 'ioredis'
import { randomLetters } from '../../contract/msg-key.ts'
import { Problem } from '../../contract/problem.ts'
import { withRedisTimeout } from '../../platform/redis.ts'
import { claimScript, finishScript, releaseScript } from './scripts.ts'

export const keyLifetimeMs = 24 * 3_600_000

export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/** The right and the duty to answer a request. */
export interface Claim {
  /** What its messages are called, in the order of the destinations. */
  readonly msgKeys: readonly string[]
  /** The answer is final: every further request with the key gets it. */
  finish(answer: StoredAnswer): Promise<void>
  /** There is no final answer: the next request with the key tries again, under the same msgKeys. */
  release(): Promise<void>
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  /** Another request with the key is being worked on. */
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
  /** After this time a claim without an answer counts as dead: longer than any request takes. */
  readonly leaseMs: number
  readonly waitMs?: number
}

type Kept = ['claimed', string] | ['answered', string, string] | ['busy'] | ['other']

export function createIdempotencyStore(options: IdempotencyStoreOptions): IdempotencyStore {
  const { redis, keyPrefix, leaseMs, waitMs = 1_000 } = options

  return {
    async claim(accountId, key, fingerprint, proposeKeys) {
      if (redis?.status !== 'ready') throw away()
      const name = `${keyPrefix}idempotency:${accountId}:${key}`
      const owner = randomLetters(16)
      const args = [fingerprint, owner, proposeKeys().join(' '), leaseMs, keyLifetimeMs]
      let kept: Kept
      try {
        kept = (await withRedisTimeout(waitMs, claimScript(redis, name, args))) as Kept
      } catch (error) {
        throw away(error as Error)
      }
      switch (kept[0]) {
        case 'claimed':
          return {
            kind: 'claimed',
            claim: {
              msgKeys: kept[1].split(' '),
              async finish({ status, body }) {
                await withRedisTimeout(waitMs, finishScript(redis, name, [owner, status, body]))
              },
              async release() {
                await withRedisTimeout(waitMs, releaseScript(redis, name, [owner]))
              },
            },
          }
        case 'answered':
          return { kind: 'answered', answer: { status: Number(kept[1]), body: kept[2] } }
        default:
          return { kind: kept[0] }
      }
    },
  }
}

function away(cause?: Error): Problem {
  const problem = new Problem(
    'A920',
    'Service busy: the Idempotency-Key cannot be kept now, so nothing was accepted; send the same again',
    1,
  )
  if (cause !== undefined) problem.cause = cause
  return problem
}
