/**
 * Polling of replies, as that of reports: the oldest that are not acknowledged, the same batch until it is deleted. Two
 * pollers of one account get the same batch. SQL of reply_polls, its only writer.
 */
import { randomLetters, timeDigits } from '../../contract/msg-key.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import { consumersOf } from '../consumers.ts'
import { readReplies } from './queries.ts'
import type { NumberedReply } from './reply.ts'

export const maxReplyBatch = 1_000
/** Consumers of replies. */
export const replyConsumers = consumersOf('reply_consumers')
const noEnd = Number.MAX_SAFE_INTEGER

export interface ReplyBatch {
  /** Empty when there is nothing to deliver. */
  readonly batchId: string
  readonly rows: readonly NumberedReply[]
}

interface PollState {
  readonly ackedSeq: number
  readonly batchId: string | null
  readonly batchLastSeq: number | null
}

export function pollReplies(database: Database, accountId: number, now: Date): Promise<ReplyBatch> {
  return inTransaction(database, async (transaction) => {
    const { ackedSeq, batchId, batchLastSeq } = await lockPoll(transaction, accountId)
    if (batchId !== null && batchLastSeq !== null) {
      const again = await readReplies(transaction, accountId, ackedSeq, batchLastSeq, maxReplyBatch)
      if (again.length > 0) return { batchId, rows: again }
    }
    // All of a batch that was held for long may be past retention.
    const from = batchLastSeq ?? ackedSeq
    const rows = await readReplies(transaction, accountId, from, noEnd, maxReplyBatch)
    const last = rows.at(-1)
    const opened = last === undefined ? null : timeDigits(now) + randomLetters(11)
    await transaction.query({
      name: 'open-reply-batch',
      text: 'update reply_polls set acked_seq = $2, batch_id = $3, batch_last_seq = $4 where account_id = $1',
      values: [accountId, from, opened, last?.seq ?? null],
    })
    return { batchId: opened ?? '', rows }
  })
}

/** False when the account holds no such batch. */
export async function acknowledgeReplies(
  database: Queryable,
  accountId: number,
  batchId: string,
): Promise<boolean> {
  const result = await database.query({
    name: 'acknowledge-replies',
    text: `update reply_polls set acked_seq = batch_last_seq, batch_id = null, batch_last_seq = null
            where account_id = $1 and batch_id = $2`,
    values: [accountId, batchId],
  })
  return result.rowCount === 1
}

/** A later statement must read the batch: this one sees the replies as they were before it waited for the lock. */
async function lockPoll(transaction: Queryable, accountId: number): Promise<PollState> {
  const { rows } = await transaction.query<PollState>({
    name: 'lock-reply-poll',
    text: `insert into reply_polls as p (account_id) values ($1)
           on conflict (account_id) do update set acked_seq = p.acked_seq
           returning acked_seq as "ackedSeq", batch_id as "batchId", batch_last_seq as "batchLastSeq"`,
    values: [accountId],
  })
  return rows[0]!
}
