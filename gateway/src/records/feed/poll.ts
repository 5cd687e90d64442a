/**
 * Polling: returns the oldest rows that are not acknowledged, the same batch until it is deleted. Two pollers
 * of one account get the same batch. A poll writes only if it opens a batch or skips expired rows, and only
 * if no other request has changed the state since. Expired rows are skipped by number, neither read nor
 * deleted here. The only writer of the polls tables.
 */
import { randomLetters, timeDigits } from '../../contract/msg-key.ts'
import { clock, type Clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { readFeed, seekTime, type Feed, type FeedRequest, type FeedRow } from './feed.ts'

export const maxBatchSize = 1_000

export interface FeedBatch<Row extends FeedRow> {
  /** Empty if there are no rows. */
  readonly batchId: string
  readonly rows: readonly Row[]
}

export async function pollFeed<Row extends FeedRow>(
  database: Queryable,
  feed: Feed<Row>,
  accountId: number,
  { limit = maxBatchSize, time = clock }: PollOptions = {},
): Promise<FeedBatch<Row>> {
  const now = time.date()
  const oldest = feed.pollingLifetimeMs === undefined ? new Date(0) : time.cutoff(feed.pollingLifetimeMs)
  for (;;) {
    const state = await readPollState(database, feed, accountId)
    const { ackedSeq, batchId, batchLastSeq, lastSeq } = state
    if (batchId === null && lastSeq <= ackedSeq) return { batchId: '', rows: [] }
    if (batchId !== null && batchLastSeq !== null) {
      const held = await readFeed(database, feed, {
        accountId,
        afterSeq: ackedSeq,
        upToSeq: batchLastSeq,
        limit,
      })
      const young = held.filter(({ createdAt }) => createdAt > oldest)
      if (young.length > 0) return { batchId, rows: young }
    }
    // Skip a batch that expired as a whole while it was open.
    const afterSeq = batchLastSeq ?? ackedSeq
    const next = await readNext(database, feed, { accountId, afterSeq, upToSeq: lastSeq, limit }, oldest)
    const last = next.rows.at(-1)
    const batch = last === undefined ? null : { id: createBatchId(now), lastSeq: last.seq }
    if (await savePollState(database, feed, accountId, state, next.ackedSeq, batch))
      return { batchId: batch?.id ?? '', rows: next.rows }
  }
}

export interface PollOptions {
  readonly limit?: number
  readonly time?: Pick<Clock, 'date' | 'cutoff'>
}

interface NextRows<Row> {
  /** All rows up to this number are acknowledged or expired. */
  readonly ackedSeq: number
  readonly rows: readonly Row[]
}

async function readNext<Row extends FeedRow>(
  database: Queryable,
  feed: Feed<Row>,
  request: FeedRequest,
  oldest: Date,
): Promise<NextRows<Row>> {
  const { accountId, upToSeq } = request
  let ackedSeq = request.afterSeq
  let hasSkipped = false
  for (;;) {
    const rows = await readFeed(database, feed, { ...request, afterSeq: ackedSeq })
    if (rows.length === 0) return { ackedSeq: upToSeq, rows }
    const young = rows.filter(({ createdAt }) => createdAt > oldest)
    if (young.length > 0) return { ackedSeq, rows: young }
    ackedSeq = rows.at(-1)!.seq
    // A page of expired rows: millions more can follow, so skip them by number.
    if (!hasSkipped) ackedSeq = await seekTime(database, feed, accountId, oldest, ackedSeq)
    hasSkipped = true
  }
}

function createBatchId(now: Date): string {
  return timeDigits(now) + randomLetters(11)
}

export function isBatchId(candidate: string): boolean {
  return /^\d{17}[0-9A-Z]{11}$/.test(candidate)
}

/** Deletes the batch in constant time whatever its size. Returns false if the account holds no such batch. */
export async function acknowledgeBatch(
  database: Queryable,
  { name }: Pick<Feed<FeedRow>, 'name'>,
  accountId: number,
  batchId: string,
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: `acknowledge-${name}-batch`,
    text: `update ${name}_polls set acked_seq = batch_last_seq, batch_id = null, batch_last_seq = null
            where account_id = $1 and batch_id = $2`,
    values: [accountId, batchId],
  })
  return rowCount === 1
}

interface PollState {
  readonly ackedSeq: number
  readonly batchId: string | null
  readonly batchLastSeq: number | null
  /** Last number assigned to a row of the account. */
  readonly lastSeq: number
}

/** Reads the state. All rows up to `lastSeq` are visible to later statements. */
async function readPollState(
  database: Queryable,
  { name }: Pick<Feed<FeedRow>, 'name'>,
  accountId: number,
): Promise<PollState> {
  const { rows } = await database.query<PollState>({
    name: `read-${name}-poll-state`,
    text: `select coalesce(p.acked_seq, 0) as "ackedSeq", p.batch_id as "batchId", p.batch_last_seq as "batchLastSeq",
                  s.last_seq as "lastSeq"
             from ${name}_sequences s left join ${name}_polls p on p.account_id = s.account_id where s.account_id = $1`,
    values: [accountId],
  })
  return rows[0] ?? { ackedSeq: 0, batchId: null, batchLastSeq: null, lastSeq: 0 }
}

/**
 * Moves the position to `ackedSeq` and opens a batch after it, if there is one. Returns false if another
 * request has changed the state since it was read.
 */
async function savePollState(
  database: Queryable,
  { name }: Pick<Feed<FeedRow>, 'name'>,
  accountId: number,
  state: PollState,
  ackedSeq: number,
  batch: { readonly id: string; readonly lastSeq: number } | null,
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: `open-${name}-batch`,
    text: `insert into ${name}_polls as p (account_id, acked_seq, batch_id, batch_last_seq)
           values ($1, $2, $3, $4)
           on conflict (account_id) do update set acked_seq = excluded.acked_seq, batch_id = excluded.batch_id,
             batch_last_seq = excluded.batch_last_seq
             where p.acked_seq = $5 and p.batch_id is not distinct from $6`,
    values: [accountId, ackedSeq, batch?.id, batch?.lastSeq, state.ackedSeq, state.batchId],
  })
  return rowCount === 1
}
