/**
 * A reading that is refreshed in the background: whoever asks gets the last value, so that a slow reading delays and a failed one fails
 * nobody. Used by `read.ts`.
 */
import { settlesWithin } from '../../platform/settles-within.ts'

export interface RefreshedOptions<Value> {
  /** It is read again after this long, also when it failed. */
  readonly keepMs: number
  /** An older value is not used. */
  readonly maxAgeMs: number
  /** How long a reading is waited for when there is no value. */
  readonly waitMs: number
  /** Stands for a value where there is none. */
  readonly nothing: Value
  readonly onError: (error: unknown) => void
}

export class Refreshed<Value> {
  readonly #options: RefreshedOptions<Value>
  #last: { readonly at: number; readonly value: Value } | undefined
  #startedAt = -Infinity
  #running: Promise<void> | undefined

  constructor(options: RefreshedOptions<Value>) {
    this.#options = options
  }

  async read(load: () => Promise<Value>): Promise<Value> {
    const { keepMs, waitMs, nothing } = this.#options
    const now = performance.now()
    if (this.#running === undefined && now - this.#startedAt > keepMs) {
      this.#startedAt = now
      this.#running = this.#load(load).finally(() => (this.#running = undefined))
    }
    const last = this.#fresh()
    if (last !== undefined) return last.value
    if (this.#running !== undefined) await settlesWithin(waitMs, this.#running)
    return (this.#fresh() ?? { value: nothing }).value
  }

  #fresh(): { readonly value: Value } | undefined {
    const last = this.#last
    return last !== undefined && performance.now() - last.at <= this.#options.maxAgeMs ? last : undefined
  }

  async #load(load: () => Promise<Value>): Promise<void> {
    try {
      const value = await load()
      this.#last = { at: performance.now(), value }
    } catch (error) {
      this.#options.onError(error)
    }
  }
}
