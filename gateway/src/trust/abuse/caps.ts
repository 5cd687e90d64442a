/**
 * Caps by day and month, never exceeded over all processes: counters that are leased from PostgreSQL. An account without a cap
 * costs no statement.
 */
import { LeasedCounters, type CounterUse, type LeaseTimes } from '../../platform/leased-counters.ts'
import type { Log } from '../../platform/log.ts'
import type { BeginOf } from './cap-periods.ts'
import type { CapKey, CapStore } from './cap-store.ts'
import type { Cap } from './protection.ts'

/** A cap that a message counts for, and by how much. */
export interface CapUse extends Cap {
  readonly count: number
}

export type CapResult =
  /** `putBack` undoes it, for a message that was not accepted. */
  | { readonly kind: 'taken'; readonly putBack: () => void }
  | { readonly kind: 'reached'; readonly cap: Cap }
  | { readonly kind: 'busy' }

export interface CapsOptions extends LeaseTimes {
  readonly store: CapStore
  readonly beginOf: BeginOf
  readonly log: Log
}

interface CountedCap extends CounterUse<CapKey> {
  readonly cap: Cap
}

export class Caps {
  readonly #options: CapsOptions
  readonly #counters: LeasedCounters<CapKey, CountedCap>

  constructor(options: CapsOptions) {
    this.#options = options
    this.#counters = new LeasedCounters(options.store, options.log, options)
  }

  /** Takes from all caps or from none. */
  async take(accountId: number, uses: readonly CapUse[], now: number): Promise<CapResult> {
    const result = await this.#counters.take(uses.map((use) => this.#toCounter(accountId, use, now)))
    return result.kind === 'reached' ? { kind: 'reached', cap: result.use.cap } : result
  }

  /** Returns the cap that the message would exceed now. Reads PostgreSQL, and takes nothing. */
  async findReached(accountId: number, uses: readonly CapUse[], now: number): Promise<Cap | null> {
    const { store, beginOf } = this.#options
    const begins = [...new Set(uses.map(({ period }) => beginOf(period, now)))]
    const rows = await store.readUsed(accountId, begins)
    const found = uses.find((use) => {
      const { name, key } = this.#toCounter(accountId, use, now)
      const row = rows.find((one) => one.class === use.class && one.begins === key.begins)
      return (row?.used ?? 0) - this.#counters.left(name) + use.count > use.max
    })
    return found ?? null
  }

  /** Gives everything back. Call it after the last message was taken. */
  stop(): Promise<void> {
    return this.#counters.stop()
  }

  #toCounter(accountId: number, use: CapUse, now: number): CountedCap {
    const { period, class: name, max, count } = use
    const key = { accountId, period, class: name, begins: this.#options.beginOf(period, now) }
    return { name: `${accountId}/${name}/${key.begins}`, key, max, count, cap: use }
  }
}
