/**
 * The waiting entries of one lane, served by turns of their accounts: the backlog of one account delays an
 * entry of another by one turn only. A turn has as many parts as the weight of the account, as in the release
 * of steps: with equal turns the entries of a heavier account would fill the lane, and its share would drop.
 * Entries of one account keep their order.
 */
export class AccountTurns<Entry extends { readonly parts: number }> {
  readonly #weightOf: (accountId: number) => number
  /** Queues in the order of the turns; an account without entries is absent. */
  readonly #accounts = new Map<number, Queue<Entry>>()
  #size = 0

  constructor(weightOf: (accountId: number) => number) {
    this.#weightOf = weightOf
  }

  get size(): number {
    return this.#size
  }

  /** Number of parts of each account with entries. */
  get parts(): Map<number, number> {
    return new Map(Array.from(this.#accounts, ([accountId, { parts }]) => [accountId, parts]))
  }

  push(accountId: number, entry: Entry): void {
    let queue = this.#accounts.get(accountId)
    if (queue === undefined) {
      queue = { entries: [], head: 0, parts: 0, left: this.#weightOf(accountId) }
      this.#accounts.set(accountId, queue)
    }
    queue.entries.push(entry)
    queue.parts += entry.parts
    this.#size++
  }

  /** The entry whose turn it is. */
  get first(): Entry | undefined {
    const queue = this.#front()?.[1]
    return queue?.entries[queue.head]
  }

  /** Removes and returns the first entry. When the account has used its turn, the next account follows. */
  shift(): Entry | undefined {
    const front = this.#front()
    if (front === undefined) return undefined
    const [accountId, queue] = front
    const entry = queue.entries[queue.head]!
    queue.head++
    queue.parts -= entry.parts
    queue.left -= entry.parts
    this.#size--
    if (queue.head === queue.entries.length) this.#accounts.delete(accountId)
    else compact(queue)
    return entry
  }

  /**
   * Returns the account whose turn it is. An account that has used its turn, or more because of a long
   * message, goes to the end.
   */
  #front(): [number, Queue<Entry>] | undefined {
    for (;;) {
      const [front] = this.#accounts
      if (front === undefined || front[1].left > 0) return front
      const [accountId, queue] = front
      queue.left += this.#weightOf(accountId)
      this.#accounts.delete(accountId)
      this.#accounts.set(accountId, queue)
    }
  }

  /** Removes and returns the entries for which `matches` returns true. */
  remove(matches: (entry: Entry) => boolean): Entry[] {
    const removed: Entry[] = []
    for (const [accountId, queue] of this.#accounts) {
      const staying: Entry[] = []
      for (const entry of queue.entries.slice(queue.head)) {
        if (!matches(entry)) staying.push(entry)
        else {
          removed.push(entry)
          queue.parts -= entry.parts
        }
      }
      if (staying.length === 0) this.#accounts.delete(accountId)
      else {
        queue.entries = staying
        queue.head = 0
      }
    }
    this.#size -= removed.length
    return removed
  }
}

interface Queue<Entry> {
  entries: Entry[]
  /** Index of the first remaining entry, so that an array of thousands is not shifted for each. */
  head: number
  /** Parts of the remaining entries. */
  parts: number
  /** Parts left in the current turn. */
  left: number
}

function compact<Entry>(queue: Queue<Entry>): void {
  if (queue.head < 256 || queue.head * 2 < queue.entries.length) return
  queue.entries = queue.entries.slice(queue.head)
  queue.head = 0
}
