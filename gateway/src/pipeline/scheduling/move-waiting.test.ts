import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, recordJobs, routeJob } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { testRoute } from '../../../test/support/routes.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import type { Router } from '../../carriers/routes/router.ts'
import { MovePass, moveWaiting } from './move-waiting.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const queue = topology.getQueue('other')
await broker.declare([queue])
const placing = await openTestPlacement(database)
const movable = new Set<string>()
const router: Pick<Router, 'choose'> = {
  choose: ({ msgKey }) =>
    movable.has(msgKey)
      ? { route: { ...testRoute('other'), routeId: 'other' }, reason: 'the only one' }
      : null,
}
const context = {
  ...placing,
  router: router as Router,
  database,
  topology,
  publisher: broker.publisher,
  metrics: testMetrics(),
  log: silentLog,
  routeId: 'disabled',
}

beforeEach(() => database.query('truncate waiting, in_flight'))

/** Creates steps that wait for the disabled route: the oldest first, or all since the same time if `stepMs` is 0. */
async function hold(accountId: number, count: number, stepMs: number): Promise<RouteJob[]> {
  const accepted = acceptedJobs(count, { accountId })
  await recordJobs(database, accepted)
  const jobs = accepted.map((job) => routeJob(job))
  const row = { routeId: 'disabled', lane: 'normal', parts: 1, tries: 0, reason: 'backlog' } as const
  const since = Date.now() - 100_000
  await holdSteps(
    database,
    jobs.map((job, index) => ({ ...job, ...row, releaseAt: new Date(since + index * stepMs) })),
  )
  return jobs
}

async function released(count: number): Promise<Set<string>> {
  const jobs = (await testBroker.drain(queue, count)) as RouteJob[]
  return new Set(jobs.map(({ msgKey }) => msgKey))
}

test('a step behind 1,000 steps that no other route serves is moved', async () => {
  const jobs = await hold(1, 1_001, 1)
  movable.add(jobs.at(-1)!.msgKey)
  assert.deepEqual(await moveWaiting(context, new MovePass()), { moved: 1, complete: true })
  assert.deepEqual(await released(1), new Set([jobs.at(-1)!.msgKey]))
})

for (const [stepMs, when] of [
  [1, 'one after the other'],
  [0, 'all at the same time'],
] as const) {
  test(`steps due ${when}: rounds continue until the movable step of every account is moved`, async () => {
    for (const account of [1, 2, 3]) await hold(account, 7, stepMs)
    const last = await lastOfEachAccount()
    for (const key of last) movable.add(key)
    const pass = new MovePass(2)
    let moved = 0
    let rounds = 0
    for (let complete = false; !complete; rounds++) {
      const result = await moveWaiting(context, pass)
      moved += result.moved
      complete = result.complete
      assert.ok(rounds < 10, 'a pass ends')
    }
    assert.ok(rounds > 1, 'one round is bounded')
    assert.equal(moved, 3)
    assert.deepEqual(await released(3), new Set(last))
  })
}

async function lastOfEachAccount(): Promise<string[]> {
  const { rows } = await database.query<{ key: string }>(
    `select distinct on (account_id) msg_key as key from waiting
      order by account_id, release_at desc, msg_key desc`,
  )
  return rows.map(({ key }) => key)
}

test('accounts beyond the size of a page are reached', async () => {
  const keys: string[] = []
  for (const account of [1, 2, 3, 4, 5]) keys.push((await hold(account, 1, 1))[0]!.msgKey)
  movable.add(keys.at(-1)!)
  const pass = new MovePass(2)
  assert.deepEqual(await moveWaiting(context, pass), { moved: 0, complete: false })
  assert.deepEqual(await moveWaiting(context, pass), { moved: 1, complete: true })
  assert.deepEqual(await released(1), new Set([keys.at(-1)!]))
})

test('a restarted pass reads the oldest steps again', async () => {
  const [oldest] = await hold(1, 20, 1)
  const pass = new MovePass(2)
  assert.deepEqual(await moveWaiting(context, pass), { moved: 0, complete: false })
  movable.add(oldest!.msgKey)
  pass.restart()
  assert.equal((await moveWaiting(context, pass)).moved, 1)
  await released(1)
})

test('the call after the end of a pass reads the oldest steps again', async () => {
  const [oldest] = await hold(1, 3, 1)
  const pass = new MovePass()
  assert.deepEqual(await moveWaiting(context, pass), { moved: 0, complete: true })
  movable.add(oldest!.msgKey)
  assert.deepEqual(await moveWaiting(context, pass), { moved: 1, complete: true })
  await released(1)
})

test('a step whose other route is disabled before it is moved keeps waiting', async () => {
  const [job] = await hold(1, 1, 0)
  const choices = [{ route: { ...testRoute('other'), routeId: 'other' }, reason: 'the only one' }, null]
  const changing: Pick<Router, 'choose'> = { choose: () => choices.shift() ?? null }
  await moveWaiting({ ...context, router: changing as Router })
  const { rows } = await database.query('select msg_key, route_id from waiting')
  assert.deepEqual(rows, [{ msg_key: job!.msgKey, route_id: 'disabled' }])
  assert.equal(await broker.depth(topology.verdicts), 0)
})
