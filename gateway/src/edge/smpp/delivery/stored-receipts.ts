/**
 * Stores receipts apart from the reports until a client acknowledges them: those that a client refused or did not
 * respond to, those that could not be encoded, and those of parts whose message was not accepted. They are repeated for
 * three days, with a longer pause after each refusal. This module is the only writer of smpp_receipts.
 */
import { columns, queryBulk } from '../../../platform/database/bulk.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'

export interface NewReceipt {
  readonly accountId: number
  readonly messageId: string
  readonly ref: string
  readonly state: number
  readonly error: string
  readonly sentAt: Date
  readonly doneAt: Date
}

export interface StoredReceipt extends NewReceipt {
  readonly id: number
  readonly tries: number
}

/** Same lifetime as the retries of webhooks. */
const lifetimeMs = 3 * 86_400_000
/** Seconds after which a claimed receipt is due again, unless its response changes that. */
const claimSeconds = 60

/** Inserts receipts; `dueIn` is the number of seconds until the first delivery. */
export async function insertReceipts(
  database: Queryable,
  receipts: readonly NewReceipt[],
  dueIn = 0,
): Promise<void> {
  if (receipts.length === 0) return
  await queryBulk(database, {
    text: `insert into smpp_receipts (account_id, message_id, ref, state, error, sent_at, done_at, due_at)
           select account_id, message_id, ref, state, error, sent_at, done_at, now() + $8 * interval '1 second'
             from unnest($1::int[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::timestamptz[], $7::timestamptz[])
               as r (account_id, message_id, ref, state, error, sent_at, done_at)`,
    columns: columns(receipts, (receipt) => [
      receipt.accountId,
      receipt.messageId,
      receipt.ref,
      receipt.state,
      receipt.error,
      receipt.sentAt,
      receipt.doneAt,
    ]),
    values: [dueIn],
  })
}

export interface ReceiptCapacity {
  readonly accountId: number
  /** Number of receipts that the binds of the account have room for. */
  readonly room: number
}

/**
 * Claims due receipts, for each account as many as it has room for. Each is due again after a minute unless
 * its response or `returnReceipt` changes that.
 */
export async function claimDueReceipts(
  database: Queryable,
  rooms: readonly ReceiptCapacity[],
): Promise<StoredReceipt[]> {
  const { rows } = await database.query<StoredReceipt>({
    name: 'take-due-smpp-receipts',
    text: `update smpp_receipts r set due_at = now() + $3 * interval '1 second'
             from (select taken.id from unnest($1::int[], $2::int[]) as a (account_id, room)
                    cross join lateral (select id from smpp_receipts where account_id = a.account_id and due_at <= now()
                                         order by due_at limit a.room for update skip locked) as taken) as due
            where r.id = any (array[due.id])
           returning r.id, r.account_id as "accountId", r.message_id as "messageId", r.ref, r.state, r.error,
                     r.sent_at as "sentAt", r.done_at as "doneAt", r.tries`,
    values: [rooms.map(({ accountId }) => accountId), rooms.map(({ room }) => room), claimSeconds],
  })
  return rows
}

/** Makes a claimed receipt due again, because no bind had room for it. */
export async function returnReceipt(database: Queryable, id: number): Promise<void> {
  await database.query({
    name: 'return-smpp-receipt',
    text: 'update smpp_receipts set due_at = now() where id = $1',
    values: [id],
  })
}

export async function deleteReceipt(database: Queryable, id: number): Promise<void> {
  await database.query({
    name: 'remove-smpp-receipt',
    text: 'delete from smpp_receipts where id = $1',
    values: [id],
  })
}

/** Schedules a retry a minute after the first refusal, then twice as long each time, up to six hours. */
export async function scheduleReceiptRetry(database: Queryable, { id, tries }: StoredReceipt): Promise<void> {
  await database.query({
    name: 'repeat-smpp-receipt',
    text: `update smpp_receipts set tries = tries + 1, due_at = now() + $2 * interval '1 second' where id = $1`,
    values: [id, Math.min(60 * 2 ** Math.min(tries, 10), 21_600)],
  })
}

/** Deletes expired receipts and returns their number; inquiry still has the reports of accepted messages. */
export async function deleteExpiredReceipts(database: Queryable): Promise<number> {
  const { rowCount } = await database.query('delete from smpp_receipts where created_at < $1', [
    clock.cutoff(lifetimeMs),
  ])
  return rowCount ?? 0
}
