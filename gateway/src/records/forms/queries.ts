/** Statements on the forms table; nothing else writes it. An expired form counts as deleted, whether removed or not. */
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import type { Form } from './form.ts'

const columns = 'id, account_id as "accountId", flow, expires_at as "expiresAt"'
const lockClass = 0x666f726d

/** Returns false if the account already has `limit` forms, even with concurrent registrations. */
export function insertForm(database: Database, form: Form, now: Date, limit: number): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    // Use separate statements: the count must see rows that were committed while this one waited for the
    // lock.
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

/** Returns false if the account has no such form. */
export async function replaceForm(database: Queryable, form: Form, now: Date): Promise<boolean> {
  const result = await database.query(
    `update forms set flow = $3, expires_at = $4 where id = $1 and account_id = $2 and expires_at > $5`,
    [form.id, form.accountId, JSON.stringify(form.flow), form.expiresAt, now],
  )
  return result.rowCount === 1
}

/** Finds a form of any account, expired or not. */
export async function findForm(database: Queryable, id: string): Promise<Form | null> {
  const result = await database.query<Form>({
    name: 'find-form',
    text: `select ${columns} from forms where id = $1`,
    values: [id],
  })
  return result.rows[0] ?? null
}

/** Returns false if the account has no such form. */
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

/** Deletes the oldest first and returns how many. */
async function deleteExpired(database: Queryable, now: Date, limit: number): Promise<number> {
  const result = await database.query(
    `delete from forms
      where id in (select id from forms where expires_at <= $1 order by expires_at limit $2) and expires_at <= $1`,
    [now, limit],
  )
  return result.rowCount ?? 0
}

/**
 * Removes expired forms and returns how many; `batchSize` limits the rows that one statement locks. Open
 * messages do not need them, because each has its own copy of the content. Several processes can run it
 * concurrently.
 */
export async function removeExpiredForms(database: Queryable, now: Date, batchSize = 500): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await deleteExpired(database, now, batchSize)
    removed += count
    if (count < batchSize) return removed
  }
}
