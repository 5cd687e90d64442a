/**
 * Checks the gate: a message lost in the intake queue is detected, per account; crashes, redeliveries, parked
 * and repeated messages raise no alarm.
 */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import {
  acceptedJob,
  acceptedJobs,
  createAccount,
  recordJobs,
  smsStep,
} from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { createAccept } from '../../pipeline/accept/accept.ts'
import { startIntake } from '../../pipeline/intake/intake.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import { lanes } from '../../channels/lane.ts'
import { retryParked } from '../../operations/parked/retry.ts'
import { ensureScheduledDay } from '../partitions.ts'
import { listParked, saveParked } from '../parked/queries.ts'
import { checkLedger, readCheck } from './check.ts'
import { foldLedger } from './fold.ts'
import { GateCounter } from './gate-counter.ts'
import { acknowledgeGateGaps, findGateGaps, GateHorizon } from './gate.ts'
import { readLedger } from './queries.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const [loser, neighbour] = [
  await createAccount(database, 'loser'),
  await createAccount(database, 'neighbour'),
]
/** Returns a time at which the minutes of all messages accepted until a minute from now are complete. */
const inTwoMinutes = (): Date => new Date(Date.now() + 120_000)
const fiveMinutesAgo = (): Date => new Date(Date.now() - 300_000)
const check = (recordedUntil: Date | null = fiveMinutesAgo()) =>
  checkLedger({ database, log: silentLog }, new Date(), { recordedUntil, intervalMs: 0 })

beforeEach(() => database.query('truncate ledger, ledger_checks, gate_counts, in_flight, parked'))

/** Returns the missing messages per account, of everything accepted until now. */
async function missing(): Promise<Record<number, number>> {
  const { gaps } = await findGateGaps(database, inTwoMinutes())
  const byAccount: Record<number, number> = {}
  for (const gap of gaps) byAccount[gap.accountId] = (byAccount[gap.accountId] ?? 0) + gap.missing
  return byAccount
}

/** Counts the jobs as confirmed, as the API process that accepted them does. */
async function confirm(counter: GateCounter, jobs: readonly AcceptedJob[]): Promise<void> {
  for (const { accountId, acceptedAt } of jobs) counter.confirmed(accountId, acceptedAt)
  await counter.flush(database)
}

test('messages deleted from the intake queue are detected once it is drained, per account', async () => {
  const gate = new GateCounter()
  const metrics = testMetrics()
  const accept = createAccept({
    publisher: broker.publisher,
    queues: topology.accepted,
    cell: '00',
    gate,
    metrics,
  })
  const send = async (id: number, count: number): Promise<void> => {
    const account = { id, lane: null } as Parameters<typeof accept>[0]
    for (let n = 0; n < count; n++) await accept(account, { to: '01012345678', steps: [smsStep] })
  }
  await send(loser, 3)
  await testBroker.drain(topology.accepted.normal, 3)
  await send(loser, 2)
  await send(neighbour, 4)
  await gate.flush(database)
  const horizon = new GateHorizon({ broker, topology }, 0)
  assert.equal(await horizon.read(), null, 'unknown while messages wait')
  const intake = startIntake({
    ...(await openTestPlacement(database)),
    broker,
    topology,
    database,
    metrics,
    log: silentLog,
    stepTtlSeconds: 60,
    retentionDays: 30,
    progress: horizon,
  })
  const recorded = async () => (await readLedger(database)).reduce((sum, { accepted }) => sum + accepted, 0)
  await waitFor('six messages to be recorded', async () => (await recorded()) === 6)
  await intake.stop()
  for (const round of ['appended', 'folded']) {
    assert.deepEqual(await missing(), { [loser]: 3 }, round)
    await foldLedger(database)
  }
  assert.ok((await horizon.read())!.getTime() > Date.now() - 5_000)
  // Let the minute be over, as it is at the next checks.
  await database.query(`update gate_counts set minute = minute - interval '10 minutes'`)
  await check()
  assert.equal((await readCheck(database))?.unrecorded, 3)
  const rows = await readLedger(database)
  assert.deepEqual(
    rows.map(({ accountId, gap, unrecorded }) => [accountId, gap, unrecorded]),
    [
      [loser, 0, 3],
      [neighbour, 0, 0],
    ],
  )
  // The operator has found the cause.
  assert.deepEqual(
    (await acknowledgeGateGaps(database)).gaps.map(({ accountId, missing }) => [accountId, missing]),
    [[loser, 3]],
  )
  assert.deepEqual(
    (await readLedger(database)).filter(({ unrecorded }) => unrecorded !== 0),
    [],
  )
  await check()
  assert.equal((await readCheck(database))?.unrecorded, 0)
  assert.equal((await acknowledgeGateGaps(database)).count, 0)
})

test('a process killed before it stored its counts raises no alarm and hides nothing', async () => {
  const gate = new GateCounter()
  const jobs = acceptedJobs(5, { accountId: loser, acceptedBy: gate.process })
  await confirm(gate, jobs.slice(0, 3))
  for (let nth = 0; nth < 3; nth++) await recordJobs(database, jobs.slice(0, 2))
  assert.deepEqual(await missing(), { [loser]: 1 }, 'a redelivery is not counted for another message')
  await recordJobs(database, jobs)
  assert.deepEqual(await missing(), {})
})

