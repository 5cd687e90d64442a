/**
 * Log of accepted submissions, limited in entries and bytes. The oldest entries are dropped and counted, so a
 * response shows whether it is complete. Contains texts and digests but no files.
 */

export interface LogEntry {
  /** Id of the message: the carrier's, or the client's if the carrier assigns none. */
  readonly id: string
  readonly to: string
  /** Identifies repeated submissions of the same message. */
  readonly key: string
}

export type ListedEntry<Entry extends LogEntry> = Omit<Entry, 'key'> & {
  /** Number of entries with the same key. */
  readonly count: number
}

/** First entry of a group of duplicates, with the ids of all. */
export type DuplicateEntry<Entry extends LogEntry> = ListedEntry<Entry> & { readonly ids: readonly string[] }

/** Assumed size of an entry if the carrier passes none. */
const DEFAULT_ENTRY_BYTES = 512
const COMPACT_AT = 1024

export class ReceivedLog<Entry extends LogEntry> {
  readonly #limit: number
  readonly #maxBytes: number
  #entries: { readonly entry: Entry; readonly bytes: number }[] = []
  /** Index of the oldest entry kept. Dropped entries before it are removed in batches. */
  #head = 0
  #bytes = 0
  dropped = 0

  /** `limit` is the maximum number of entries; 0 disables the log. */
  constructor(limit: number, maxBytes = 67_108_864) {
    this.#limit = limit
    this.#maxBytes = maxBytes
  }

  /** `bytes` approximates the memory of the entry: the size of the request without its files. */
  add(entry: Entry, bytes = DEFAULT_ENTRY_BYTES): void {
    this.#entries.push({ entry, bytes })
    this.#bytes += bytes
    while (this.#entries.length - this.#head > this.#limit || this.#bytes > this.#maxBytes) {
      this.#bytes -= this.#entries[this.#head++]!.bytes
      this.dropped++
    }
    if (this.#head < COMPACT_AT || this.#head * 2 < this.#entries.length) return
    this.#entries = this.#entries.slice(this.#head)
    this.#head = 0
  }

  #inOrder(): Entry[] {
    return this.#entries.slice(this.#head).map(({ entry }) => entry)
  }

  /** Lists the newest `limit` entries, oldest first, optionally of one recipient. */
  list(to: string | undefined, limit = Infinity): ListedEntry<Entry>[] {
    const entries = this.#inOrder()
    const counts = new Map<string, number>()
    for (const { key } of entries) counts.set(key, (counts.get(key) ?? 0) + 1)
    const chosen = entries.filter((entry) => to === undefined || entry.to === to)
    return chosen
      .slice(Math.max(0, chosen.length - limit))
      .map(({ key, ...rest }) => ({ ...rest, count: counts.get(key)! }))
  }

  duplicates(): DuplicateEntry<Entry>[] {
    const groups = Map.groupBy(this.#inOrder(), ({ key }) => key)
    return [...groups.values()]
      .filter((group) => group.length > 1)
      .map((group) => {
        const { key, ...first } = group[0]!
        return { ...first, count: groups.get(key)!.length, ids: group.map(({ id }) => id) }
      })
  }

  clear(): void {
    this.#entries = []
    this.#head = 0
    this.#bytes = 0
    this.dropped = 0
  }
}
