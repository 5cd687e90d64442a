/**
 * Polling of replies, as that of reports: the oldest that are not acknowledged, the same batch until it is deleted. Two
 * pollers of one account get the same batch. A poll writes only when it opens a batch or skips expired replies, and only if no other
 * request has changed the state since.
 * SQL of reply_polls, its only writer.
 */
import { randomLetters, timeDigits } from '../../contract/msg-key.ts'
import type { Queryable } from '../../platform/database.ts'
import { consumersOf } from '../consumers.ts'
import { readReplies } from './queries.ts'
import type { NumberedReply } from './reply.ts'

export const maxReplyBatch = 1_000
/** Consumers of replies. */
export const replyConsumers = consumersOf('reply_consumers')

export interface ReplyBatch {
  /** Empty when there is nothing to deliver. */
  readonly batchId: string
  readonly rows: readonly NumberedReply[]
}

interface PollState {
  readonly ackedSeq: number
  readonly batchId: string | null
  readonly batchLastSeq: number | null
  /** The last number given to a reply of the account. */
  readonly lastSeq: number
}

export async function pollReplies(database: Queryable, accountId: number, now: Date): Promise<ReplyBatch> {
  for (;;) {
    const state = await readPollState(database, accountId)
    const { ackedSeq, batchId, batchLastSeq, lastSeq } = state
    if (batchId === null && lastSeq <= ackedSeq) return { batchId: '', rows: [] }
    if (batchId !== null && batchLastSeq !== null) {
      const again = await readReplies(database, accountId, ackedSeq, batchLastSeq, maxReplyBatch)
      if (again.length > 0) return { batchId, rows: again }
    }
    // All replies of a batch that was held for long may be past retention: it is skipped.
    const from = batchLastSeq ?? ackedSeq
    const rows = await readReplies(database, accountId, from, lastSeq, maxReplyBatch)
    const last = rows.at(-1)
    const batch = last === undefined ? null : { id: timeDigits(now) + randomLetters(11), lastSeq: last.seq }
    if (await savePollState(database, accountId, state, last === undefined ? lastSeq : from, batch))
      return { batchId: batch?.id ?? '', rows }
  }
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

/** All replies up to `lastSeq` are visible to later statements. */
async function readPollState(database: Queryable, accountId: number): Promise<PollState> {
  const { rows } = await database.query<PollState>({
    name: 'read-reply-poll-state',
    text: `select coalesce(p.acked_seq, 0) as "ackedSeq", p.batch_id as "batchId", p.batch_last_seq as "batchLastSeq",
                  s.last_seq as "lastSeq"
             from reply_sequences s left join reply_polls p on p.account_id = s.account_id where s.account_id = $1`,
    values: [accountId],
  })
  return rows[0] ?? { ackedSeq: 0, batchId: null, batchLastSeq: null, lastSeq: 0 }
}

/**
 * Moves the position to `ackedSeq` and opens a batch after it, if there is one. Returns false if another request has changed the
 * state since it was read.
 */
async function savePollState(
  database: Queryable,
  accountId: number,
  state: PollState,
  ackedSeq: number,
  batch: { readonly id: string; readonly lastSeq: number } | null,
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'open-reply-batch',
    text: `insert into reply_polls as p (account_id, acked_seq, batch_id, batch_last_seq) values ($1, $2, $3, $4)
           on conflict (account_id) do update set acked_seq = excluded.acked_seq, batch_id = excluded.batch_id,
             batch_last_seq = excluded.batch_last_seq
             where p.acked_seq = $5 and p.batch_id is not distinct from $6`,
    values: [accountId, ackedSeq, batch?.id, batch?.lastSeq, state.ackedSeq, state.batchId],
  })
  return rowCount === 1
}
