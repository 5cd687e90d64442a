/**
 * An in-memory copy of a small table, so that the hot path does not read the database. It checks for changes
 * every second and keeps serving the last copy while PostgreSQL is unavailable.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../logging/log.ts'
import { retryTransient } from './retry.ts'
import { settleOrTimeout } from '../time/settle-or-timeout.ts'

/** Minimum interval between two early refreshes, which requests can trigger. */
const minEarlyIntervalMs = 250

/** Thrown before the first load. The error is transient: callers retry. */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded'
}

/**
 * SQL expression that changes whenever a row of the table does. It uses row versions, not a timestamp,
 * because a transaction may commit after one that began later. It combines their count and sum, computed from
 * their age, because converting a transaction id to a number directly goes through text and is slower.
 */
export const rowVersions = `count(*) || '/' || count(*) * (age('3'::xid)::bigint + 3) - coalesce(sum(age(xmin)), 0)`

export interface TableCacheSource<T> {
  readonly what: string
  /** Returns a value that changes whenever the table does. It must be cheap to read. */
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
  /** Refreshes run one after the other: an older copy must not replace a newer one. */
  #refreshing: Promise<void> = Promise.resolve()
  /** An early refresh that has not started yet. */
  #early: Promise<void> | undefined
  #earlyAt = -Infinity
  /** The error of the last refresh, if it failed. */
  #error: Error | undefined
  #stopped = false
  #comparedAt = -Infinity
  /** The start of the first failed refresh after the last successful one. */
  #failingSince: number | undefined

  constructor(source: TableCacheSource<T>, log: Log) {
    this.#source = source
    this.#log = log
  }

  /** Time since the table was last compared with the database; infinite before the first comparison. */
  get ageMs(): number {
    return performance.now() - this.#comparedAt
  }

  /** Time for which refreshes have failed; 0 if the last one succeeded. */
  get failingMs(): number {
    return this.#failingSince === undefined ? 0 : performance.now() - this.#failingSince
  }

  get loaded(): boolean {
    return this.#value !== undefined
  }

  get value(): T {
    if (this.#value === undefined) throw this.notLoaded()
    return this.#value
  }

  protected notLoaded(): NotLoaded {
    return new NotLoaded(`${this.#source.what} are not loaded yet`, { cause: this.#error })
  }

  /** Calls the listener after every change, and immediately if a value is loaded. */
  onChange(listener: (value: T) => void): void {
    this.#listeners.push(listener)
    if (this.#value !== undefined) listener(this.#value)
  }

  /** Refreshes at the interval. Resolves after the first attempt, even if it failed. */
  start(intervalMs = 1_000): Promise<void> {
    const run = async (): Promise<void> => {
      await this.refresh()
      if (!this.#stopped) this.#timer = setTimeout(() => void run(), intervalMs)
    }
    return run()
  }

  /** Starts like `start`, but resolves when the table is loaded, for a role that cannot work without it. */
  async startLoaded(signal: AbortSignal, intervalMs = 1_000): Promise<void> {
    await this.start(intervalMs)
    const load = async (): Promise<void> => {
      if (!this.loaded) await this.refresh()
      if (!this.loaded) throw this.notLoaded()
    }
    await retryTransient(load, { what: `loading ${this.#source.what}`, log: this.#log, signal })
  }

  refresh(): Promise<void> {
    this.#refreshing = this.#refreshing.then(() => this.#refreshOnce())
    return this.#refreshing
  }

  /**
   * Waits for a refresh that starts after the call, for a missing row that may be new. Concurrent calls share
   * one refresh, which starts within 250 ms, or when a running refresh has ended. Returns false if the table was
   * not read within `maxWaitMs`, so that a request does not wait for an unavailable database.
   */
  async refreshEarly(maxWaitMs = 500): Promise<boolean> {
    this.#early ??= this.#startEarly()
    return (await settleOrTimeout(maxWaitMs, this.#early)) && this.#error === undefined
  }

  async #startEarly(): Promise<void> {
    const waitMs = this.#earlyAt + minEarlyIntervalMs - performance.now()
    if (waitMs > 0) await pause(waitMs, undefined, { ref: false })
    this.#refreshing = this.#refreshing.then(() => {
      this.#early = undefined
      this.#earlyAt = performance.now()
      return this.#refreshOnce()
    })
    await this.#refreshing
  }

  async #refreshOnce(): Promise<void> {
    const started = performance.now()
    try {
      const version = await this.#source.version()
      if (version !== this.#version) {
        const value = await this.#source.load()
        this.#value = value
        this.#version = version
        for (const listener of this.#listeners) this.#notify(listener, value)
      }
      if (this.#error !== undefined) this.#log.info({}, `${this.#source.what} are refreshed again`)
      this.#error = undefined
      this.#comparedAt = started
      this.#failingSince = undefined
    } catch (error) {
      this.#failingSince ??= started
      if (this.#error === undefined)
        this.#log.warn(
          { err: error as Error },
          this.loaded
            ? `cannot refresh ${this.#source.what}; serving the last copy and retrying`
            : `cannot load ${this.#source.what}; retrying`,
        )
      this.#error = error as Error
    }
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** A throwing listener does not prevent the others from being called. */
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
