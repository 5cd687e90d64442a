/**
 * Detects accounts that send to consecutive numbers, from the last recipients of each account in this process. The
 * limit is a fraction of them, so no count across processes is needed.
 */
import { LRUCache } from 'lru-cache'

/** `same` of the `last` different recipients with the same prefix form a sequence. */
const sequenceLimit = { last: 50, same: 25 } as const
/** Digits after the prefix: a prefix is a block of a thousand numbers. */
const lastDigits = 3
const maxAccounts = 1_000

export function getNumberPrefix(to: string): string {
  return to.slice(0, -lastDigits)
}

export class Sequences {
  /** The last different recipients, oldest first. */
  readonly #recent = new LRUCache<number, string[]>({ max: maxAccounts })

  /** Reports whether another recipient would form a sequence. Repeated messages to one number never do. */
  isSequence(accountId: number, to: string): boolean {
    const recent = this.#recent.get(accountId)
    if (recent === undefined || recent.includes(to)) return false
    const prefix = getNumberPrefix(to)
    const same = recent.filter((number) => number.length === to.length && number.startsWith(prefix))
    return same.length >= sequenceLimit.same - 1
  }

  /** Returns false if the number is already among the last recipients. */
  add(accountId: number, to: string): boolean {
    const recent = this.#recent.get(accountId) ?? []
    if (recent.includes(to)) return false
    recent.push(to)
    if (recent.length > sequenceLimit.last) recent.shift()
    this.#recent.set(accountId, recent)
    return true
  }

  /** Removes a recipient to whom nothing was sent. */
  remove(accountId: number, to: string): void {
    const recent = this.#recent.get(accountId)
    const index = recent?.indexOf(to) ?? -1
    if (index >= 0) recent!.splice(index, 1)
  }
}
