/** Copies the forms of an account to another cell. Called by `postern account move`. */
import type { Queryable } from '../platform/database.ts'

export interface StoredForm {
  readonly id: string
  /** All columns, as JSON. */
  readonly row: string
}

/** In the order of their ids. */
export async function readStoredForms(
  database: Queryable,
  accountId: number,
  afterId: string,
  limit: number,
): Promise<StoredForm[]> {
  const result = await database.query<StoredForm>(
    `select id, to_json(f)::text as row from forms f where account_id = $1 and id > $2 order by id limit $3`,
    [accountId, afterId, limit],
  )
  return result.rows
}

export async function deleteAllForms(transaction: Queryable, accountId: number): Promise<void> {
  await transaction.query('delete from forms where account_id = $1', [accountId])
}

export async function importForms(
  transaction: Queryable,
  accountId: number,
  forms: readonly StoredForm[],
): Promise<void> {
  await transaction.query(
    `insert into forms
     select (json_populate_record(json_populate_record(null::forms, row::json),
                                  json_build_object('account_id', $2::integer))).*
       from unnest($1::text[]) as row`,
    [forms.map(({ row }) => row), accountId],
  )
}
