/** SQL of rcs_templates, its only writer: the kinds of templates that the carriers have issued. */
import type { TemplateKind } from '../../channels/rcs/limits.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database/database.ts'

export interface RcsTemplate {
  readonly id: string
  readonly kind: TemplateKind
}

export async function loadTemplates(database: Queryable): Promise<RcsTemplate[]> {
  const result = await database.query<RcsTemplate>('select id, kind from rcs_templates order by id')
  return result.rows
}

/** Lists templates with an id greater than `after`. */
export async function listTemplates(
  database: Queryable,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<RcsTemplate[]> {
  const result = await database.query<RcsTemplate>(
    'select id, kind from rcs_templates where $1::text is null or id > $1 order by id limit $2',
    [after ?? null, limit],
  )
  return result.rows
}

export async function putTemplate(database: Transactional, { id, kind }: RcsTemplate): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction.query(
      'insert into rcs_templates (id, kind) values ($1, $2) on conflict (id) do update set kind = excluded.kind',
      [id, kind],
    )
    await announceChange(transaction)
  })
}

/** Returns false if the template does not exist. */
export async function deleteTemplate(database: Transactional, id: string): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const deleted = await transaction.query('delete from rcs_templates where id = $1', [id])
    await announceChange(transaction)
    return deleted.rowCount === 1
  })
}

/** Caches poll the version of the routes, so that templates need no extra query. */
async function announceChange(transaction: Queryable): Promise<void> {
  await transaction.query('update routes set updated_at = now()')
}
