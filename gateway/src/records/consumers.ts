/**
 * Positions of consumers in the numbered reports or replies of an account. A position only moves forward: to read again, a client
 * gives a cursor or a time. Each table belongs to the folder that names it here.
 */
import type { Queryable } from '../platform/database.ts'

export const maxConsumers = 20

export interface Consumers {
  /** Null for a consumer that has acknowledged nothing yet. */
  position(database: Queryable, accountId: number, name: string): Promise<number | null>
  /** False when the account has the maximum number of consumers. */
  move(database: Queryable, accountId: number, name: string, seq: number): Promise<boolean>
  /** For a consumer of the gateway itself, which is beside those of the account. */
  force(database: Queryable, accountId: number, name: string, seq: number): Promise<void>
  /** The same, where it has no position yet. */
  begin(database: Queryable, accountId: number, name: string, seq: number): Promise<void>
}

/** SQL: names that no client can use are those of the gateway. */
const isOfAccount = `name not like '~%'`

export function consumersOf(table: 'report_consumers' | 'reply_consumers'): Consumers {
  const insert = `insert into ${table} as c (account_id, name, acked_seq)`
  const moveForward = `on conflict (account_id, name) do update
                         set acked_seq = greatest(c.acked_seq, excluded.acked_seq), updated_at = now()`
  return {
    async position(database, accountId, name) {
      const { rows } = await database.query<{ acked_seq: number }>({
        name: `position-in-${table}`,
        text: `select acked_seq from ${table} where account_id = $1 and name = $2`,
        values: [accountId, name],
      })
      return rows[0]?.acked_seq ?? null
    },
    async move(database, accountId, name, seq) {
      const { rowCount } = await database.query({
        name: `move-in-${table}`,
        text: `${insert}
               select $1, $2, $3
                where exists (select from ${table} where account_id = $1 and name = $2)
                   or (select count(*) from ${table} where account_id = $1 and ${isOfAccount}) < $4
               ${moveForward}`,
        values: [accountId, name, seq, maxConsumers],
      })
      return rowCount === 1
    },
    async force(database, accountId, name, seq) {
      await database.query({
        name: `force-in-${table}`,
        text: `${insert} values ($1, $2, $3) ${moveForward}`,
        values: [accountId, name, seq],
      })
    },
    async begin(database, accountId, name, seq) {
      await database.query(`${insert} values ($1, $2, $3) on conflict do nothing`, [accountId, name, seq])
    },
  }
}