test('counts of two processes in one minute are separate, and repetition adds nothing', async () => {
  const [first, other] = [new GateCounter(), new GateCounter()]
  const jobs = acceptedJobs(2, { accountId: loser, acceptedBy: first.process })
  await confirm(first, jobs)
  await confirm(other, acceptedJobs(2, { accountId: loser }))
  await recordJobs(database, [...jobs, ...acceptedJobs(2, { accountId: loser, acceptedBy: first.process })])
  assert.deepEqual(await missing(), { [loser]: 2 }, 'more of one process do not cover less of the other')
  const lost = { query: () => Promise.reject(new Error('the response was lost')) }
  other.confirmed(neighbour, Date.now())
  await other.flush(database)
  other.confirmed(neighbour, Date.now())
  await assert.rejects(other.flush(lost as never))
  await other.flush(database)
  await other.flush(database)
  assert.deepEqual(await missing(), { [loser]: 2, [neighbour]: 2 })
})

test('a scheduled message is counted by its acceptance, not by the day of its key', async () => {
  const gate = new GateCounter()
  const sendAt = Date.now() + 9 * 86_400_000
  await ensureScheduledDay(database, new Date(sendAt), new Date())
  const job = { ...acceptedJob({ accountId: loser, acceptedBy: gate.process }), sendAt }
  const scheduled = { ...job, msgKey: acceptedJob({ acceptedAt: sendAt }).msgKey }
  await confirm(gate, [scheduled])
  assert.deepEqual(await missing(), { [loser]: 1 })
  await recordJobs(database, [scheduled])
  await foldLedger(database)
  assert.deepEqual(await missing(), {})
})

test('a parked message is counted once, even if it is retried and parked again', async () => {
  const gate = new GateCounter()
  const [job, other] = acceptedJobs(2, { accountId: loser, acceptedBy: gate.process })
  await confirm(gate, [job!, other!])
  const parked = { stage: 'intake' as const, msgKey: job!.msgKey, reason: 'error', payload: payloadOf(job!) }
  await saveParked(database, [parked])
  await saveParked(database, [parked])
  assert.deepEqual(await missing(), { [loser]: 1 })
  const [row] = await listParked(database, 0, 1)
  assert.equal(await retryParked({ database, publisher: broker.publisher, topology }, row!), 'retried')
  const [retried] = await testBroker.drain(topology.accepted.normal, 1)
  await recordJobs(database, [retried as AcceptedJob])
  assert.deepEqual(await missing(), { [loser]: 1 })
})

test('a send repeated under its key after a lost response raises no alarm', async () => {
  const [first, second] = [new GateCounter(), new GateCounter()]
  const job = acceptedJob({ accountId: loser, acceptedBy: first.process })
  const again = { ...job, acceptedAt: job.acceptedAt + 700, acceptedBy: second.process }
  await confirm(second, [again])
  await recordJobs(database, [job])
  assert.deepEqual(await missing(), { [loser]: 1 })
  await recordJobs(database, [again])
  assert.deepEqual(await missing(), {})
})

test('both copies of a repeated send in one batch count; a redelivery does not', async () => {
  const [first, second] = [new GateCounter(), new GateCounter()]
  const job = acceptedJob({ accountId: loser, acceptedBy: first.process })
  const again = { ...job, acceptedAt: job.acceptedAt + 700, acceptedBy: second.process }
  const lost = acceptedJob({ accountId: neighbour, acceptedBy: first.process })
  await confirm(first, [job, lost])
  await confirm(second, [again])
  await recordJobs(database, [job, again, job])
  assert.deepEqual(await missing(), { [neighbour]: 1 })
  // The first copy of this message was recorded earlier.
  const known = acceptedJob({ accountId: loser, acceptedBy: first.process })
  const repeats = [200, 700].map((ms) => ({ ...known, acceptedAt: known.acceptedAt + ms }))
  await confirm(first, [known, ...repeats])
  await recordJobs(database, [known])
  assert.deepEqual(await missing(), { [loser]: 2, [neighbour]: 1 })
  await recordJobs(database, [...repeats, known])
  assert.deepEqual(await missing(), { [neighbour]: 1 })
})

test('a corrected PostgreSQL clock counts no waiting message as lost, and checks continue', async () => {
  const gate = new GateCounter()
  const [waiting, lost] = [loser, neighbour].map((accountId) =>
    acceptedJob({ accountId, acceptedBy: gate.process }),
  )
  await confirm(gate, [waiting!, lost!])
  await database.query(
    `update gate_counts set minute = minute - interval '10 minutes' where account_id = $1`,
    [neighbour],
  )
  const ahead = Date.now() + 3_600_000
  await checkLedger({ database, log: silentLog }, new Date(ahead))
  assert.deepEqual(await readLedger(database), [], 'nothing is reported before the first check of the gate')
  await database.query('update ledger_checks set gate_until = $1', [new Date(ahead)])
  assert.deepEqual(
    (await readLedger(database)).map(({ accountId, unrecorded }) => [accountId, unrecorded]),
    [[neighbour, 1]],
  )
  assert.notEqual(await checkLedger({ database, log: silentLog }, new Date()), null, 'it is due')
  assert.equal(await checkLedger({ database, log: silentLog }, new Date()), null)
  await check()
  assert.equal((await readCheck(database))?.unrecorded, 1)

  let depth = 1
  const horizon = new GateHorizon({ broker: { depth: () => Promise.resolve(depth) }, topology }, 0)
  const reach = (acceptedAt: number) => {
    for (const lane of lanes) horizon.countRecorded(lane, [{ acceptedAt }])
  }
  reach(ahead)
  assert.equal(await horizon.read(), null)
  const reached = Date.now() - 1_000
  reach(reached)
  assert.equal((await horizon.read())?.getTime(), reached)
  reach(ahead)
  depth = 0
  // Not exactly an hour ahead: the clock that follows PostgreSQL's can differ by milliseconds.
  assert.ok((await horizon.read())!.getTime() < Date.now() + 1_000)
})

function payloadOf(job: AcceptedJob): Buffer {
  return Buffer.from(JSON.stringify(job))
}
