import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { readBacklog } from './read-backlog.ts'

const { database } = await createTestDatabase()
const accounts = await Promise.all(
  ['shop', 'cafe', 'bank'].map((clientId) => createAccount(database, clientId)),
)
const [shop, cafe, bank] = accounts as [number, number, number]

async function wait(routeId: string, accountId: number, count: number, seconds: number): Promise<void> {
  await database.query(
    `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason)
     select concat_ws('/', $1::text, $2::int, $4::int, n), 1, 1, $2, $1, 'normal', 1, now() - make_interval(secs => $4), 'backlog'
       from generate_series(1, $3::int) n`,
    [routeId, accountId, count, seconds],
  )
}

test('a burst longer than the count limit hides neither other accounts nor other routes', async () => {
  await wait('north', shop, 51_000, 20)
  await wait('south', cafe, 3, 90)
  await wait('', bank, 2, 40)
  await wait('', shop, 1, -3_600)
  const { backlog, waiting } = await readBacklog(database)
  assert.equal(backlog.more, true)
  assert.deepEqual(
    backlog.accounts.map(({ account, waiting: steps }) => [account, steps > 40_000 ? 'many' : steps]),
    [
      ['shop', 'many'],
      ['cafe', 3],
      ['bank', 2],
    ],
  )
  assert.ok(backlog.othersSeconds! >= 90 && backlog.othersSeconds! < 150, String(backlog.othersSeconds))
  assert.deepEqual(Object.keys(waiting.seconds).sort(), ['north', 'south'])
  assert.ok(
    waiting.seconds['south']! >= 90 && waiting.seconds['north']! >= 20 && waiting.seconds['north']! < 90,
  )
  assert.equal(waiting.count['south'], 3)
})

test('the wait of other accounts is unknown if not all of them were read', async () => {
  const { backlog, waiting } = await readBacklog(database, { steps: 1_000, accounts: 2 })
  assert.ok(backlog.othersSeconds! >= 90)
  assert.equal(waiting.count['south'], 3)
  await wait('south', bank, 1, 300)
  const cut = await readBacklog(database, { steps: 1_000, accounts: 2 })
  assert.equal(cut.backlog.othersSeconds, null)
  assert.equal(cut.backlog.more, true)
})

test('a short backlog is counted completely', async () => {
  await database.query('delete from waiting')
  assert.deepEqual((await readBacklog(database)).backlog, {
    due: 0,
    more: false,
    accounts: [],
    othersSeconds: 0,
    othersSend: false,
  })
  await wait('north', shop, 300, 20)
  await wait('north', cafe, 1, 0)
  const { due, more, othersSeconds } = (await readBacklog(database)).backlog
  assert.deepEqual([due, more], [301, false])
  assert.ok(othersSeconds! < 15)
})
