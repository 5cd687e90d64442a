/** How far an account is behind in reading a feed, by polling and by each consumer, including that of the SMPP server. */
import { parseKeyTime } from '../../contract/msg-key.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { readFirstNumbered, readLastSeq, type Feed, type FeedRow } from './feed.ts'

type Tables = Pick<Feed<FeedRow>, 'name' | 'table' | 'numberedAt'>

export interface FeedLag {
  /** Number of rows that are not acknowledged. */
  readonly behind: number
  /** When the oldest of them got its number; null if there is none. */
  readonly oldestAt: Date | null
}

export interface PollLag extends FeedLag {
  /** Opening time of the batch that is not acknowledged yet, or null. */
  readonly batchAt: Date | null
}

export interface ConsumerLag extends FeedLag {
  readonly name: string
  readonly acknowledgedAt: Date
}

/** Returns null if the account has not polled since it got its first row. */
export async function readPollLag(
  database: Queryable,
  feed: Tables,
  accountId: number,
): Promise<PollLag | null> {
  const { rows } = await database.query<{ ackedSeq: number; batchId: string | null }>(
    `select acked_seq as "ackedSeq", batch_id as "batchId" from ${feed.name}_polls where account_id = $1`,
    [accountId],
  )
  const [row] = rows
  if (row === undefined) return null
  const lag = await readLagAfter(database, feed, accountId, row.ackedSeq)
  return { ...lag, batchAt: row.batchId === null ? null : new Date(parseKeyTime(row.batchId)) }
}

export async function readConsumerLags(
  database: Queryable,
  feed: Tables,
  accountId: number,
): Promise<ConsumerLag[]> {
  const { rows } = await database.query<{ name: string; ackedSeq: number; acknowledgedAt: Date }>(
    `select name, acked_seq as "ackedSeq", updated_at as "acknowledgedAt" from ${feed.name}_consumers
      where account_id = $1 order by name`,
    [accountId],
  )
  const lags: ConsumerLag[] = []
  for (const { name, ackedSeq, acknowledgedAt } of rows)
    lags.push({ name, acknowledgedAt, ...(await readLagAfter(database, feed, accountId, ackedSeq)) })
  return lags
}

async function readLagAfter(
  database: Queryable,
  feed: Tables,
  accountId: number,
  seq: number,
): Promise<FeedLag> {
  const last = await readLastSeq(database, feed, accountId)
  if (last <= seq) return { behind: 0, oldestAt: null }
  const oldest = await readFirstNumbered(database, feed, accountId, seq + 1, last + 1)
  return { behind: last - seq, oldestAt: oldest?.numberedAt ?? null }
}
