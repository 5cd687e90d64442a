import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, createAccount, recordJobs } from '../../../test/support/fixtures.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { clock } from '../../platform/time/clock.ts'
import { checkLedger, readCheck } from './check.ts'
import { foldLedger } from './fold.ts'
import { GateCounter } from './gate-counter.ts'
import { ensureDay } from '../partitions.ts'
import { acknowledgeGateGaps, findGateGaps, removeBalanced } from './gate.ts'

const { database } = await createTestDatabase()
const [loser, neighbour] = [
  await createAccount(database, 'loser'),
  await createAccount(database, 'neighbour'),
]
const unavailable = { query: () => Promise.reject(new Error('PostgreSQL is unavailable')) } as never

beforeEach(() => database.query('truncate ledger, ledger_checks, gate_counts, in_flight'))

const minutesAgo = (minutes: number): number => Date.now() - minutes * 60_000

const findAll = () => findGateGaps(database, new Date(Date.now() + 60_000))
const check = () =>
  checkLedger({ database, log: silentLog }, new Date(), {
    recordedUntil: new Date(minutesAgo(5)),
    intervalMs: 0,
  })

const countRows = async (): Promise<number> => (await database.query('select from gate_counts')).rowCount!

test('a loss is detected after an outage longer than the reserve, for its account only', async () => {
  const gate = new GateCounter()
  const acceptedAt = minutesAgo(25 * 60)
  // In the first hour of a day this is two days ago, and a new database has no partition for that day.
  await ensureDay(database, new Date(acceptedAt))
  const [lost, recorded] = [loser, neighbour].map((accountId) =>
    acceptedJob({ accountId, acceptedBy: gate.process, acceptedAt }),
  )
  for (const { accountId } of [lost!, recorded!]) gate.confirmed(accountId, acceptedAt)
  await assert.rejects(gate.flush(unavailable))
  // After the recovery intake can record before the API process stores its counts, and the counts are cleaned
  // up.
  await recordJobs(database, [recorded!])
  await foldLedger(database)
  await removeBalanced(database, 30)
  await gate.flush(database)
  const { gaps } = await findAll()
  assert.deepEqual(
    gaps.map(({ accountId, missing }) => [accountId, missing]),
    [[loser, 1]],
  )
  assert.equal(gate.takeUncounted(), 0)
})

test('only counts that are not stored stay in memory, and a flush stays cheap', async () => {
  const gate = new GateCounter()
  const accounts = 2_000
  for (let minute = 5; minute < 25; minute++)
    for (let id = 0; id < accounts; id++) gate.confirmed(id, minutesAgo(minute))
  await assert.rejects(gate.flush(unavailable))
  assert.equal(gate.size, 20 * accounts)
  gate.confirmed(loser, Date.now())
  await gate.flush(database)
  assert.equal(gate.size, 1, 'only that of this minute may change')
  assert.equal((await findAll()).missing, 20 * accounts + 1)
})

test('messages beyond the limit are reported, and counts that are too old are forgotten', async () => {
  const gate = new GateCounter('small', 3)
  for (const id of [1, 2, 3, 4, 5, 1]) gate.confirmed(id, Date.now())
  assert.equal(gate.takeUncounted(), 2)
  await gate.flush(database)
  assert.deepEqual([(await findAll()).missing, gate.takeUncounted()], [4, 0])
  const old = new GateCounter()
  for (const hours of [49, 49, 47]) old.confirmed(loser, minutesAgo(hours * 60))
  await old.flush(database)
  assert.deepEqual([old.size, (await findAll()).missing], [0, 5])
})

test('gaps beyond the listed ones are counted and acknowledged', async () => {
  await database.query(
    `insert into gate_counts select date_trunc('minute', now()) - interval '20 minutes', 'api', n, 3, 1
       from generate_series(1, 1500) n`,
  )
  await check()
  assert.equal((await readCheck(database))?.unrecorded, 3_000)
  const { gaps, count, missing } = await acknowledgeGateGaps(database)
  assert.deepEqual([gaps.length, count, missing], [1_000, 1_500, 3_000])
  await check()
  assert.equal((await readCheck(database))?.unrecorded, 0)
})

test('complete counts are removed after minutes, open ones later, and a loss after the retention', async (t) => {
  const { maxSkewMs } = clock
  t.after(() => (clock.maxSkewMs = maxSkewMs))
  const [gate, silent] = [new GateCounter(), new GateCounter()]
  const job = (accountId: number, counter: GateCounter) =>
    acceptedJob({ accountId, acceptedBy: counter.process, acceptedAt: minutesAgo(14) })
  const [complete, lost, open] = [job(loser, gate), job(neighbour, gate), job(loser, silent)]
  for (const { accountId, acceptedAt } of [complete, lost]) gate.confirmed(accountId, acceptedAt)
  silent.confirmed(loser, open.acceptedAt)
  await Promise.all([gate.flush(database), silent.flush(database)])
  await recordJobs(database, [complete, open])
  await foldLedger(database)
  await removeBalanced(database, 30)
  assert.equal(await countRows(), 3)
  gate.confirmed(loser, Date.now())
  await gate.flush(database)
  await removeBalanced(database, 30)
  assert.equal(await countRows(), 3, 'the loss, the count of now, and that of the other process')
  await database.query(`update gate_counts set minute = minute - interval '31 days'`)
  clock.maxSkewMs = -1
  await removeBalanced(database, 30)
  assert.equal(await countRows(), 2, 'while the clocks disagree the trace of a loss is kept')
  clock.maxSkewMs = maxSkewMs
  await removeBalanced(database, 30)
  assert.equal(await countRows(), 0)
})
