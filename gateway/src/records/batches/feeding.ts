/** Statements of the worker that turns the lines of a running batch into messages. It holds the lock of the batch. */
import type { Queryable } from '../../platform/database/database.ts'
import { waitingLinesSql } from './transitions.ts'
import { addedCodesSql, maxRestMs, type BatchPage } from './work.ts'

export interface RemainingLines {
  /** Lines that have no result yet. */
  readonly lines: number
  /** When the batch was due. */
  readonly dueAt: Date
  /** The time since a line got its result, or the batch its state. */
  readonly idleMs: number
}

export async function readRemainingLines(transaction: Queryable, batchId: number): Promise<RemainingLines> {
  const { rows } = await transaction.query<RemainingLines>({
    name: 'read-remaining-lines',
    text: `select ${waitingLinesSql} as lines, next_at as "dueAt",
                  (extract(epoch from now() - changed_at) * 1000)::float8 as "idleMs"
             from batches b where id = $1`,
    values: [batchId],
  })
  return rows[0]!
}

/** Counts messages of the batch that wait for their submission, up to `max`. */
export async function countBacklog(transaction: Queryable, batchId: number, max: number): Promise<number> {
  const { rows } = await transaction.query<{ messages: number }>({
    name: 'count-batch-backlog',
    text: `select count(*) as messages from (select from waiting where batch_id = $1 limit $2) backlog`,
    values: [batchId, max],
  })
  return rows[0]!.messages
}

/** Lets the batch rest: no worker reads it for this time, at most `maxRestMs`. */
export async function deferBatch(database: Queryable, batchId: number, ms: number): Promise<void> {
  await database.query({
    name: 'defer-batch',
    text: `update batches set next_at = now() + $2 * interval '1 millisecond' where id = $1`,
    values: [batchId, Math.min(ms, maxRestMs)],
  })
}

/** The results of the next lines of a page. */
export interface FedLines {
  /** One entry per line, in order: its msgKey, or an empty string if it has no message. */
  readonly msgKeys: readonly string[]
  /** Result codes of lines that were refused now, by their index in the page. */
  readonly refused: Readonly<Record<number, string>>
  /** When the next lines are due. */
  readonly nextAt: Date
}

/** Moves the position of the batch past the lines. Must be called in the transaction that records their messages. */
export async function advanceBatch(
  transaction: Queryable,
  batchId: number,
  { part, page, lines, msgKeys: before }: BatchPage,
  { msgKeys, refused, nextAt }: FedLines,
): Promise<void> {
  await transaction.query({
    name: 'advance-batch-page',
    text: `update batch_pages set msg_keys = msg_keys || $4::text[], codes = codes || $5::jsonb
            where batch_id = $1 and part = $2 and page = $3`,
    values: [batchId, part, page, msgKeys, refused],
  })
  const isDone = before.length + msgKeys.length === lines
  await transaction.query({
    name: 'advance-batch',
    text: `update batches b
              set changed_at = now(), next_part = $2, next_page = $3, next_at = $4, messages = messages + $5,
                  refused = refused + cardinality($6::text[]), codes = codes || ${addedCodesSql('$6')}
            where id = $1`,
    values: [
      batchId,
      part,
      isDone ? page + 1 : page,
      nextAt,
      msgKeys.filter((key) => key !== '').length,
      Object.values(refused),
    ],
  })
}

/** Cancels all lines that have no result yet. */
export async function cancelWaitingLines(transaction: Queryable, batchId: number): Promise<void> {
  await transaction.query({
    name: 'cancel-waiting-lines',
    text: `update batches b set changed_at = now(), cancelled = b.cancelled + ${waitingLinesSql}
            where id = $1 and ${waitingLinesSql} > 0`,
    values: [batchId],
  })
}
