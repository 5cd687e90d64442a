/**
 * What a carrier has accepted, for tests and for people. It is bounded in entries and in octets: the oldest are
 * dropped and counted, so that an answer shows that it is incomplete. Carriers keep texts and digests here, never files.
 */

export interface LogEntry {
  /** The id that the carrier gave. */
  readonly id: string
  readonly to: string
  /** Entries with the same key are the same message submitted more than once. */
  readonly key: string
}

export type Listed<Entry extends LogEntry> = Omit<Entry, 'key'> & {
  /** How many entries have the same key. */
  readonly count: number
}

/** The first of the entries, and the ids of all. */
export type Repeated<Entry extends LogEntry> = Listed<Entry> & {
  readonly ids: readonly string[]
}

/** What an entry takes when the carrier does not say. */
const USUAL_BYTES = 512
const COMPACT_AT = 1024

export class ReceivedLog<Entry extends LogEntry> {
  readonly #limit: number
  readonly #maxBytes: number
  #entries: { readonly entry: Entry; readonly bytes: number }[] = []
  /** The oldest that is kept; those before it are removed together, now and then. */
  #head = 0
  #bytes = 0
  dropped = 0

  /** A limit of 0 keeps nothing. */
  constructor(limit: number, maxBytes = 67_108_864) {
    this.#limit = limit
    this.#maxBytes = maxBytes
  }

  /** `bytes` is about what the entry takes: the octets of the request without its files. */
  add(entry: Entry, bytes = USUAL_BYTES): void {
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

  /** The newest `limit` entries, oldest first; only those to one recipient if given. */
  list(to: string | undefined, limit = Infinity): Listed<Entry>[] {
    const entries = this.#inOrder()
    const counts = new Map<string, number>()
    for (const { key } of entries) counts.set(key, (counts.get(key) ?? 0) + 1)
    const chosen = entries.filter((entry) => to === undefined || entry.to === to)
    return chosen.slice(Math.max(0, chosen.length - limit)).map(({ key, ...rest }) => ({
      ...rest,
      count: counts.get(key)!,
    }))
  }

  duplicates(): Repeated<Entry>[] {
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
