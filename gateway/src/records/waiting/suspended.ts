/**
 * Suspended steps: they have no route, and are never due until an operator decides on them or their account
 * is unblocked. Their deadline ends them in any case.
 */
import type { Database, Queryable } from '../../platform/database/database.ts'
import { neverSql } from './waiting-step.ts'

const suspendedSql = `w.route_id = '' and w.lane = any (array['urgent', 'normal', 'bulk']) and w.release_at = ${neverSql}`
/** SQL condition: the row `w` of `waiting` is held for an operator's decision. */
export const heldSql = `(${suspendedSql} and w.rule <> 'account-stopped')`

/**
 * SQL assignments that let a row be released at its time. A step whose time is in the future is scheduled
 * again, and its client can cancel it.
 */
const resumeSql = `release_at = greatest(resume_at, now()), resume_at = null,
                        reason = case when resume_at > now() then 'scheduled' else 'rule' end,
                        rule = case when resume_at > now() then null else rule end`

/** Suspends steps for the rule, and returns how many. */
export async function suspendSteps(
  transaction: Queryable,
  keys: readonly string[],
  rule: string,
): Promise<number> {
  const result = await transaction.query(
    `update waiting set resume_at = release_at, release_at = ${neverSql}, route_id = '', route_reason = null,
                        reason = 'rule', rule = $2
      where msg_key = any ($1) and release_at < ${neverSql}`,
    [keys, rule],
  )
  return result.rowCount ?? 0
}

const resumePage = 5_000

/**
 * Resumes the steps of the account that were suspended for the rule, each at its time, unless the account is
 * blocked, and returns how many. Commits page by page: one statement for a million steps would hold its locks
 * for tens of seconds. Another call continues.
 */
export async function resumeSuspended(database: Database, accountId: number, rule: string): Promise<number> {
  for (let count = 0; ;) {
    const { rowCount } = await database.query(
      `update waiting set ${resumeSql}
        where release_at = ${neverSql} and rule = $2 and not exists (select from accounts where id = $1 and blocked)
          and msg_key = any (array(
            select msg_key from waiting w where ${suspendedSql} and account_id = $1 and rule = $2 limit ${resumePage}))`,
      [accountId, rule],
    )
    if (rowCount === 0 || rowCount === null) return count
    count += rowCount
  }
}

export async function countSuspended(database: Queryable, accountId: number, rule: string): Promise<number> {
  const result = await database.query<{ n: number }>(
    `select count(*) as n from waiting w where ${suspendedSql} and account_id = $1 and rule = $2`,
    [accountId, rule],
  )
  return result.rows[0]!.n
}

export interface HeldMessage {
  readonly msgKey: string
  readonly clientId: string
  readonly rule: string
  readonly since: Date
  /** `since` with its microseconds, for the next page. */
  readonly sinceText: string
  readonly dueAt: Date
  readonly channel: string
}

export interface HeldFilter {
  readonly clientId?: string | undefined
  readonly rule?: string | undefined
  /** The last message of the previous page. */
  readonly after?: { readonly since: string; readonly msgKey: string } | undefined
  readonly limit: number
}

/** Lists the messages that rules hold for a decision, oldest first. */
export async function listHeld(
  database: Queryable,
  { clientId, rule, after, limit }: HeldFilter,
): Promise<HeldMessage[]> {
  const values: unknown[] = [limit]
  const placeholder = (value: unknown): string => `$${values.push(value)}`
  // Include only the conditions that are set: one statement for all combinations could not use the index.
  const conditions = [
    heldSql,
    ...(clientId === undefined
      ? []
      : [`w.account_id = (select id from accounts where client_id = ${placeholder(clientId)})`]),
    ...(rule === undefined ? [] : [`w.rule = ${placeholder(rule)}`]),
    ...(after === undefined
      ? []
      : [
          `(w.created_at, w.msg_key) > (${placeholder(after.since)}::timestamptz, ${placeholder(after.msgKey)})`,
        ]),
  ]
  const result = await database.query<HeldMessage>(
    `select w.msg_key as "msgKey", a.client_id as "clientId", w.rule, w.created_at as since,
            w.created_at::text as "sinceText", f.due_at as "dueAt", f.channel
       from waiting w join accounts a on a.id = w.account_id
       join in_flight f on f.msg_key = any (array[w.msg_key]) and f.step = w.step and f.try = w.try
      where ${conditions.join(' and ')}
      order by w.created_at, w.msg_key limit $1`,
    values,
  )
  return result.rows
}

/** Releases held messages, each at its time. Returns how many of them were held. */
export async function releaseHeld(database: Queryable, keys: readonly string[]): Promise<number> {
  const result = await database.query(
    `update waiting w set ${resumeSql}
      where w.msg_key = any ($1) and ${heldSql}`,
    [keys],
  )
  return result.rowCount ?? 0
}

/** Locks suspended steps of the batch, up to `limit`, and returns the keys of their messages. */
export async function lockSuspended(
  transaction: Queryable,
  batchId: number,
  limit: number,
): Promise<string[]> {
  const result = await transaction.query<{ key: string }>(
    `select w.msg_key as key from waiting w where w.batch_id = $1 and w.release_at = ${neverSql}
      limit $2 for update skip locked`,
    [batchId, limit],
  )
  return result.rows.map(({ key }) => key)
}

/** Locks those of the messages that are held, and returns their keys. */
export async function lockHeld(transaction: Queryable, keys: readonly string[]): Promise<string[]> {
  const result = await transaction.query<{ key: string }>(
    `select w.msg_key as key from waiting w where w.msg_key = any ($1) and ${heldSql}
        for update skip locked`,
    [keys],
  )
  return result.rows.map(({ key }) => key)
}
