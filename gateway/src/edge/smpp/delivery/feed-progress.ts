import { setTimeout as pause } from 'node:timers/promises'

const saveMs = 250

/** Report or reply with deliveries that are not done. */
export interface OpenItem {
  left: number
}

/**
 * Tracks the position of a feed: it passes an item only after all deliveries of it are done, and is saved several
 * times per second. Items past the saved position are delivered again after a crash.
 */
export class FeedProgress {
  readonly #store: (seq: number) => Promise<void>
  /** In order of `seq`. */
  readonly #items = new Map<number, OpenItem>()
  readonly #stopping = new AbortController()
  #position = 0
  #saved = 0
  #saving: Promise<void> = Promise.resolve()

  constructor(store: (seq: number) => Promise<void>) {
    this.#store = store
  }

  /** Number of items in memory, done or not. */
  get size(): number {
    return this.#items.size
  }

  start(position: number): void {
    this.#position = this.#saved = position
    this.#saving = this.#saveRegularly()
  }

  add(seq: number, deliveries: number): OpenItem {
    const item = { left: deliveries }
    this.#items.set(seq, item)
    return item
  }

  /** Moves the position past items whose deliveries are all done. */
  advance(): void {
    for (const [seq, { left }] of this.#items) {
      if (left > 0) return
      this.#items.delete(seq)
      this.#position = seq
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#saving
    await this.#save()
  }

  async #saveRegularly(): Promise<void> {
    const { signal } = this.#stopping
    const isStopped = (): boolean => signal.aborted
    while (!isStopped()) {
      await pause(saveMs, undefined, { signal }).catch(() => undefined)
      if (!isStopped()) await this.#save()
    }
  }

  async #save(): Promise<void> {
    const position = this.#position
    if (position <= this.#saved) return
    // A failed save is repeated in the next round.
    await this.#store(position).then(
      () => {
        this.#saved = position
      },
      () => undefined,
    )
  }
}
