import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { countWaitingByShare, readOldestDue } from './count-waiting.ts'

const { database } = await createTestDatabase()

beforeEach(() => database.query('truncate waiting'))

async function wait(
  share: string,
  lane: string,
  accountId: number,
  count: number,
  seconds: number,
): Promise<void> {
  await database.query(
    `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason)
     select concat_ws('/', $1::text, $2::text, $3::int, $5::int, n), 1, 1, $3, $1, $2, 1, now() - make_interval(secs => $5), 'backlog'
       from generate_series(1, $4::int) n`,
    [share, lane, accountId, count, seconds],
  )
}

test('the oldest of all shares, lanes and accounts is found, by one probe for each', async () => {
  await wait('north', 'normal', 1, 5_000, 20)
  await wait('north', 'bulk', 2, 5_000, 30)
  await wait('north#2', 'bulk', 1, 10, 40)
  await wait('north#2', 'bulk', 3, 2, 90)
  await wait('northern', 'urgent', 1, 10, 500)
  assert.equal(await readOldestDue(database, 'south'), 0)
  await inTransaction(database, async (transaction) => {
    const seconds = await readOldestDue(transaction, 'north')
    assert.ok(seconds >= 90 && seconds < 150, String(seconds))
    const { rows } = await transaction.query<{ read: number }>(
      `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'waiting'`,
    )
    assert.ok(rows[0]!.read < 50, `${rows[0]!.read} rows were read`)
  })
})

test('the count of a route ignores unrouted steps and backlogs of other routes', async () => {
  await wait('', 'normal', 1, 50, 0)
  await wait('north', 'bulk', 1, 40, 0)
  await wait('south', 'normal', 1, 3, 0)
  await wait('south', 'urgent', 1, 2, 0)
  const counts = await countWaitingByShare(database, 10)
  assert.deepEqual([...counts].sort(), [
    ['north', 10],
    ['south', 5],
  ])
})
