/**
 * Messages that a rule holds for an operator: they wait without a time until one releases or refuses them, or until their
 * deadline. SQL of `waiting`. Called by `postern held`.
 */
import type { Queryable } from '../../platform/database.ts'
import { neverSql, resumedReason } from './stopped.ts'

export interface HeldMessage {
  readonly msgKey: string
  readonly clientId: string
  readonly rule: string
  readonly since: Date
  /** With all its digits, for the next page. */
  readonly sinceText: string
  readonly dueAt: Date
  readonly channel: string
}

export interface HeldFilter {
  readonly clientId?: string | undefined
  readonly rule?: string | undefined
  /** Those after this one. */
  readonly after?: { readonly since: string; readonly msgKey: string } | undefined
  readonly limit: number
}

const aside = `w.route_id = '' and w.lane = any (array['urgent', 'normal', 'bulk']) and w.release_at = ${neverSql}`
/** SQL: whether the row `w` of `waiting` is held for a decision. */
export const heldSql = `(${aside} and w.rule <> 'account-stopped')`

/** The oldest first. */
export async function listHeld(
  database: Queryable,
  { clientId, rule, after, limit }: HeldFilter,
): Promise<HeldMessage[]> {
  const values: unknown[] = [limit]
  const place = (value: unknown): string => `$${values.push(value)}`
  // Only what is given: a plan for every combination could not use the index.
  const conditions = [
    heldSql,
    ...(clientId === undefined
      ? []
      : [`w.account_id = (select id from accounts where client_id = ${place(clientId)})`]),
    ...(rule === undefined ? [] : [`w.rule = ${place(rule)}`]),
    ...(after === undefined
      ? []
      : [`(w.created_at, w.msg_key) > (${place(after.since)}::timestamptz, ${place(after.msgKey)})`]),
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

/** Lets them be sent, each at its time. Returns how many of them were held. */
export async function releaseHeld(database: Queryable, keys: readonly string[]): Promise<number> {
  const result = await database.query(
    `update waiting w set release_at = greatest(resume_at, now()), resume_at = null, ${resumedReason}
      where w.msg_key = any ($1) and ${heldSql}`,
    [keys],
  )
  return result.rowCount ?? 0
}

/** Those of the keys that are held, locked. */
export async function lockHeld(transaction: Queryable, keys: readonly string[]): Promise<string[]> {
  const result = await transaction.query<{ key: string }>(
    `select w.msg_key as key from waiting w where w.msg_key = any ($1) and ${heldSql}
        for update skip locked`,
    [keys],
  )
  return result.rows.map(({ key }) => key)
}
