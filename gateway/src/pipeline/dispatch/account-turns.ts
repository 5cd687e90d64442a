/**
 * The entries of one lane in memory, served by turns of their accounts: the backlog of one account delays an entry of another
 * by one turn, not by all of it. A turn is as many parts as the weight of the account, as where steps are released: with equal
 * turns the entries of a heavier account would fill the lane and its share would fall to that of the others. Entries of one
 * account keep their order.
 */
export class AccountTurns<Entry extends { readonly parts: number }> {
  readonly #weightOf: (accountId: number) => number
  /** In the order of the turns; an account without entries is absent. */
  readonly #accounts = new Map<number, Queue<Entry>>()
  #size = 0

  constructor(weightOf: (accountId: number) => number) {
    this.#weightOf = weightOf
  }

  get size(): number {
    return this.#size
  }

  /** Parts of each account that has entries. */
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

  /** Removes it. When the account has had its parts, the turn passes to the next one. */
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

  /** An account that has had its turn, or more because of a long message, goes to the end and waits for its next one. */
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

  /** Removes the entries for which it holds, and returns them. */
  remove(holds: (entry: Entry) => boolean): Entry[] {
    const removed: Entry[] = []
    for (const [accountId, queue] of this.#accounts) {
      const staying: Entry[] = []
      for (const entry of queue.entries.slice(queue.head)) {
        if (!holds(entry)) staying.push(entry)
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
  /** Of the first entry that is left: an array of thousands must not be moved for each. */
  head: number
  /** Of the entries that are left. */
  parts: number
  /** Parts that are left of its turn. */
  left: number
}

function compact<Entry>(queue: Queue<Entry>): void {
  if (queue.head < 256 || queue.head * 2 < queue.entries.length) return
  queue.entries = queue.entries.slice(queue.head)
  queue.head = 0
}
