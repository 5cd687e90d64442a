import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { toKeyDay } from '../partitions.ts'
import { findGaps } from './check.ts'
import { foldLedger, foldPastDays } from './fold.ts'
import { appendToLedger, readLedger } from './queries.ts'

const { database } = await createTestDatabase()
const now = new Date()

beforeEach(() => database.query('truncate ledger, in_flight'))

async function append(day: string, accountId: number, accepted: number, closed: number): Promise<void> {
  await appendToLedger(database, 'accepted', [{ day, accountId, count: accepted }])
  await appendToLedger(database, 'closed', [{ day, accountId, count: closed }])
}

/** Returns the storage position of each row and the transaction that wrote it. */
async function versions(): Promise<string[]> {
  const { rows } = await database.query<{ version: string }>(
    `select account_id || ' ' || day || ' ' || ctid || ' ' || xmin as version from ledger order by account_id, day`,
  )
  return rows.map(({ version }) => version)
}

test('a round writes only rows of accounts and days with new counts', async () => {
  for (const accountId of [1, 2, 3]) await append(toKeyDay(now), accountId, 5, 4)
  await foldLedger(database)
  const folded = await versions()
  assert.equal(folded.length, 3)
  for (let round = 0; round < 3; round++) await foldLedger(database)
  assert.deepEqual(await versions(), folded)
  await append(toKeyDay(now), 2, 1, 1)
  await foldLedger(database)
  const after = await versions()
  assert.deepEqual([after[0], after[2]], [folded[0], folded[2]])
  assert.notEqual(after[1], folded[1])
  assert.deepEqual(
    (await readLedger(database)).map(({ accepted, final }) => [accepted, final]),
    [
      [5, 4],
      [6, 5],
      [5, 4],
    ],
  )
})

test('the balanced days of a year become one row per account; days with gaps keep their rows', async () => {
  for (let ago = 4; ago < 370; ago++) await append(toKeyDay(now, -ago), 1, 2, 2)
  await append(toKeyDay(now, -200), 2, 3, 2)
  await append(toKeyDay(now), 1, 1, 1)
  await foldLedger(database)
  await foldPastDays(database)
  const days = async (accountId: number): Promise<number> =>
    (await database.query('select from ledger where account_id = $1', [accountId])).rowCount!
  assert.deepEqual([await days(1), await days(2)], [2, 1])
  const [first] = await readLedger(database)
  assert.deepEqual([first!.accepted, first!.final], [733, 733])
  const gaps = async () => (await findGaps(database)).map(({ day, accountId, gap }) => [day, accountId, gap])
  assert.deepEqual(await gaps(), [[toKeyDay(now, -200), 2, 1]])
  await append(toKeyDay(now, -300), 1, 0, 1)
  await foldLedger(database)
  await foldPastDays(database)
  assert.deepEqual(await gaps(), [
    [toKeyDay(now, -300), 1, -1],
    [toKeyDay(now, -200), 2, 1],
  ])
})
