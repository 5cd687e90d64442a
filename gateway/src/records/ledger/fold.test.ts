/** Folding: what was folded is not read or written again, and the ledger does not grow with history. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { dayOf } from '../partitions.ts'
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

/** Where each row is stored and which transaction wrote it. */
async function versions(): Promise<string[]> {
  const { rows } = await database.query<{ version: string }>(
    `select account_id || ' ' || day || ' ' || ctid || ' ' || xmin as version from ledger order by account_id, day`,
  )
  return rows.map(({ version }) => version)
}

test('a round without new counts writes nothing; new counts change the row of their account and day only', async () => {
  for (const accountId of [1, 2, 3]) await append(dayOf(now), accountId, 5, 4)
  await foldLedger(database)
  const folded = await versions()
  assert.equal(folded.length, 3)
  for (let round = 0; round < 3; round++) await foldLedger(database)
  assert.deepEqual(await versions(), folded)
  await append(dayOf(now), 2, 1, 1)
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

test('a year of balanced days is one row per account; a day with a gap stays, also one that appears later', async () => {
  for (let ago = 4; ago < 370; ago++) await append(dayOf(now, -ago), 1, 2, 2)
  await append(dayOf(now, -200), 2, 3, 2)
  await append(dayOf(now), 1, 1, 1)
  await foldLedger(database)
  await foldPastDays(database)
  const days = async (accountId: number): Promise<number> =>
    (await database.query('select from ledger where account_id = $1', [accountId])).rowCount!
  assert.deepEqual([await days(1), await days(2)], [2, 1])
  const [first] = await readLedger(database)
  assert.deepEqual([first!.accepted, first!.final], [733, 733])
  const gaps = async () => (await findGaps(database)).map(({ day, accountId, gap }) => [day, accountId, gap])
  assert.deepEqual(await gaps(), [[dayOf(now, -200), 2, 1]])
  await append(dayOf(now, -300), 1, 0, 1)
  await foldLedger(database)
  await foldPastDays(database)
  assert.deepEqual(await gaps(), [
    [dayOf(now, -300), 1, -1],
    [dayOf(now, -200), 2, 1],
  ])
})
