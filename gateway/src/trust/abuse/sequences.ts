/**
 * Notices accounts that send to one block of numbers after the other: someone tries numbers, or earns by what is sent to
 * them. Over the last recipients of each account, in memory; a share, so that it is the same in every API process, whatever
 * part of the traffic it sees. No I/O.
 */
import { LRUCache } from 'lru-cache'
import { hashOf } from './key-hash.ts'

/** Of the last `last` recipients, `same` with the same prefix are a sequence. */
export interface SequenceLimit {
  readonly last: number
  readonly same: number
}

export const sequenceLimit: SequenceLimit = { last: 50, same: 25 }
/** A number without its last digits: a block of a thousand. */
const lastDigits = 3
const maxAccounts = 1_000

export function prefixOf(to: string): string {
  return to.slice(0, -lastDigits)
}

interface Recent {
  /** Their hashes, as a ring; NaN: removed. As strings, each message compared fifty of equal length. */
  readonly recipients: number[]
  /** Of each of them its prefix. */
  readonly prefixOfEach: string[]
  next: number
  /** How many different recipients of each prefix. */
  readonly prefixes: Map<string, number>
}

export class Sequences {
  readonly #limit: SequenceLimit
  /** Made by the first message, because it takes room for all accounts at once. */
  #recent: LRUCache<number, Recent> | undefined

  constructor(limit = sequenceLimit) {
    this.#limit = limit
  }

  /** Whether another recipient would make a sequence. Repeated messages to one number are none. */
  isSequence(accountId: number, to: string): boolean {
    const recent = this.#recent?.get(accountId)
    if (recent === undefined || (recent.prefixes.get(prefixOf(to)) ?? 0) < this.#limit.same - 1) return false
    return !recent.recipients.includes(hashOf(accountId, to))
  }

  /** False: it is among the last recipients. */
  add(accountId: number, to: string): boolean {
    this.#recent ??= new LRUCache<number, Recent>({ max: maxAccounts })
    let recent = this.#recent.get(accountId)
    if (recent === undefined) {
      recent = { recipients: [], prefixOfEach: [], next: 0, prefixes: new Map<string, number>() }
      this.#recent.set(accountId, recent)
    }
    const { recipients, prefixOfEach, prefixes, next } = recent
    const hash = hashOf(accountId, to)
    if (recipients.includes(hash)) return false
    const left = recipients[next]
    if (left !== undefined && !Number.isNaN(left)) change(prefixes, prefixOfEach[next]!, -1)
    recipients[next] = hash
    const prefix = prefixOf(to)
    prefixOfEach[next] = prefix
    change(prefixes, prefix, 1)
    recent.next = (next + 1) % this.#limit.last
    return true
  }

  /** A recipient that was added, and to whom nothing was sent. */
  remove(accountId: number, to: string): void {
    const recent = this.#recent?.get(accountId)
    const at = recent?.recipients.indexOf(hashOf(accountId, to)) ?? -1
    if (at < 0) return
    recent!.recipients[at] = NaN
    change(recent!.prefixes, prefixOf(to), -1)
  }
}

function change(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
