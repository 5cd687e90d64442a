/**
 * Detects accounts that send to consecutive numbers, by the last recipients of each account in this process. The limit is a
 * share of them, so it needs no count over all processes.
 */
import { LRUCache } from 'lru-cache'

/** `same` of the `last` different recipients with the same prefix are a sequence. */
const sequenceLimit = { last: 50, same: 25 } as const
/** A prefix is a block of a thousand numbers. */
const lastDigits = 3
const maxAccounts = 1_000

export function prefixOf(to: string): string {
  return to.slice(0, -lastDigits)
}

export class Sequences {
  /** The last different recipients, oldest first. */
  readonly #recent = new LRUCache<number, string[]>({ max: maxAccounts })

  /** Reports whether another recipient would make a sequence. Repeated messages to one number never do. */
  isSequence(accountId: number, to: string): boolean {
    const recent = this.#recent.get(accountId)
    if (recent === undefined || recent.includes(to)) return false
    const prefix = prefixOf(to)
    const same = recent.filter((one) => one.length === to.length && one.startsWith(prefix))
    return same.length >= sequenceLimit.same - 1
  }

  /** Returns false if the number is among the last recipients already. */
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
