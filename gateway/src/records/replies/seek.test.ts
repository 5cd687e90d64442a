import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { seekTime } from '../feed/feed.ts'
import { replyFeed } from './queries.ts'

const { database } = await createTestDatabase()
const [accountId, count] = [7, 20_000]
const start = Date.UTC(2026, 10, 1)
const minute = 60_000

// One reply per minute; every hundredth arrived three days before it got its account and its number. The numbers
// have gaps.
await database.query(
  `insert into replies (account_id, seq, reply_key, route_id, service_type, content, parts, missing, from_index, sent_at,
                        created_at, assigned_at)
   select $1, n * 2, 'key' || n, 'north', 'SMS', '{}', 1, 0, '', now(),
          $3::timestamptz + n * interval '1 minute' - case when n % 100 = 0 then interval '3 days' else interval '0' end,
          case when n % 100 = 0 then $3::timestamptz + n * interval '1 minute' end
     from generate_series(1, $2::int) n`,
  [accountId, count, new Date(start)],
)
await database.query('insert into reply_sequences (account_id, last_seq) values ($1, $2)', [
  accountId,
  count * 2,
])
await database.query('analyze replies')

interface Plan {
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}
const rowsOf = (plan: Plan): number =>
  plan['Actual Rows'] +
  (plan['Rows Removed by Filter'] ?? 0) +
  (plan.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)

/** Returns the database, and a function that returns the number of rows that its statements have read. */
function counting(): { readonly queryable: Queryable; readonly read: () => number } {
  let read = 0
  const query = async ({ text, values }: { text: string; values: unknown[] }): Promise<unknown> => {
    const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) ${text}`,
      values,
    )
    read += rowsOf(rows[0]!['QUERY PLAN'][0].Plan)
    return database.query(text, values)
  }
  return { queryable: { query } as unknown as Queryable, read: () => read }
}

test('the reply of any minute is found, and few rows are read for it', async () => {
  for (const nth of [1, 2, 99, 100, 101, 5_000, 12_345, 19_999, 20_000]) {
    const { queryable, read } = counting()
    const at = new Date(start + nth * minute)
    assert.equal(await seekTime(queryable, replyFeed, accountId, at), nth * 2 - 1)
    assert.equal(await seekTime(database, replyFeed, accountId, new Date(at.getTime() - 30_000)), nth * 2 - 1)
    assert.ok(read() < 200, `${read()} rows`)
  }
  assert.equal(
    await seekTime(database, replyFeed, accountId, new Date(start + (count + 1) * minute)),
    count * 2,
  )
  assert.equal(await seekTime(database, replyFeed, 8, new Date(start)), 0)
})
