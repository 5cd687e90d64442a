/**
 * Counts the binds of accounts over all processes. While PostgreSQL does not answer, each process counts on its own, as rate limits
 * do without Redis, and what it admitted is counted for all when PostgreSQL is back.
 */
import type { Database } from '../platform/database.ts'
import { isDatabaseUnavailable } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { hasEnded, machine } from '../platform/machine.ts'
import { every, type Periodic } from '../platform/periodic.ts'
import {
  deleteBinds,
  insertBind,
  insertUncounted,
  readServersOf,
  removeServers,
  removeSilent,
  writeHeartbeat,
  type StoredBind,
} from './bind-queries.ts'

const heartbeatMs = 1_000
const cleaningMs = 30_000

export class Binds {
  readonly #database: Database
  readonly #server: string
  readonly #binds = new Map<string, { readonly bind: StoredBind; counted: boolean }>()
  /** Rows whose deletion failed. */
  readonly #ended = new Set<string>()
  readonly #rounds: readonly Periodic[]

  constructor(database: Database, server: string, log: Log) {
    this.#database = database
    this.#server = server
    this.#rounds = [
      every(heartbeatMs, 'writing the heartbeat of the SMPP server', log, () => this.#beat()),
      every(cleaningMs, 'removing SMPP servers that have ended', log, () => removeSilent(database)),
    ]
  }

  /** False: the account has as many as it may. */
  async take(bind: StoredBind, maxBinds: number): Promise<boolean> {
    const own = { bind, counted: true }
    try {
      const isTaken =
        (await insertBind(this.#database, this.#server, bind, maxBinds)) ||
        ((await this.#removeEnded()) && (await insertBind(this.#database, this.#server, bind, maxBinds)))
      if (isTaken) this.#binds.set(bind.id, own)
      return isTaken
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      if (this.#countOf(bind.accountId) >= maxBinds) return false
      own.counted = false
      this.#binds.set(bind.id, own)
      return true
    }
  }

  async end(id: string): Promise<void> {
    if (!this.#binds.delete(id)) return
    this.#ended.add(id)
    await this.#removeRows()
  }

  /** The rows of this process leave with it. */
  async stop(): Promise<void> {
    await Promise.all(this.#rounds.map((round) => round.stop()))
    await removeServers(this.#database, [this.#server])
  }

  #countOf(accountId: number): number {
    let count = 0
    for (const { bind } of this.#binds.values()) if (bind.accountId === accountId) count++
    return count
  }

  async #beat(): Promise<void> {
    if (await writeHeartbeat(this.#database, this.#server, machine))
      for (const own of this.#binds.values()) own.counted = false
    const uncounted = [...this.#binds.values()].filter(({ counted }) => !counted)
    if (uncounted.length > 0) {
      await insertUncounted(
        this.#database,
        this.#server,
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
      // The next heartbeat tries again.
      if (!isDatabaseUnavailable(error)) throw error
    }
  }

  /** Processes of this machine that were killed: their binds end now, not when their heartbeat is old. */
  async #removeEnded(): Promise<boolean> {
    if (machine === null) return false
    const ended = (await readServersOf(this.#database, machine, this.#server)).filter(({ pid }) =>
      hasEnded(pid),
    )
    if (ended.length === 0) return false
    await removeServers(
      this.#database,
      ended.map(({ id }) => id),
    )
    return true
  }
}
