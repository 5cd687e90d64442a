/**
 * SQL of audit_log, its only writer. The trigger of the table sets number, time, database user and hashes of
 * a row.
 */
import type { Database, Queryable } from '../../platform/database/database.ts'
import type { AuditContext } from './context.ts'
import type { AuditEntry, AuditResult, AuditRow } from './entry.ts'
import { fitDetails } from './fit-details.ts'

/** Longer details are shortened: their longest fields are replaced by their size. */
const maxDetails = 16_384
const maxText = 500

/**
 * Adds a row. Call it last in the transaction of the change: it locks the tail of the log until the commit,
 * so that other actions wait.
 */
export async function appendAudit(
  transaction: Queryable,
  act: AuditContext,
  entry: AuditEntry,
): Promise<void> {
  const { action, result, target, account = null, details = {} } = entry
  await transaction.query({
    name: 'append-audit',
    text: `insert into audit_log (actor, role, key_id, source, request_id, action, result, target, account, reason, details)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      ...[act.by, act.role, act.keyId, act.source, act.requestId, action, result],
      ...[target.slice(0, maxText), account, act.reason.slice(0, maxText)],
      // The column has the type json, which stores the text unchanged; jsonb would refuse an escaped NUL character.
      fitDetails(JSON.stringify(details), maxDetails),
    ],
  })
}

/** Adds a row in a separate transaction, even over connections that are read-only by default. */
export async function appendInOwnTransaction(
  database: Database,
  act: AuditContext,
  entry: AuditEntry,
): Promise<void> {
  const client = await database.connect()
  try {
    await client.query('begin read write')
    await appendAudit(client, act, entry)
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

export interface PreviousAction {
  readonly seq: number
  readonly result: 'done' | 'begun'
}

/**
 * Finds what the same request did before its last `ownRows` rows: a row that is done, or one that was begun
 * and has not failed.
 */
export async function findPreviousAction(
  queryable: Queryable,
  requestId: string,
  ownRows = 0,
): Promise<PreviousAction | null> {
  const previous = await queryable.query<{ seq: number; result: AuditEntry['result'] }>(
    `select seq, result from audit_log where request_id = $1 and result in ('done', 'begun', 'failed') order by seq`,
    [requestId],
  )
  const rows = previous.rows.slice(0, previous.rows.length - ownRows)
  const done = rows.find(({ result }) => result === 'done')
  if (done !== undefined) return { seq: done.seq, result: 'done' }
  const beginnings = rows.filter(({ result }) => result === 'begun')
  const failed = rows.length - beginnings.length
  const open = beginnings.length > failed ? beginnings.at(-1) : undefined
  return open === undefined ? null : { seq: open.seq, result: 'begun' }
}

/** Reports whether the user of this connection is allowed to add rows. */
export async function canAppendAudit(database: Queryable): Promise<boolean> {
  const result = await database.query<{ may: boolean | null }>(
    `select has_table_privilege(to_regclass('audit_log'), 'insert') as may`,
  )
  return result.rows[0]!.may === true
}

const rowColumns = `seq, at, actor, role, key_id as "keyId", source, request_id as "requestId", action, result, target, account,
  reason, details::text, database_user as "databaseUser", encode(previous_hash, 'hex') as "previousHash", encode(hash, 'hex') as hash`

export interface AuditFilter {
  readonly account?: string | undefined
  readonly by?: string | undefined
  readonly action?: string | undefined
  readonly result?: AuditResult | undefined
  readonly target?: string | undefined
  readonly requestId?: string | undefined
  readonly since?: Date | undefined
  /** Excludes rows at or after this time. */
  readonly until?: Date | undefined
  /** Lists rows with a smaller number. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Lists rows, newest first. */
export async function listAudit(database: Queryable, filter: AuditFilter): Promise<AuditRow[]> {
  const { account, by, action, result, target, requestId, since, until, before, limit } = filter
  const values: unknown[] = [limit]
  const addParameter = (value: unknown): string => `$${values.push(value)}`
  // Add only the given conditions: a plan for every combination could not use the index of an account or an
  // actor.
  const conditions = [
    'true',
    ...(account === undefined ? [] : [`account = ${addParameter(account)}`]),
    ...(by === undefined ? [] : [`actor = ${addParameter(by)}`]),
    ...(action === undefined
      ? []
      : [`(action = ${addParameter(action)} or starts_with(action, $${values.length} || ' '))`]),
    ...(result === undefined ? [] : [`result = ${addParameter(result)}`]),
    ...(target === undefined ? [] : [`target = ${addParameter(target)}`]),
    ...(requestId === undefined ? [] : [`request_id = ${addParameter(requestId)}`]),
    ...(since === undefined ? [] : [`at >= ${addParameter(since)}`]),
    ...(until === undefined ? [] : [`at < ${addParameter(until)}`]),
    ...(before === undefined ? [] : [`seq < ${addParameter(before)}`]),
  ]
  const rows = await database.query<AuditRow>(
    `select ${rowColumns} from audit_log where ${conditions.join(' and ')} order by seq desc limit $1`,
    values,
  )
  return rows.rows
}

export async function readAudit(database: Queryable, seq: number): Promise<AuditRow | null> {
  const result = await database.query<AuditRow>(`select ${rowColumns} from audit_log where seq = $1`, [seq])
  return result.rows[0] ?? null
}

/** Lists rows after `after`, oldest first. */
export async function readAuditAfter(database: Queryable, after: number, limit: number): Promise<AuditRow[]> {
  const result = await database.query<AuditRow>(
    `select ${rowColumns} from audit_log where seq > $1 order by seq limit $2`,
    [after, limit],
  )
  return result.rows
}

/** Returns the row before the newest `count` rows, or null if there are no more rows. */
export async function readCheckpointBefore(database: Queryable, count: number): Promise<Checkpoint | null> {
  const result = await database.query<Checkpoint>(
    `select seq, encode(hash, 'hex') as hash from audit_log order by seq desc offset $1 limit 1`,
    [count],
  )
  return result.rows[0] ?? null
}

/**
 * `personal-data`: an operator was shown personal data. Clients see only their own data, which does not
 * count. `route-host`: a route was added, or connects to another host.
 */
export const securityEvents = ['sign-in-refused', 'denied', 'personal-data', 'route-host'] as const
export type SecurityEvent = (typeof securityEvents)[number]

export async function countEventsAfter(
  database: Queryable,
  after: number,
  last: number,
): Promise<{ readonly event: SecurityEvent; readonly rows: number }[]> {
  const result = await database.query<{ event: SecurityEvent; rows: number }>(
    `select case when result = 'looked' then 'personal-data' when result = 'done' then 'route-host'
                 when target = 'sign-in' then 'sign-in-refused' else 'denied' end as event,
            count(*)::int as rows
       from audit_log
      where seq > $1 and seq <= $2
        and (result = 'refused' or (result = 'looked' and role <> 'client')
             or (result = 'done' and action = 'route put' and coalesce((details -> 'hosts')::text, '[]') <> '[]')) group by 1`,
    [after, last],
  )
  return result.rows
}

/**
 * The number and hash of the last row. Stored elsewhere, it reveals later whether rows were removed at the
 * end.
 */
export interface Checkpoint {
  readonly seq: number
  readonly hash: string
}

/**
 * Reads the tail and the highest row number. A number above the tail belongs to a row that was added without
 * the trigger.
 */
export async function readEnd(
  database: Queryable,
): Promise<{ readonly tail: Checkpoint; readonly lastSeq: number }> {
  const result = await database.query<Checkpoint & { lastSeq: number }>(
    `select seq, encode(hash, 'hex') as hash, greatest(seq, (select max(seq) from audit_log)) as "lastSeq" from audit_tail`,
  )
  const [end] = result.rows
  if (end === undefined) throw tailMissing()
  return { tail: { seq: end.seq, hash: end.hash }, lastSeq: end.lastSeq }
}

export async function readTail(database: Queryable): Promise<Checkpoint> {
  const result = await database.query<Checkpoint>(`select seq, encode(hash, 'hex') as hash from audit_tail`)
  const [tail] = result.rows
  if (tail === undefined) throw tailMissing()
  return tail
}

function tailMissing(): Error {
  return new Error('the row of audit_tail was removed')
}
