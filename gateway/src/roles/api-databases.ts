/**
 * The connection pools of the API beside the shared one, so that what clients and strangers can make expensive never takes
 * a connection from authentication, reports and webhooks. Opened and closed by the API role.
 */
import { openDatabase, type Database } from '../platform/database.ts'
import type { Runtime } from './runtime.ts'

/** A client has given up by then; the rate limit admits the next request. */
const readMs = 5_000
const imageMs = 1_000
const suppressionMs = 2_000

export interface ApiDatabases {
  /** Of reads whose cost follows what is stored: usage, timelines, deliveries of webhooks. */
  readonly reads: Database
  /** Bounds the searches of messages: each process runs two at a time, however many clients search. */
  readonly searches: Database
  /** Of the public image endpoint, which needs no token. */
  readonly images: Database
  /** Of the quota of files: uploads of an account wait for each other there. */
  readonly quotas: Database
  /** Of the caps of accounts: commits that take long keep nothing else waiting. */
  readonly caps: Database
  /** Of the lists of recipients: changes of all accounts wait for one lock there. */
  readonly suppression: Database
  close(): Promise<void>
}

export function openApiDatabases({
  config,
  log,
  metrics,
}: Pick<Runtime, 'config' | 'log' | 'metrics'>): ApiDatabases {
  const onStatement = (statement: string): void => metrics.statements.inc({ statement })
  const reads = openDatabase(config.databaseUrl, log, { connections: 4, statementMs: readMs, onStatement })
  const searches = openDatabase(config.databaseUrl, log, { connections: 2, statementMs: readMs, onStatement })
  const images = openDatabase(config.databaseUrl, log, { connections: 2, statementMs: imageMs, onStatement })
  const quotas = openDatabase(config.databaseUrl, log, { connections: 4, statementMs: readMs, onStatement })
  const caps = openDatabase(config.databaseUrl, log, { connections: 4, statementMs: readMs, onStatement })
  const suppression = openDatabase(config.databaseUrl, log, {
    ...{ connections: 2, statementMs: suppressionMs, lockMs: suppressionMs, onStatement },
  })
  return {
    reads,
    searches,
    images,
    quotas,
    caps,
    suppression,
    async close() {
      await Promise.all([reads, searches, images, quotas, caps, suppression].map((pool) => pool.end()))
    },
  }
}
