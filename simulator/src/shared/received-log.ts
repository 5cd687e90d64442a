/**
 * What a carrier has accepted, for tests and for people. Its size is bounded: beyond the limit the oldest entries are
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

export class ReceivedLog<Entry extends LogEntry> {
  readonly #limit: number
  #entries: Entry[] = []
  #next = 0
  dropped = 0

  /** A limit of 0 keeps nothing. */
  constructor(limit: number) {
    this.#limit = limit
  }

  add(entry: Entry): void {
    if (this.#entries.length < this.#limit) {
      this.#entries.push(entry)
      return
    }
    this.dropped++
    if (this.#limit === 0) return
    this.#entries[this.#next] = entry
    this.#next = (this.#next + 1) % this.#limit
  }

  #inOrder(): Entry[] {
    return [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)]
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
    this.#next = 0
    this.dropped = 0
  }
}
