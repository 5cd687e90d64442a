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

/** The last recipients as a ring of hashes; NaN: none, or removed. */
interface Recent {
  readonly recipients: Float64Array
  /** Of each of them its prefix. Fifty numbers are compared in less time than a map of strings takes. */
  readonly prefixes: Float64Array
  next: number
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
    if (recent === undefined) return false
    const prefix = hashOf(accountId, prefixOf(to))
    const { prefixes } = recent
    let same = 0
    for (let at = 0; at < prefixes.length; at++) if (prefixes[at] === prefix) same++
    return same >= this.#limit.same - 1 && recent.recipients.indexOf(hashOf(accountId, to)) < 0
  }

  /** False: it is among the last recipients. */
  add(accountId: number, to: string): boolean {
    this.#recent ??= new LRUCache<number, Recent>({ max: maxAccounts })
    let recent = this.#recent.get(accountId)
    if (recent === undefined) this.#recent.set(accountId, (recent = this.#create()))
    const { recipients, prefixes, next } = recent
    const hash = hashOf(accountId, to)
    if (recipients.includes(hash)) return false
    recipients[next] = hash
    prefixes[next] = hashOf(accountId, prefixOf(to))
    recent.next = (next + 1) % this.#limit.last
    return true
  }

  /** A recipient that was added, and to whom nothing was sent. */
  remove(accountId: number, to: string): void {
    const recent = this.#recent?.get(accountId)
    const at = recent?.recipients.indexOf(hashOf(accountId, to)) ?? -1
    if (at < 0) return
    recent!.recipients[at] = NaN
    recent!.prefixes[at] = NaN
  }

  #create(): Recent {
    const ring = (): Float64Array => new Float64Array(this.#limit.last).fill(NaN)
    return { recipients: ring(), prefixes: ring(), next: 0 }
  }
}
