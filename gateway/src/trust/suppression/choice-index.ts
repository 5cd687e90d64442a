/**
 * The choices of all recipients in memory, by account and blind index. A message costs one hash of 4 µs, or two where
 * choices about every account exist, and only if it is an advertisement and its account has choices.
 */
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { everyAccount, type Choice, type ChoiceState } from './choice.ts'
import { ChoiceTable } from './choice-table.ts'

export interface StoredChoice extends Choice {
  readonly accountId: number
  readonly recipient: Buffer
}

/** The value of each in the table, one more than its place here. */
const choices: readonly Choice[] = [
  { state: 'suppressed', night: false },
  { state: 'suppressed', night: true },
  { state: 'agreed', night: false },
  { state: 'agreed', night: true },
]

export class ChoiceIndex {
  // The index of a recipient has the account mixed in: one table serves all.
  #table = new ChoiceTable()
  /** How many each account has; without any, nothing is hashed. */
  #counts = new Map<number, number>()
  #blindIndex: BlindIndex | undefined

  constructor(blindIndex?: BlindIndex) {
    this.#blindIndex = blindIndex
  }

  set blindIndex(blindIndex: BlindIndex) {
    this.#blindIndex = blindIndex
  }

  /** Takes over what the other holds, and forgets the rest. */
  replaceWith(other: ChoiceIndex): void {
    this.#table = other.#table
    this.#counts = other.#counts
  }

  put(accountId: number, recipient: Buffer, state: ChoiceState, night: boolean): void {
    const value = 1 + choices.findIndex((choice) => choice.state === state && choice.night === night)
    const isNone = state === 'none'
    const former = isNone ? this.#table.delete(recipient) : this.#table.set(recipient, value)
    const change = (isNone ? 0 : 1) - (former === undefined ? 0 : 1)
    if (change !== 0) this.#counts.set(accountId, (this.#counts.get(accountId) ?? 0) + change)
  }

  /** About the account itself. */
  of(accountId: number, to: string): Choice | undefined {
    // The key is missing only within a second of the first choice of all.
    if ((this.#counts.get(accountId) ?? 0) <= 0 || this.#blindIndex === undefined) return undefined
    const value = this.#table.get(keyOf(this.#blindIndex, accountId, to))
    return value === undefined ? undefined : choices[value - 1]
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
