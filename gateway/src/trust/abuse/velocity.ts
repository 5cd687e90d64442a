/**
 * Velocity: how many messages an account sends to one number and to one prefix. Each limit is a token bucket
 * that all processes share through Redis; without Redis each process counts separately.
 */
import { hash } from 'node:crypto'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import type { BucketTake } from '../../platform/limiter/bucket.ts'
import type { Limiter } from '../../platform/limiter/limiter.ts'
import type { AccountContext } from '../rule-group.ts'
import type { RuleId } from '../rules.ts'
import type { TrustSettings } from '../settings.ts'
import type { ProtectedAccount } from './protection.ts'

export interface VelocityOptions {
  readonly limiter: Pick<Limiter, 'consumeAll' | 'giveBack'>
  /** The same in all processes that accept messages or create those of batches. */
  readonly openBlindIndex: () => Promise<BlindIndex>
  readonly settings: Pick<TrustSettings, 'recipientPerHour' | 'prefixPerTenMinutes'>
}

/** A limit that applies to a message. */
export interface VelocityLimit extends BucketTake {
  readonly rule: RuleId
  readonly reason: string
}

/** Defaults of POSTERN_RECIPIENT_PER_HOUR and POSTERN_PREFIX_PER_TEN_MINUTES. */
export const velocityDefaults = { recipientPerHour: 20, prefixPer10Minutes: 200 } as const

/** Digits after the prefix: a prefix is a block of a thousand numbers. */
const lastDigits = 3

export class Velocity {
  readonly #options: VelocityOptions
  /** Always 32 characters. */
  #hashKey: string | undefined

  constructor(options: VelocityOptions) {
    this.#options = options
  }

  async findLimits(
    { accountId, account, rules }: AccountContext,
    protection: ProtectedAccount,
    to: string,
  ): Promise<VelocityLimit[]> {
    if (!rules.has('recipient-velocity') && !rules.has('prefix-velocity')) return []
    if (account.sandbox || protection.safeNumbers.some((safe) => to.startsWith(safe))) return []
    this.#hashKey ??= await this.#deriveHashKey()
    const { settings } = this.#options
    const limits: VelocityLimit[] = []
    if (rules.has('recipient-velocity')) {
      const max =
        protection.recipientPerHour ?? settings.recipientPerHour ?? velocityDefaults.recipientPerHour
      limits.push({
        rule: 'recipient-velocity',
        key: this.#key('recipient', accountId, to),
        limit: { perSecond: max / 3_600, burst: max },
        cost: 1,
        reason: `at most ${max} messages per hour to one number allowed; send less often, or ask the operator`,
      })
    }
    if (rules.has('prefix-velocity')) {
      const max =
        protection.prefixPer10Minutes ?? settings.prefixPerTenMinutes ?? velocityDefaults.prefixPer10Minutes
      limits.push({
        rule: 'prefix-velocity',
        key: this.#key('prefix', accountId, to.slice(0, -lastDigits)),
        limit: { perSecond: max / 600, burst: max },
        cost: 1,
        reason: `at most ${max} messages per ten minutes allowed to numbers that differ only in the last three digits; send less often, or ask the operator`,
      })
    }
    return limits
  }

  /** Counts a message for all limits, or for none if one is reached. Returns that limit. */
  async take(limits: readonly VelocityLimit[]): Promise<VelocityLimit | undefined> {
    if (limits.length === 0) return undefined
    const { refusedBy } = await this.#options.limiter.consumeAll(limits)
    return refusedBy === null ? undefined : limits[refusedBy]
  }

  /** Returns a limit that another message would exceed, without counting one. */
  async findReached(limits: readonly VelocityLimit[]): Promise<VelocityLimit | undefined> {
    if (limits.length === 0) return undefined
    const { debts } = await this.#options.limiter.consumeAll(limits.map((limit) => ({ ...limit, cost: 0 })))
    return limits.find(({ limit, cost }, index) => debts[index]! + cost > limit.burst)
  }

  putBack(limits: readonly VelocityLimit[]): void {
    for (const { key, limit, cost } of limits) void this.#options.limiter.giveBack(key, limit, cost)
  }

  /** Derived from the key that all processes share: workers do not have the secret of the tokens. */
  async #deriveHashKey(): Promise<string> {
    const index = await this.#options.openBlindIndex()
    return index.of('velocity').toString('hex')
  }

  /**
   * Hashes the value, so that Redis holds no phone numbers. The hash is a pseudonym and authenticates nothing:
   * nobody presents it to be checked, so a longer value with a valid hash, which a plain hash over key and value
   * allows to forge, is of no use. Numbers cannot be tried without the key, and its fixed length separates it
   * from the value. An HMAC costs four times as much, twice per message.
   */
  #key(kind: 'recipient' | 'prefix', accountId: number, value: string): string {
    const digest = hash('sha256', `${this.#hashKey} ${kind} ${accountId} ${value}`, 'base64url')
    return `velocity:${accountId}:${digest.slice(0, 16)}`
  }
}
