/**
 * Stores the positions of named consumers in a feed. A position only moves forward: to read again, a client
 * passes a cursor or a time. The only writer of the consumers tables.
 */
import type { Queryable } from '../../platform/database/database.ts'
import type { Feed, FeedRow } from './feed.ts'

type Named = Pick<Feed<FeedRow>, 'name'>

export const maxConsumers = 20

/** Name under which the SMPP server reads a feed. Client names cannot begin with `~`. */
export const smppConsumer = '~smpp'

/** Returns null for a consumer that has acknowledged nothing yet. */
export async function readPosition(
  database: Queryable,
  { name: feed }: Named,
  accountId: number,
  name: string,
): Promise<number | null> {
  const { rows } = await database.query<{ acked_seq: number }>({
    name: `read-${feed}-position`,
    text: `select acked_seq from ${feed}_consumers where account_id = $1 and name = $2`,
    values: [accountId, name],
  })
  return rows[0]?.acked_seq ?? null
}

/** Moves a client's consumer. Returns false for a new one if the account has the maximum number of consumers. */
export async function moveConsumer(
  database: Queryable,
  { name: feed }: Named,
  accountId: number,
  name: string,
  seq: number,
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: `move-${feed}-consumer`,
    text: `insert into ${feed}_consumers as c (account_id, name, acked_seq)
           select $1, $2, $3
            where exists (select from ${feed}_consumers where account_id = $1 and name = $2)
               or (select count(*) from ${feed}_consumers where account_id = $1 and name not like '~%') < $4
           ${moveForward}`,
    values: [accountId, name, seq, maxConsumers],
  })
  return rowCount === 1
}

/** Moves the consumer of the SMPP server, which does not count as one of the account. */
export async function moveSmppConsumer(
  database: Queryable,
  { name: feed }: Named,
  accountId: number,
  seq: number,
): Promise<void> {
  await database.query({
    name: `move-${feed}-smpp-consumer`,
    text: `insert into ${feed}_consumers as c (account_id, name, acked_seq) values ($1, $2, $3) ${moveForward}`,
    values: [accountId, smppConsumer, seq],
  })
}

/**
 * Starts the consumer of the SMPP server after the last row, for an account that is allowed to use SMPP from
 * now on. An account that used SMPP earlier continues at its position.
 */
export async function startSmppConsumer(
  database: Queryable,
  { name: feed }: Named,
  accountId: number,
): Promise<void> {
  await database.query(
    `insert into ${feed}_consumers (account_id, name, acked_seq)
     values ($1, $2, coalesce((select last_seq from ${feed}_sequences where account_id = $1), 0))
     on conflict do nothing`,
    [accountId, smppConsumer],
  )
}

const moveForward = `on conflict (account_id, name) do update
  set acked_seq = greatest(c.acked_seq, excluded.acked_seq), updated_at = now()`
