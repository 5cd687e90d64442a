/** Stores receipts that match no attempt yet. They are matched again with growing delays, for three days. */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { storedForms, toStoredRecipient } from './identifiers.ts'

export const orphanLifetimeHours = 72

export async function storeOrphans(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  retryAt: Date,
): Promise<void> {
  await queryBulk(database, {
    text: `insert into orphan_receipts (route_id, receipt, received_at, recipient, retry_at)
     select route_id, receipt, received_at, recipient, $5 from unnest($1::text[], $2::json[], $3::timestamptz[], $4::text[])
       as o (route_id, receipt, received_at, recipient)`,
    columns: columns(receipts, (receipt) => [
      receipt.routeId,
      JSON.stringify(receipt),
      new Date(receipt.receivedAt),
      toStoredRecipient(receipt.recipient),
    ]),
    values: [retryAt],
  })
}

export interface Orphan {
  readonly id: number
  /** A receipt job that is not validated yet: another version of the program can have stored it. */
  readonly receipt: unknown
}

/** Claims due orphans and schedules their next try, with a delay that doubles up to an hour. */
export async function claimOrphans(transaction: Queryable, now: Date, limit: number): Promise<Orphan[]> {
  const result = await transaction.query<Orphan>(
    `update orphan_receipts set tries = tries + 1,
            retry_at = $1::timestamptz + least(interval '1 hour', interval '2 seconds' * power(2, least(tries, 11)))
      where id = any(array(select id from orphan_receipts where retry_at <= $1 order by retry_at limit $2 for update skip locked))
     returning id, receipt`,
    [now, limit],
  )
  return result.rows
}

/** Maximum rows made due, as many as two batches of retries claim. */
const maxAdvanced = 1_000

/**
 * Makes the next retries due immediately, because parts were recorded late that receipts may be waiting for.
 * Affects only retries due within a minute, which are receipts of the last minutes: older ones belong to
 * nothing that was just recorded. An early retry does not use up a delay: the part of a receipt can be
 * recorded in a later batch, and the next retry is due at most four seconds after this one.
 */
export async function advanceOrphans(database: Queryable, now: Date): Promise<void> {
  await database.query({
    name: 'advance-orphans',
    text: `update orphan_receipts set retry_at = $1, tries = least(tries, 1)
            where id = any(array(select id from orphan_receipts
                                  where retry_at > $1 and retry_at <= $1::timestamptz + interval '1 minute'
                                  order by retry_at limit $2 for update skip locked))`,
    values: [now, maxAdvanced],
  })
}

export async function removeOrphans(transaction: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await transaction.query('delete from orphan_receipts where id = any($1)', [ids])
}

/**
 * Removes the number from orphans to these recipients, passed as attempts store them, that were received
 * until `until`. They are still matched by their ids. An orphan keeps its number while a part without an id,
 * of an open message of any account, waits for a receipt to it: only the number can match the two. Must not
 * run in the transaction that erases the attempts: settle locks the two in the other order.
 */
export async function eraseOrphanRecipients(
  database: Queryable,
  recipients: readonly string[],
  until: Date,
): Promise<void> {
  if (recipients.length === 0) return
  // `<> ''` is required because the planner does not derive it from an array of more than 100 values, and the
  // index has that condition.
  const found = await database.query<{ id: number; receipt: object }>(
    `select o.id, o.receipt from orphan_receipts o
      where o.recipient = any($1) and o.recipient <> '' and o.received_at <= $2
        and not exists (select from attempts a join in_flight f on f.msg_key = a.msg_key
                         where a.recipient = o.recipient and a.carrier_id is null and a.outcome <> 'refused' and a.result is null)`,
    [recipients.flatMap(storedForms), until],
  )
  await queryBulk(database, {
    text: `update orphan_receipts o set receipt = e.receipt, recipient = ''
             from unnest($1::bigint[], $2::json[]) as e (id, receipt) where o.id = e.id`,
    columns: columns(found.rows, ({ id, receipt }) => [id, JSON.stringify({ ...receipt, recipient: '' })]),
  })
}

/** Deletes orphans older than their lifetime. Returns how many. */
export async function dropOldOrphans(database: Queryable, now: Date): Promise<number> {
  const result = await database.query(
    `delete from orphan_receipts where received_at < $1::timestamptz - make_interval(hours => $2)`,
    [now, orphanLifetimeHours],
  )
  return result.rowCount ?? 0
}
