/**
 * A reading that is refreshed in the background: callers get the last value; slow or failed refreshes do not
 * affect them.
 */
import { settleOrTimeout } from '../../platform/time/settle-or-timeout.ts'

export interface BackgroundReadingOptions<Value> {
  /** Refresh interval, also after a failure. */
  readonly keepMs: number
  /** Maximum age of a value that is used. */
  readonly maxAgeMs: number
  /** Maximum wait for a reading if there is no value. */
  readonly waitMs: number
  /** Stands in if there is no value. */
  readonly nothing: Value
  readonly onError: (error: unknown) => void
}

export class BackgroundReading<Value> {
  readonly #options: BackgroundReadingOptions<Value>
  #last: { readonly at: number; readonly value: Value } | undefined
  #startedAt = -Infinity
  #running: Promise<void> | undefined

  constructor(options: BackgroundReadingOptions<Value>) {
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
    if (this.#running !== undefined) await settleOrTimeout(waitMs, this.#running)
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
