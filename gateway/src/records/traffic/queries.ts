/**
 * SQL of traffic_records, its only writer: which account sent to whom and when, on which channel, and how it ended. Written
 * with the statements that close a batch of messages; the recipient is a blind index with the account mixed in.
 */
import { columns, queryBulk } from '../../platform/bulk.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'

export interface TrafficRecord {
  readonly msgKey: string
  readonly accountId: number
  readonly recipientIndex: Buffer
  /** Of the step that decided the outcome. */
  readonly channel: string
  readonly reportCode: string
  readonly sentAt: Date
}

/** Call it in the transaction that closes the messages. Without records it sends no statement. */
export async function insertTraffic(
  transaction: Queryable,
  records: readonly TrafficRecord[],
): Promise<void> {
  await queryBulk(transaction, {
    name: 'insert-traffic',
    text: `insert into traffic_records (msg_key, account_id, recipient_index, channel, report_code, sent_at)
           select msg_key, account_id, decode(recipient_index, 'hex'), channel, report_code, sent_at
             from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
               as t (msg_key, account_id, recipient_index, channel, report_code, sent_at)`,
    columns: columns(records, (record) => [
      record.msgKey,
      record.accountId,
      record.recipientIndex.toString('hex'),
      record.channel,
      record.reportCode,
      record.sentAt,
    ]),
  })
}

export interface FoundTraffic extends Omit<TrafficRecord, 'recipientIndex' | 'accountId'> {
  readonly clientId: string
}

export interface TrafficQuery {
  /** The blind index of the number for each account that is searched. */
  readonly indexes: ReadonlyMap<number, Buffer>
  readonly from: Date
  readonly until: Date
  readonly limit: number
}

/** Newest first. It reads all records of the time: no index serves it, because every message would pay for one. */
export async function findTraffic(
  database: Database,
  { indexes, from, until, limit }: TrafficQuery,
): Promise<FoundTraffic[]> {
  const found = await inTransaction(database, async (transaction) => {
    // One pass over the records, with the numbers in a hash table.
    await transaction.query('set local enable_seqscan = on')
    await transaction.query('set local enable_hashjoin = on')
    return transaction.query<FoundTraffic>(
      `select t.msg_key as "msgKey", a.client_id as "clientId", t.channel, t.report_code as "reportCode", t.sent_at as "sentAt"
         from unnest($1::int[], $2::bytea[]) as n (account_id, recipient_index)
         join traffic_records t on t.account_id = n.account_id and t.recipient_index = n.recipient_index
         join accounts a on a.id = t.account_id
        where t.msg_key >= $3 and t.msg_key < $4
        order by t.msg_key desc limit $5`,
      [[...indexes.keys()], [...indexes.values()], keyTime(from), keyTime(until), limit],
    )
  })
  return found.rows
}

/** As a msgKey begins: `yyyyMMddHHmmssSSS` in UTC. */
function keyTime(time: Date): string {
  return time.toISOString().replaceAll(/\D/g, '')
}
