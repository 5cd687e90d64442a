/** What waits for each share of a route is counted whatever else waits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { countWaitingByShare } from './count-by-share.ts'

const { database } = await createTestDatabase()

async function wait(routeId: string, lane: string, count: number): Promise<void> {
  await database.query(
    `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason)
     select $1 || '/' || $2 || '/' || n, 1, 1, 1, $1, $2, 1, now(), 'backlog' from generate_series(1, $3) n`,
    [routeId, lane, count],
  )
}

test('neither steps without a route nor a long backlog of another route take from the count of a route', async () => {
  await wait('', 'normal', 50)
  await wait('north', 'bulk', 40)
  await wait('south', 'normal', 3)
  await wait('south', 'urgent', 2)
  const counts = await countWaitingByShare(database, 10)
  assert.deepEqual([...counts].sort(), [
    ['north', 10],
    ['south', 5],
  ])
})
