import type { Database } from '../../../platform/database/database.ts'
import { isDatabaseUnavailable } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Membership } from '../../../platform/membership/membership.ts'
import { every, type Periodic } from '../../../platform/time/periodic.ts'
import { deleteBinds, insertBind, insertUncounted, type StoredBind } from './bind-queries.ts'

const roundMs = 1_000

/**
 * Counts the binds of accounts over all processes. While PostgreSQL does not respond, each process counts its own
 * binds, like rate limits without Redis, and stores them when PostgreSQL is back.
 */
export class Binds {
  readonly #database: Database
  readonly #membership: Membership
  readonly #binds = new Map<string, { readonly bind: StoredBind; counted: boolean }>()
  /** Ids of ended binds whose rows still exist. */
  readonly #ended = new Set<string>()
  readonly #round: Periodic
  #joins: number

  constructor(database: Database, membership: Membership, log: Log) {
    this.#database = database
    this.#membership = membership
    this.#joins = membership.joins
    this.#round = every(roundMs, 'storing the binds of SMPP clients', log, () => this.#store())
  }

  /** Returns false if the account has reached its bind limit. */
  async register(bind: StoredBind, maxBinds: number): Promise<boolean> {
    if (!this.#membership.renewed) return this.#registerUncounted(bind, maxBinds)
    try {
      const isRegistered =
        (await this.#insert(bind, maxBinds)) ||
        // Binds of killed processes of this machine end now, not when their heartbeat expires.
        ((await this.#membership.retireEnded()) && (await this.#insert(bind, maxBinds)))
      if (isRegistered) this.#binds.set(bind.id, { bind, counted: true })
      return isRegistered
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      return this.#registerUncounted(bind, maxBinds)
    }
  }

  async unregister(id: string): Promise<void> {
    if (!this.#binds.delete(id)) return
    this.#ended.add(id)
    await this.#removeRows()
  }

  stop(): Promise<void> {
    return this.#round.stop()
  }

  #registerUncounted(bind: StoredBind, maxBinds: number): boolean {
    if (this.#count(bind.accountId) >= maxBinds) return false
    this.#binds.set(bind.id, { bind, counted: false })
    return true
  }

  #insert(bind: StoredBind, maxBinds: number): Promise<boolean> {
    return insertBind(this.#database, this.#membership.id, bind, maxBinds)
  }

  #count(accountId: number): number {
    let count = 0
    for (const { bind } of this.#binds.values()) if (bind.accountId === accountId) count++
    return count
  }

  async #store(): Promise<void> {
    const { joins, renewed, id } = this.#membership
    if (!renewed) return
    // The rows of the binds were deleted with the earlier membership.
    if (joins !== this.#joins) for (const entry of this.#binds.values()) entry.counted = false
    this.#joins = joins
    const uncounted = [...this.#binds.values()].filter(({ counted }) => !counted)
    if (uncounted.length > 0) {
      await insertUncounted(
        this.#database,
        id,
        uncounted.map(({ bind }) => bind),
      )
      for (const entry of uncounted) entry.counted = true
    }
    if (this.#ended.size > 0) await this.#removeRows()
  }

  async #removeRows(): Promise<void> {
    const ids = [...this.#ended]
    try {
      await deleteBinds(this.#database, ids)
      for (const id of ids) this.#ended.delete(id)
    } catch (error) {
      // The next round retries.
      if (!isDatabaseUnavailable(error)) throw error
    }
  }
}
