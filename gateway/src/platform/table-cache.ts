/**
 * An in-memory copy of a small table, so that the hot path reads no database. It checks for changes every second and
 * keeps serving the last copy while PostgreSQL is unavailable. Used for accounts, routes and other settings.
 */
import type { Log } from './log.ts'

export interface TableCacheSource<T> {
  readonly what: string
  /** A value that changes whenever the table does; cheap to read. */
  version(): Promise<string>
  load(): Promise<T>
}

export class TableCache<T> {
  readonly #source: TableCacheSource<T>
  readonly #log: Log
  readonly #listeners: ((value: T) => void)[] = []
  #value: T | undefined
  #version: string | undefined
  #timer: NodeJS.Timeout | undefined
  #failing = false
  #stopped = false

  constructor(source: TableCacheSource<T>, log: Log) {
    this.#source = source
    this.#log = log
  }

  get loaded(): boolean {
    return this.#value !== undefined
  }

  get value(): T {
    if (this.#value === undefined) throw new Error(`${this.#source.what} are not loaded yet`)
    return this.#value
  }

  /** The listener is called after every change, and at once if a value is loaded. */
  onChange(listener: (value: T) => void): void {
    this.#listeners.push(listener)
    if (this.#value !== undefined) listener(this.#value)
  }

  start(intervalMs = 1_000): Promise<void> {
    const run = async (): Promise<void> => {
      await this.refresh()
      if (!this.#stopped) this.#timer = setTimeout(() => void run(), intervalMs)
    }
    return run()
  }

  async refresh(): Promise<void> {
    try {
      const version = await this.#source.version()
      if (version !== this.#version) {
        const value = await this.#source.load()
        this.#value = value
        this.#version = version
        for (const listener of this.#listeners) this.#notify(listener, value)
      }
      if (this.#failing) this.#log.info({}, `${this.#source.what} are refreshed again`)
      this.#failing = false
    } catch (error) {
      if (!this.#failing)
        this.#log.warn(
          { err: error as Error },
          `cannot refresh ${this.#source.what}; serving the last copy and retrying`,
        )
      this.#failing = true
    }
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** A listener that throws does not keep the others from being called. */
  #notify(listener: (value: T) => void, value: T): void {
    try {
      listener(value)
    } catch (error) {
      this.#log.error(
        { err: error as Error },
        `a listener failed on a change of ${this.#source.what}; it keeps its previous state`,
      )
    }
  }
}
