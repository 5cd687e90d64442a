/**
 * Counts the binds of accounts over all processes. While PostgreSQL does not answer, each process counts on its own, as rate limits
 * do without Redis, and what it admitted is counted for all when PostgreSQL is back.
 */
import type { Database } from '../platform/database.ts'
import { isDatabaseUnavailable } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Membership } from '../platform/membership/membership.ts'
import { every, type Periodic } from '../platform/periodic.ts'
import { deleteBinds, insertBind, insertUncounted, type StoredBind } from './bind-queries.ts'

const roundMs = 1_000

export class Binds {
  readonly #database: Database
  readonly #membership: Membership
  readonly #binds = new Map<string, { readonly bind: StoredBind; counted: boolean }>()
  /** Rows whose deletion failed. */
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
  async take(bind: StoredBind, maxBinds: number): Promise<boolean> {
    if (!this.#membership.renewed) return this.#takeUncounted(bind, maxBinds)
    try {
      const isTaken =
        (await this.#insert(bind, maxBinds)) ||
        // Binds of processes of this machine that were killed end now, not when their heartbeat is old.
        ((await this.#membership.retireEnded()) && (await this.#insert(bind, maxBinds)))
      if (isTaken) this.#binds.set(bind.id, { bind, counted: true })
      return isTaken
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      return this.#takeUncounted(bind, maxBinds)
    }
  }

  async end(id: string): Promise<void> {
    if (!this.#binds.delete(id)) return
    this.#ended.add(id)
    await this.#removeRows()
  }

  stop(): Promise<void> {
    return this.#round.stop()
  }

  #takeUncounted(bind: StoredBind, maxBinds: number): boolean {
    if (this.#countOf(bind.accountId) >= maxBinds) return false
    this.#binds.set(bind.id, { bind, counted: false })
    return true
  }

  #insert(bind: StoredBind, maxBinds: number): Promise<boolean> {
    return insertBind(this.#database, this.#membership.id, bind, maxBinds)
  }

  #countOf(accountId: number): number {
    let count = 0
    for (const { bind } of this.#binds.values()) if (bind.accountId === accountId) count++
    return count
  }

  async #store(): Promise<void> {
    const { joins, renewed, id } = this.#membership
    if (!renewed) return
    if (joins !== this.#joins) for (const own of this.#binds.values()) own.counted = false
    this.#joins = joins
    const uncounted = [...this.#binds.values()].filter(({ counted }) => !counted)
    if (uncounted.length > 0) {
      await insertUncounted(
        this.#database,
        id,
        uncounted.map(({ bind }) => bind),
      )
      for (const own of uncounted) own.counted = true
    }
    if (this.#ended.size > 0) await this.#removeRows()
  }

  async #removeRows(): Promise<void> {
    const ids = [...this.#ended]
    try {
      await deleteBinds(this.#database, ids)
      for (const id of ids) this.#ended.delete(id)
    } catch (error) {
      // The next round tries again.
      if (!isDatabaseUnavailable(error)) throw error
    }
  }
}
