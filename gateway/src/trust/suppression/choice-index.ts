/**
 * The choices of all recipients in memory, by account and blind index. A message costs one hash of 4 µs, or two where
 * choices about every account exist, and only if it is an advertisement and its account has choices.
 */
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { everyAccount, type Choice } from './choice.ts'

export interface StoredChoice extends Choice {
  readonly accountId: number
  readonly recipient: Buffer
}

export interface ChangedChoices {
  /** Of the newest change. */
  readonly version: string
  readonly choices: readonly StoredChoice[]
}

export class ChoiceIndex {
  readonly #accounts = new Map<number, Map<string, Choice>>()
  #version = '0'
  #blindIndex: BlindIndex | undefined

  constructor(blindIndex?: BlindIndex) {
    this.#blindIndex = blindIndex
  }

  /** Up to which changes are applied. */
  get version(): string {
    return this.#version
  }

  set blindIndex(blindIndex: BlindIndex) {
    this.#blindIndex = blindIndex
  }

  /** Forgets what is not among them. */
  replace(all: ChangedChoices): void {
    this.#accounts.clear()
    this.apply(all)
  }

  apply({ version, choices }: ChangedChoices): void {
    for (const { accountId, recipient, state, night } of choices) {
      let known = this.#accounts.get(accountId)
      if (known === undefined) this.#accounts.set(accountId, (known = new Map<string, Choice>()))
      const key = recipient.toString('latin1')
      if (state === 'none') known.delete(key)
      else known.set(key, { state, night })
    }
    this.#version = version
  }

  /** About the account itself. */
  of(accountId: number, to: string): Choice | undefined {
    const known = this.#accounts.get(accountId)
    if (known === undefined || known.size === 0) return undefined
    return known.get(keyOf(this.#blindIndex!, accountId, to).toString('latin1'))
  }

  /** For the account, or for every account. */
  isSuppressed(accountId: number, to: string): boolean {
    return this.of(accountId, to)?.state === 'suppressed' || this.of(everyAccount, to)?.state === 'suppressed'
  }

  allowsNight(accountId: number, to: string): boolean {
    const choice = this.of(accountId, to)
    return choice?.state === 'agreed' && choice.night
  }
}

export function keyOf(blindIndex: BlindIndex, accountId: number, to: string): Buffer {
  return accountId === everyAccount ? blindIndex.of(to) : blindIndex.of(to, accountId)
}
