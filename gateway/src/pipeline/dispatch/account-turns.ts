/**
 * The entries of one lane in memory, served by turns of their accounts: the backlog of one account delays an entry of another
 * by one entry, not by all. Entries of one account keep their order. Shares by weight are kept where steps are released.
 * Called by `LaneScheduler`.
 */
export class AccountTurns<Entry> {
  /** In the order of the turns; an account without entries is absent. */
  readonly #accounts = new Map<number, Queue<Entry>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  push(accountId: number, entry: Entry): void {
    let queue = this.#accounts.get(accountId)
    if (queue === undefined) {
      queue = { entries: [], head: 0 }
      this.#accounts.set(accountId, queue)
    }
    queue.entries.push(entry)
    this.#size++
  }

  /** The entry whose turn it is. */
  get first(): Entry | undefined {
    for (const queue of this.#accounts.values()) return queue.entries[queue.head]
    return undefined
  }

  /** Removes it; the turn passes to the next account. */
  shift(): Entry | undefined {
    for (const [accountId, queue] of this.#accounts) {
      this.#accounts.delete(accountId)
      const entry = queue.entries[queue.head]!
      queue.head++
      if (queue.head < queue.entries.length) {
        compact(queue)
        this.#accounts.set(accountId, queue)
      }
      this.#size--
      return entry
    }
    return undefined
  }

  /** Removes the entries for which it holds, and returns them. */
  remove(holds: (entry: Entry) => boolean): Entry[] {
    const removed: Entry[] = []
    for (const [accountId, queue] of this.#accounts) {
      const staying: Entry[] = []
      for (const entry of queue.entries.slice(queue.head)) (holds(entry) ? removed : staying).push(entry)
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
}

function compact<Entry>(queue: Queue<Entry>): void {
  if (queue.head < 256 || queue.head * 2 < queue.entries.length) return
  queue.entries = queue.entries.slice(queue.head)
  queue.head = 0
}
