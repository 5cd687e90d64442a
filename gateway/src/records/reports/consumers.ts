/** SQL of report_consumers, its only writer. The position of a consumer only moves forward. */
import type { Queryable } from '../../platform/database.ts'

export const maxConsumers = 20

/** Null for a consumer that has acknowledged nothing yet. */
export async function consumerPosition(
  database: Queryable,
  accountId: number,
  name: string,
): Promise<number | null> {
  const result = await database.query<{ acked_seq: number }>({
    name: 'consumer-position',
    text: 'select acked_seq from report_consumers where account_id = $1 and name = $2',
    values: [accountId, name],
  })
  return result.rows[0]?.acked_seq ?? null
}

/**
 * False when the account has the maximum number of consumers. A late acknowledgement changes nothing: to read again, a
 * client gives a cursor or a time.
 */
export async function moveConsumer(
  database: Queryable,
  accountId: number,
  name: string,
  seq: number,
): Promise<boolean> {
  const result = await database.query({
    name: 'move-consumer',
    text: `insert into report_consumers as c (account_id, name, acked_seq)
           select $1, $2, $3
            where exists (select from report_consumers where account_id = $1 and name = $2)
               or (select count(*) from report_consumers where account_id = $1) < $4
           on conflict (account_id, name) do update
             set acked_seq = greatest(c.acked_seq, excluded.acked_seq), updated_at = now()`,
    values: [accountId, name, seq, maxConsumers],
  })
  return result.rowCount === 1
}

/** For a consumer of the gateway itself, which is beside those of the account. Its position only moves forward. */
export async function forceConsumer(
  database: Queryable,
  accountId: number,
  name: string,
  seq: number,
): Promise<void> {
  await database.query({
    name: 'force-consumer',
    text: `insert into report_consumers as c (account_id, name, acked_seq) values ($1, $2, $3)
           on conflict (account_id, name) do update
             set acked_seq = greatest(c.acked_seq, excluded.acked_seq), updated_at = now()`,
    values: [accountId, name, seq],
  })
}
