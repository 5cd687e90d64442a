/** Statements on the forms table; nothing else writes it. An expired form counts as deleted, whether removed or not. */
import { inTransaction, type Database, type Queryable } from '../platform/database.ts'
import type { Form } from './form.ts'

const columns = 'id, account_id as "accountId", flow, expires_at as "expiresAt"'
const lockClass = 0x666f726d

/** False when the account already has `limit` forms, even with concurrent registrations. */
export function insertForm(database: Database, form: Form, now: Date, limit: number): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    // In its own statement: the count must see what was committed while this one waited for the lock.
    await transaction.query('select pg_advisory_xact_lock($1, $2)', [lockClass, form.accountId])
    const result = await transaction.query(
      `insert into forms (id, account_id, flow, expires_at)
       select $1, $2::integer, $3, $4
        where (select count(*) from forms where account_id = $2::integer and expires_at > $5) < $6`,
      [form.id, form.accountId, JSON.stringify(form.flow), form.expiresAt, now, limit],
    )
    return result.rowCount === 1
  })
}

/** False when the account has no such form. */
export async function replaceForm(database: Queryable, form: Form, now: Date): Promise<boolean> {
  const result = await database.query(
    `update forms set flow = $3, expires_at = $4 where id = $1 and account_id = $2 and expires_at > $5`,
    [form.id, form.accountId, JSON.stringify(form.flow), form.expiresAt, now],
  )
  return result.rowCount === 1
}

/** Of any account, expired or not. */
export async function findForm(database: Queryable, id: string): Promise<Form | null> {
  const result = await database.query<Form>({
    name: 'find-form',
    text: `select ${columns} from forms where id = $1`,
    values: [id],
  })
  return result.rows[0] ?? null
}

/** False when the account has no such form. */
export async function deleteForm(
  database: Queryable,
  accountId: number,
  id: string,
  now: Date,
): Promise<boolean> {
  const result = await database.query(
    'delete from forms where id = $1 and account_id = $2 and expires_at > $3',
    [id, accountId, now],
  )
  return result.rowCount === 1
}

/** Deletes the oldest first; returns how many were deleted. */
export async function deleteExpired(database: Queryable, now: Date, limit: number): Promise<number> {
  const result = await database.query(
    `delete from forms
      where id in (select id from forms where expires_at <= $1 order by expires_at limit $2) and expires_at <= $1`,
    [now, limit],
  )
  return result.rowCount ?? 0
}
