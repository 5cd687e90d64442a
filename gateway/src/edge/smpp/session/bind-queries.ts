/**
 * SQL of smpp_binds; this module is its only writer. A bind counts while the member that holds it is live;
 * its row is deleted with the member.
 */
import { columns, queryBulk } from '../../../platform/database/bulk.ts'
import { inTransaction, type Database, type Queryable } from '../../../platform/database/database.ts'
import { isLive } from '../../../platform/membership/tables.ts'

export const bindKinds = {
  bind_transmitter: 'transmitter',
  bind_receiver: 'receiver',
  bind_transceiver: 'transceiver',
} as const

export interface StoredBind {
  readonly id: string
  readonly accountId: number
  readonly kind: (typeof bindKinds)[keyof typeof bindKinds]
  readonly address: string
}

/** First key of the advisory locks of this module: `smpp` in ASCII. */
const lockClass = 0x736d7070

/**
 * Returns false if the account has reached its bind limit over all processes. An advisory lock serialises the
 * binds of one account.
 */
export function insertBind(
  database: Database,
  member: string,
  { id, accountId, kind, address }: StoredBind,
  maxBinds: number,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1, $2)', [lockClass, accountId])
    const { rowCount } = await transaction.query({
      name: 'insert-smpp-bind',
      text: `insert into smpp_binds (id, member, account_id, kind, address)
             select $1, $2, $3, $4, $5
              where (select count(*) from smpp_binds b join members m on m.id = b.member
                      where b.account_id = $3 and (m.id = $2 or ${isLive('m')})) < $6`,
      values: [id, member, accountId, kind, address, maxBinds],
    })
    return rowCount === 1
  })
}

/**
 * Inserts binds that only this process has counted, because PostgreSQL did not respond or had lost the
 * member.
 */
export async function insertUncounted(
  database: Queryable,
  member: string,
  binds: readonly StoredBind[],
): Promise<void> {
  await queryBulk(database, {
    text: `insert into smpp_binds (id, member, account_id, kind, address)
           select id, $5, account_id, kind, address
             from unnest($1::text[], $2::int[], $3::text[], $4::text[]) as b (id, account_id, kind, address)
           on conflict (id) do nothing`,
    columns: columns(binds, ({ id, accountId, kind, address }) => [id, accountId, kind, address]),
    values: [member],
  })
}

export async function deleteBinds(database: Queryable, ids: readonly string[]): Promise<void> {
  await database.query({
    name: 'delete-smpp-binds',
    text: 'delete from smpp_binds where id = any ($1)',
    values: [ids],
  })
}
