/**
 * The PostgreSQL connection pool and transactions; `transient.ts` decides which errors are retried.
 * Statements are literal SQL: the folder that owns a table writes it, others only read it. A transaction is
 * always an explicit argument, so that a reader sees what commits together.
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { BulkClient } from './bulk-client.ts'
import { databaseLink } from './database-link.ts'
import type { Log } from '../logging/log.ts'
import { QueryWatch } from './query-watch.ts'

export type Database = pg.Pool
export type Transaction = pg.PoolClient
/** `inTransaction` begins a transaction in a pool and joins a given one. */
export type Transactional = Database | Transaction
/** Either the pool or a transaction's client. */
export type Queryable = Pick<pg.Pool, 'query'> | pg.PoolClient

// Counts and sequence numbers are bigint in PostgreSQL; their values stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, (value) => Number(value))

/**
 * A hot statement joins a few hundred keys to a table by its index. The planner must not choose another plan when
 * statistics are stale: `in_flight` may be empty in one minute and hold a million rows in the next. See also `bulk.ts`.
 */
const onlyIndexPlans =
  '-c plan_cache_mode=force_generic_plan -c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off'

/**
 * A process that hangs or is cut off in the middle of a transaction keeps its locks, and all others wait for
 * them. PostgreSQL ends such a session after this time. The gateway itself never idles between two
 * statements.
 */
const maxIdleMs = 5_000

/**
 * A lost host (power, network) sends no reset. The server detects it within 25 s and releases the locks of
 * its sessions; the kernel's defaults are two hours. This end detects a lost server within 20 s.
 */
const liveness =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25000'
const keepAliveAfterMs = 10_000

/**
 * After this time without a reply `query-watch.ts` checks whether the server still processes the statement.
 */
const maxSilentMs = 10_000

const singleStatementMs = 2_000

export interface DatabaseOptions {
  readonly connections: number
  /** Tests set it lower. */
  readonly silentMs?: number
  /** Limit of `idle_in_transaction_session_timeout`; tests set it lower. */
  readonly idleMs?: number
  /** PostgreSQL cancels a statement after this time, with 57014. The default is no limit. */
  readonly statementMs?: number
  /** PostgreSQL cancels a statement that waits this long for a lock, with 55P03. */
  readonly lockMs?: number
  /** Forbids plans that read a whole table, whatever the statistics are. Set on the hot path. */
  readonly onlyIndexPlans?: boolean
  /** Statements that write fail, except in a transaction begun with `read write`. */
  readonly readOnly?: boolean
  /** Called with the name of every statement. */
  readonly onStatement?: (name: string) => void
}

export function openDatabase(url: string, log: Log, options: DatabaseOptions): Database {
  const { connections, idleMs = maxIdleMs, silentMs = maxSilentMs, statementMs = 0, lockMs = 0 } = options
  const link = databaseLink(url, (error) =>
    log.warn(
      { err: error },
      'cannot use the TLS files for PostgreSQL; keeping those read before. Correct them: the next connection reads them again',
    ),
  )
  const watch = new QueryWatch({ link, silentMs, log })
  const pool = new pg.Pool({
    Client: BulkClient,
    ...link,
    max: connections,
    // Statements are sent without waiting for the response to the one before.
    pipeline: true,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    options: [
      liveness,
      `-c jit=off -c idle_in_transaction_session_timeout=${idleMs} -c statement_timeout=${statementMs} -c lock_timeout=${lockMs}`,
      options.onlyIndexPlans === true ? onlyIndexPlans : '',
      options.readOnly === true ? '-c default_transaction_read_only=on' : '',
    ].join(' '),
  })
  // A lost idle connection, for example after a restart of PostgreSQL, must not end the process.
  pool.on('error', (error) =>
    log.warn({ err: error }, 'idle database connection lost; the pool opens another'),
  )
  pool.on('connect', (client) => {
    // A connection that is lost in use rejects its query and also emits this event, which would end the
    // process if unhandled.
    client.on('error', (error) =>
      log.debug(
        { err: error },
        'database connection lost in use; its query fails and the caller decides on a retry',
      ),
    )
    const bulkClient = client as unknown as BulkClient
    bulkClient.onStatement = options.onStatement
    watch.add(bulkClient)
  })
  pool.on('remove', (client) => watch.remove(client as unknown as BulkClient))
  return pool
}

