/**
 * How far a feed has come: the position passes an item only after every delivery of it is done, and is saved a few times a second.
 * What is not saved before a crash is delivered again.
 */
import { setTimeout as pause } from 'node:timers/promises'

const saveMs = 250

/** A report or reply of which deliveries are not done. */
export interface OpenItem {
  left: number
}

export class FeedProgress {
  readonly #store: (seq: number) => Promise<void>
  /** In order. */
  readonly #items = new Map<number, OpenItem>()
  readonly #stopping = new AbortController()
  #position = 0
  #saved = 0
  #saving: Promise<void> = Promise.resolve()

  constructor(store: (seq: number) => Promise<void>) {
    this.#store = store
  }

  /** Items in memory, done or not. */
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

  /** Passes the items of which everything is done. */
  advance(): void {
    for (const [seq, { left }] of this.#items) {
      if (left > 0) return
      this.#items.delete(seq)
      this.#position = seq
    }
  }

  /** Saves the position for the last time. */
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
    // Without success the next round saves it.
    await this.#store(position).then(
      () => {
        this.#saved = position
      },
      () => undefined,
    )
  }
}
