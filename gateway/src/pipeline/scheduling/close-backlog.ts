/**
 * Ends the waiting messages of a stopped account in pages. A page that fails is divided until the message at fault is alone:
 * it is logged, left out for a minute, and the others end. Used by `stopped-accounts.ts`.
 */
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { scopeOf } from '../../platform/transient.ts'
import { closeWaiting } from '../../records/messages/stopped.ts'
import { findWaitingOf } from '../../records/waiting/stopped.ts'

export interface CloserContext {
  readonly database: Database
  readonly metrics: Pick<Metrics, 'closed'>
  readonly log: Log
}

const againAfterMs = 60_000

export class BacklogCloser {
  readonly #context: CloserContext
  readonly #pageSize: number
  /** Messages that could not be ended, and when they are tried again. */
  readonly #failed = new Map<string, number>()

  constructor(context: CloserContext, pageSize: number) {
    this.#context = context
    this.#pageSize = pageSize
  }

  async close(accountId: number, maxPages: number): Promise<void> {
    const now = clock.now()
    for (const [key, at] of this.#failed) if (at <= now) this.#failed.delete(key)
    // What stays is found again by every page, and would hide the rest when it fills one.
    const left: string[] = []
    for (let page = 0; page < maxPages; page++) {
      const except = [...left, ...this.#failed.keys()]
      const keys = await findWaitingOf(this.#context.database, accountId, 'all', this.#pageSize, except)
      const stays = keys.length === 0 ? null : await this.#closeKeys(accountId, keys)
      if (stays === null || keys.length < this.#pageSize) return
      left.push(...stays)
    }
  }

  /** Returns the keys that stay for now; null when the run ends: the account is not stopped any more, or the engine may fail. */
  async #closeKeys(accountId: number, keys: readonly string[]): Promise<readonly string[] | null> {
    const { database, metrics, log } = this.#context
    try {
      const closed = await closeWaiting(database, accountId, keys)
      for (const code of closed?.codes ?? []) metrics.closed.inc({ code })
      return closed?.left ?? null
    } catch (error) {
      const scope = scopeOf(error)
      if (scope === 'engine') throw error
      if (keys.length > 1) return this.#closeHalves(accountId, keys)
      this.#failed.set(keys[0]!, clock.now() + againAfterMs)
      log.error(
        { message: keys[0], err: error as Error },
        'a message of a stopped account cannot be ended and is tried again later; the others are not affected. See `postern message show`',
      )
      // One in each run: if the engine is at fault, only few are left out.
      return scope === 'unclear' ? null : []
    }
  }

  async #closeHalves(accountId: number, keys: readonly string[]): Promise<readonly string[] | null> {
    const middle = keys.length >> 1
    const first = await this.#closeKeys(accountId, keys.slice(0, middle))
    const second = first === null ? null : await this.#closeKeys(accountId, keys.slice(middle))
    return first === null || second === null ? null : [...first, ...second]
  }
}
