/** Finds the position of a time in an account's order of replies. */
import type { Queryable } from '../../platform/database.ts'
import { searchTime } from '../reports/seek.ts'
import { lastReplySeq } from './queries.ts'

/** SQL: when it got its number. */
const numberedAt = 'coalesce(assigned_at, created_at)'

/** The number after which to read, so that no reply that the account has had since `time` is missed. */
export async function seekReplies(database: Queryable, accountId: number, time: Date): Promise<number> {
  const lastSeq = await lastReplySeq(database, accountId)
  const before = await searchTime(0, lastSeq, time, (seq, end) => probeReply(database, accountId, seq, end))
  const { rows } = await database.query<{ seq: number | null }>({
    name: 'seek-replies',
    // The search ends some seconds early: times of concurrent writers may be in another order than their numbers.
    text: `select seq from replies where account_id = $1 and seq > $2 and ${numberedAt} >= $3 order by seq limit 1`,
    values: [accountId, before, time],
  })
  const [first] = rows
  return first?.seq == null ? lastSeq : first.seq - 1
}

async function probeReply(
  database: Queryable,
  accountId: number,
  seq: number,
  before: number,
): Promise<{ readonly seq: number; readonly createdAt: Date } | null> {
  const { rows } = await database.query<{ seq: number; createdAt: Date }>({
    name: 'probe-reply',
    text: `select seq, ${numberedAt} as "createdAt" from replies
            where account_id = $1 and seq >= $2 and seq < $3 order by seq limit 1`,
    values: [accountId, seq, before],
  })
  return rows[0] ?? null
}
