/**
 * Ends connections whose statement PostgreSQL no longer processes, so that no statement waits indefinitely for a reply that
 * cannot arrive: the network dropped it, the server was lost, or a proxy still leads to a server that was replaced. The
 * statement then fails with a transient error and is repeated; all repeated statements are idempotent by key or token.
 *
 * A plain timeout would also end statements that are only slow. While a synchronous standby is unavailable every commit
 * waits: repeating them over new connections would use up the connections of the server, because a backend that waits
 * for a standby does not notice that its client has left. So the server is asked, over another connection, whether it
 * still processes the statement. Used by `openDatabase`.
 */
import pg from 'pg'
import type { BulkClient } from './bulk-client.ts'
import type { DatabaseLink } from './database-link.ts'
import type { Log } from './log.ts'

export interface QueryWatchOptions {
  readonly link: DatabaseLink
  /** A statement without a reply for this long is checked, and again each time this long passes. */
  readonly silentMs: number
  readonly log: Log
}

const probeTimeoutMs = 2_000

export class QueryWatch {
  readonly #options: QueryWatchOptions
  readonly #clients = new Set<BulkClient>()
  /** When the current statement of a client was last found to be in progress. */
  readonly #confirmed = new WeakMap<BulkClient, { readonly since: number; readonly at: number }>()
  #timer: NodeJS.Timeout | undefined
  #checking = false

  constructor(options: QueryWatchOptions) {
    this.#options = options
  }

  add(client: BulkClient): void {
    this.#clients.add(client)
    // Unreferenced: it keeps no process alive.
    this.#timer ??= setInterval(() => void this.#check(), this.#options.silentMs / 5).unref()
  }

  remove(client: BulkClient): void {
    this.#clients.delete(client)
    if (this.#clients.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #check(): Promise<void> {
    if (this.#checking) return
    const silent = [...this.#clients].flatMap((client) => {
      const since = client.busySince
      return since !== undefined && this.#isSilent(client, since) ? [{ client, since }] : []
    })
    if (silent.length === 0) return
    this.#checking = true
    try {
      const inProgress = await this.#findInProgress(silent.map(({ client }) => client.applicationName))
      const at = performance.now()
      for (const { client, since } of silent) {
        // The reply arrived during the check.
        if (client.busySince !== since) continue
        if (inProgress === 'unknown' || inProgress.has(client.applicationName))
          this.#confirmed.set(client, { since, at })
        else this.#abandon(client)
      }
    } finally {
      this.#checking = false
    }
  }

  #isSilent(client: BulkClient, since: number): boolean {
    const confirmed = this.#confirmed.get(client)
    const from = confirmed?.since === since ? confirmed.at : since
    return performance.now() - from >= this.#options.silentMs
  }

  /** `unknown`: the server answers and refuses to say, or was not asked. */
  async #findInProgress(names: readonly string[]): Promise<ReadonlySet<string> | 'unknown'> {
    let probe: pg.Client | undefined
    try {
      probe = new pg.Client({
        ...this.#options.link,
        connectionTimeoutMillis: probeTimeoutMs,
        query_timeout: probeTimeoutMs,
        application_name: 'postern watch',
      })
      probe.on('error', () => undefined)
      await probe.connect()
      // A backend that waits for its client has finished: the reply does not reach us.
      const { rows } = await probe.query<{ name: string }>(
        `select application_name as name from pg_stat_activity
          where application_name = any($1) and state = 'active' and wait_event_type is distinct from 'Client'`,
        [names],
      )
      return new Set(rows.map(({ name }) => name))
    } catch (error) {
      // Without a client the server was not asked.
      return probe === undefined || mayStillWork(error) ? 'unknown' : new Set()
    } finally {
      probe?.end().catch(() => undefined)
    }
  }

  #abandon(client: BulkClient): void {
    const { log, silentMs } = this.#options
    log.warn(
      { silentMs },
      'PostgreSQL does not answer a statement; its connection is closed and it is repeated',
    )
    client.abandon(
      Object.assign(new Error(`PostgreSQL did not answer within ${silentMs} ms`), { code: 'ETIMEDOUT' }),
    )
  }
}

/** The server has no free connection, or does not admit the probe; its other sessions may be at work. */
function mayStillWork(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^(53|28|42)/.test(code)
}
