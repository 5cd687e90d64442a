/**
 * Ends connections whose statement PostgreSQL no longer processes, because the network was cut or a proxy
 * still leads to a replaced server. The statement fails with a transient error and is retried; all retried
 * statements are idempotent by key or token.
 *
 * A slow server must keep its statements: their backends continue after a client has left, so retries add
 * load and use up connections. Therefore a second connection checks the server. The statement fails only if
 * the server does not process it, or if nothing arrives from the server. Any response, such as a password
 * request or the error that no connection is free, shows that the server is reachable and busy.
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import type { BulkClient } from './bulk-client.ts'
import type { DatabaseLink } from './database-link.ts'
import type { Log } from '../logging/log.ts'

export interface QueryWatchOptions {
  readonly link: DatabaseLink
  /** A statement is checked after this time without a response, and again after each such interval. */
  readonly silentMs: number
  readonly log: Log
}

const probeTimeoutMs = 2_000

export class QueryWatch {
  readonly #options: QueryWatchOptions
  readonly #clients = new Set<BulkClient>()
  /** Time of the last check after which a client kept its current statement. */
  readonly #confirmed = new WeakMap<BulkClient, { readonly since: number; readonly at: number }>()
  #timer: NodeJS.Timeout | undefined
  #checking = false

  constructor(options: QueryWatchOptions) {
    this.#options = options
  }

  add(client: BulkClient): void {
    this.#clients.add(client)
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
        // The response arrived during the check.
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

  /**
   * Returns the names of connections whose statement is in progress, or `unknown` if the server was too busy
   * to respond.
   */
  async #findInProgress(names: readonly string[]): Promise<ReadonlySet<string> | 'unknown'> {
    let probe: pg.Client | undefined
    let socket: Socket | undefined
    try {
      probe = new pg.Client({
        ...this.#options.link,
        connectionTimeoutMillis: probeTimeoutMs,
        query_timeout: probeTimeoutMs,
        application_name: 'postern watch',
      })
      probe.on('error', () => undefined)
      // The driver replaces the stream with a TLS stream, which does not count the bytes of its handshake.
      socket = probe.connection.stream as Socket
      await probe.connect()
      // A backend that waits for its client has finished, and its response does not arrive.
      const { rows } = await probe.query<{ name: string }>(
        `select application_name as name from pg_stat_activity
          where application_name = any($1) and state = 'active' and wait_event_type is distinct from 'Client'`,
        [names],
      )
      return new Set(rows.map(({ name }) => name))
    } catch {
      // Without a socket nothing was sent: the driver cannot be configured while TLS files are replaced.
      return socket === undefined || socket.bytesRead > 0 ? 'unknown' : new Set()
    } finally {
      probe?.end().catch(() => undefined)
    }
  }

  #abandon(client: BulkClient): void {
    const { log, silentMs } = this.#options
    log.warn(
      { silentMs },
      'PostgreSQL does not respond to a statement; its connection is closed and the statement fails. Work of the stages is retried',
    )
    client.abandon(
      Object.assign(new Error(`PostgreSQL did not respond within ${silentMs} ms`), { code: 'ETIMEDOUT' }),
    )
  }
}
