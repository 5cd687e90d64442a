/** The forms of an account, for `postern account move`. */
import { selectMovedRows, type KeyRange, type KeyVersion } from '../accounts/moved-rows.ts'
import type { Queryable } from '../platform/database.ts'

export const movedForms = {
  // A form may have 64 KB.
  batch: 100,
  async list(
    database: Queryable,
    accountId: number,
    { after, upTo, limit }: KeyRange,
  ): Promise<KeyVersion[]> {
    const result = await database.query<KeyVersion>(
      `select id as key, md5(flow::text) || extract(epoch from expires_at) as version from forms
        where account_id = $1 and id > $2 and ($3::text is null or id <= $3) order by id limit $4`,
      [accountId, after, upTo, limit],
    )
    return result.rows
  },
  async read(database: Queryable, accountId: number, ids: readonly string[]): Promise<string[]> {
    const result = await database.query<{ row: string }>(
      'select to_json(f)::text as row from forms f where account_id = $1 and id = any($2)',
      [accountId, ids],
    )
    return result.rows.map(({ row }) => row)
  },
  async write(transaction: Queryable, accountId: number, rows: readonly string[]): Promise<void> {
    await transaction.query(
      `insert into forms
       ${selectMovedRows('forms')}
       on conflict (id) do update set account_id = excluded.account_id, flow = excluded.flow, expires_at = excluded.expires_at`,
      [rows, accountId],
    )
  },
  async remove(transaction: Queryable, accountId: number, ids: readonly string[]): Promise<void> {
    await transaction.query('delete from forms where account_id = $1 and id = any($2)', [accountId, ids])
  },
}