/**
 * Opens one connection for a statement that is repeated every few seconds and must not wait for a busy pool.
 * `query_timeout` also closes a connection that was cut without a reset.
 */
export function openSingleConnection(url: string, name: string, options = ''): Database {
  const pool = new pg.Pool({
    ...databaseLink(url),
    max: 1,
    connectionTimeoutMillis: singleStatementMs,
    query_timeout: singleStatementMs,
    application_name: `postern ${name}`,
    options,
  })
  // The next statement opens another connection.
  pool.on('error', () => undefined)
  return pool
}

/**
 * Runs `work` in a new transaction, or in the given one, which its caller commits. A broken connection is
 * closed, so that a retry gets another one.
 *
 * `begin` is sent with the first statement, and the commit with the writes of `sendWithCommit`. After a failed
 * statement PostgreSQL refuses the later ones that are on their way, and the first error is thrown.
 */
export async function inTransaction<T>(
  database: Transactional,
  work: (client: Transaction) => Promise<T>,
): Promise<T> {
  if (!(database instanceof pg.Pool)) return work(database)
  const client = await database.connect()
  const writes: Promise<unknown>[] = []
  lastWrites.set(client, writes)
  let broken: Error | undefined
  try {
    const [, result] = await Promise.all([client.query('begin'), work(client)])
    const [{ command }] = await Promise.all([client.query('commit'), ...writes])
    // PostgreSQL answers the commit of a failed transaction without an error.
    assert.equal(command, 'COMMIT', 'a statement failed, and its error was not thrown')
    return result
  } catch (thrown) {
    let error = thrown
    try {
      // Its response is the last: no statement is on its way when the connection is released.
      await client.query('rollback')
      error = await findFirstError(thrown, writes)
      if (error instanceof pg.DatabaseError) rolledBack.add(error)
    } catch (rollbackError) {
      broken = rollbackError as Error
    }
    if (isStaleStatement(error)) broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

/** PostgreSQL refuses statements after a failed one with 25P02; a write that nobody waited for can be the failed one. */
async function findFirstError(error: unknown, writes: readonly Promise<unknown>[]): Promise<unknown> {
  if ((error as { code?: unknown }).code !== '25P02') return error
  const failed = (await Promise.allSettled(writes)).find(({ status }) => status === 'rejected')
  return failed === undefined ? error : (failed as PromiseRejectedResult).reason
}

/** Writes that the commit of a transaction of `inTransaction` waits for. */
const lastWrites = new WeakMap<Queryable, Promise<unknown>[]>()

/**
 * Lets the commit of the transaction wait for writes whose result is not needed, so that they travel together.
 * Resolves at once; the transaction fails if one of them does. Outside of `inTransaction` it waits for them.
 */
export async function sendWithCommit(
  transaction: Queryable,
  ...writes: readonly Promise<unknown>[]
): Promise<void> {
  const all = Promise.all(writes)
  const last = lastWrites.get(transaction)
  if (last === undefined) return void (await all)
  // Another statement can fail first; then nobody waits for these.
  all.catch(() => undefined)
  last.push(all)
}

/**
 * Reports whether the connection holds a prepared statement that the server refuses or no longer has, after a
 * migration or behind a connection pooler. Every retry on that connection would fail.
 */
function isStaleStatement(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '0A000' || code === '26000'
}

/**
 * Errors of PostgreSQL after which it still answered `rollback`. The severity would not say that the session goes on,
 * because the server translates it. An answer alone proves nothing: after an error of this end a commit may have
 * taken effect.
 */
const rolledBack = new WeakSet<pg.DatabaseError>()

/**
 * Reports whether PostgreSQL has refused a statement of `inTransaction`, so that the transaction is certainly rolled
 * back. Other errors leave open whether a commit took effect.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && rolledBack.has(error)
}

/** Reports whether a row with the same key already exists. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505'
}

/** Reports whether a row belongs to a day that has no partition. The same code for a violated check names its constraint. */
export function isMissingPartition(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23514' && error.constraint === undefined
}

/**
 * Reports whether PostgreSQL is unreachable, starting or stopping, or cancelled a statement that ran or
 * waited too long.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return /^(ECONN|EPIPE|ETIMEDOUT|08|57P0|57014|55P03)/.test(code)
  return (
    typeof message === 'string' &&
    /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/.test(
      message,
    )
  )
}
