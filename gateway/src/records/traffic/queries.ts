/**
 * Writes and reads traffic_records; `months.ts` removes old records. A record holds which account sent from which
 * number to whom and when, on which channel, and how the message ended. The recipient is a blind index with the
 * account mixed in.
 */
import { timeDigits } from '../../contract/msg-key.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'

export interface TrafficRecord {
  readonly msgKey: string
  readonly accountId: number
  readonly recipientIndex: Buffer
  /** The number, chatbot or key that it was sent from. */
  readonly sender: string | null
  /** The channel of the step that decided the outcome. */
  readonly channel: string
  readonly reportCode: string
  readonly sentAt: Date
}

/** Inserts records. Call it in the transaction that closes the messages. */
export async function insertTraffic(
  transaction: Queryable,
  records: readonly TrafficRecord[],
): Promise<void> {
  await queryBulk(transaction, {
    name: 'insert-traffic',
    text: `insert into traffic_records (msg_key, account_id, recipient_index, channel, report_code, sent_at, sender)
           select msg_key, account_id, decode(recipient_index, 'hex'), channel, report_code, sent_at, sender
             from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[])
               as t (msg_key, account_id, recipient_index, channel, report_code, sent_at, sender)`,
    columns: columns(records, (record) => [
      record.msgKey,
      record.accountId,
      record.recipientIndex.toString('hex'),
      record.channel,
      record.reportCode,
      record.sentAt,
      record.sender,
    ]),
  })
}

export interface TrafficEntry extends Omit<TrafficRecord, 'recipientIndex' | 'accountId'> {
  readonly clientId: string
}

export interface TrafficQuery {
  readonly accountIds: readonly number[]
  /** Blind index of the recipient for each account; `undefined` for any recipient. */
  readonly indexes: readonly Buffer[] | undefined
  readonly sender: string | undefined
  readonly from: Date
  readonly until: Date
  readonly limit: number
}

/** Finds the newest records. Reads all records of the period, because no index supports the search. */
export async function findTraffic(
  database: Database,
  { accountIds, indexes, sender, from, until, limit }: TrafficQuery,
): Promise<TrafficEntry[]> {
  const found = await database.query<TrafficEntry>(
    `select t.msg_key as "msgKey", a.client_id as "clientId", t.sender, t.channel, t.report_code as "reportCode", t.sent_at as "sentAt"
       from traffic_records t join accounts a on a.id = t.account_id
      where t.account_id = any($1) and ($2::bytea[] is null or t.recipient_index = any($2))
        and ($3::text is null or t.sender = $3) and t.msg_key >= $4 and t.msg_key < $5
      order by t.msg_key desc limit $6`,
    [accountIds, indexes, sender, timeDigits(from), timeDigits(until), limit],
  )
  return found.rows
}
