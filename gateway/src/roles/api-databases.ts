/**
 * The API's additional connection pools, which keep expensive requests of clients and anonymous callers from
 * taking connections of authentication, reports and webhooks. The API role opens and closes them.
 */
import { openDatabase, type Database } from '../platform/database/database.ts'
import type { Runtime } from './runtime.ts'

/** Time limits of statements. After `readMs` a client has given up, and its rate limit admits the next request. */
const readMs = 5_000
const imageMs = 1_000
const suppressionMs = 2_000

export interface ApiDatabases {
  /** Work whose cost grows with the stored data: usage, timelines, batch results, used one-time codes. */
  readonly reads: Database
  /** Searches of messages, also for a cancellation by ref. Each process runs two at a time, for all clients. */
  readonly searches: Database
  /** The public image endpoint, which needs no token. */
  readonly images: Database
  /** The file quota: uploads of an account wait for each other there. */
  readonly quotas: Database
  /** The caps of accounts: slow commits block nothing else. */
  readonly caps: Database
  /** The suppression lists: changes of all accounts wait for one lock there. */
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
    connections: 2,
    statementMs: suppressionMs,
    lockMs: suppressionMs,
    onStatement,
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
