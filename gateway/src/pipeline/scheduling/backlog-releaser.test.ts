import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, inAnHour, longStep } from '../../../test/support/fixtures.ts'
import { waitsForLock } from '../../../test/support/engines/lock-wait.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { AcceptedJob, RouteJob, VerdictJob } from '../../jobs/jobs.ts'
import type { Lane } from '../../channels/lane.ts'
import { recordMessages } from '../../records/messages/record.ts'
import { suspendSteps } from '../../records/waiting/suspended.ts'
import type { HeldStep } from '../../records/waiting/waiting-step.ts'
import { holdSteps, removeEndingSoon } from '../../records/waiting/write-waiting.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import { clock } from '../../platform/time/clock.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { listShareIds } from '../../carriers/routes/shares.ts'
import { BacklogReleaser, type BacklogReleaserContext } from './backlog-releaser.ts'

const { database, url } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const { schedulingSettings } = await openTestPlacement(database)
const routeId = 'north'
const queue = topology.getQueue(routeId)
await broker.declare([queue])

beforeEach(() => database.query('truncate waiting, in_flight'))

interface Held {
  readonly count: number
  readonly accountId: number
  readonly lane?: Lane
  readonly parts?: number
  readonly releaseAt?: Date
}

async function hold({
  count,
  accountId,
  lane = 'normal',
  parts = 1,
  releaseAt,
}: Held): Promise<AcceptedJob[]> {
  const jobs = acceptedJobs(count, { accountId, ...(parts > 1 ? { steps: [longStep] } : {}) })
  const held = jobs.map((job, n): [string, HeldStep] => [
    job.msgKey,
    {
      msgKey: job.msgKey,
      step: 1,
      try: 1,
      accountId,
      routeId,
      lane,
      parts,
      tries: 0,
      releaseAt: releaseAt ?? new Date(Date.now() - 60_000 + n),
      reason: 'backlog',
    },
  ])
  await recordMessages(database, jobs, inAnHour, new Map(held))
  return jobs
}

function createReleaser(capacity: number, overrides: Partial<BacklogReleaserContext> = {}): BacklogReleaser {
  return new BacklogReleaser({
    database,
    publisher: broker.publisher,
    topology,
    routeId,
    schedulingSettings,
    getBlock: () => undefined,
    metrics: testMetrics(),
    log: silentLog,
    freeCapacity: () => capacity,
    checkRules: () => null,
    ...overrides,
  })
}

const waiting = async (): Promise<number> =>
  (await database.query<{ n: number }>('select count(*)::int as n from waiting')).rows[0]!.n

// Must precede the first test: on a slow machine the runner would otherwise treat the earlier tests as all, and close the database.
await broker.declare(topology.dispatch)

test('an account with a thousand messages and one with two are served in the same round', async () => {
  await hold({ count: 1_000, accountId: 1 })
  const few = await hold({ count: 2, accountId: 2 })
  assert.equal(await createReleaser(20).round(), 20)
  const jobs = (await testBroker.drain(queue, 20)) as RouteJob[]
  for (const { msgKey } of few) assert.ok(jobs.some((job) => job.msgKey === msgKey))
  assert.equal(await waiting(), 982)
})

test('unused capacity goes to other accounts in the same round', async () => {
  await hold({ count: 500, accountId: 1 })
  for (let accountId = 2; accountId <= 10; accountId++) await hold({ count: 1, accountId })
  assert.equal(await createReleaser(100).round(), 100)
  await testBroker.drain(queue, 100)
})

test('an account is served in the order in which its messages were accepted', async () => {
  const jobs = await hold({ count: 30, accountId: 1 })
  await createReleaser(10).round()
  const released = (await testBroker.drain(queue, 10)) as RouteJob[]
  assert.deepEqual(
    released.map(({ msgKey }) => msgKey).sort(),
    jobs
      .slice(0, 10)
      .map(({ msgKey }) => msgKey)
      .sort(),
  )
})

test('steps that would expire in the queue are not released', async () => {
  const ending = await hold({ count: 300, accountId: 1 })
  await database.query("update in_flight set due_at = now() + interval '2 seconds'")
  const live = await hold({ count: 30, accountId: 1, releaseAt: new Date() })
  assert.equal(await createReleaser(20, { minWaits: () => () => 3_000 }).round(), 20)
  const jobs = (await testBroker.drain(queue, 20)) as RouteJob[]
  const sent = new Set(jobs.map(({ msgKey }) => msgKey))
  assert.equal(live.filter(({ msgKey }) => sent.has(msgKey)).length, 20)
  assert.equal(await waiting(), 10)
  const open = await database.query('select from in_flight where msg_key = any($1)', [
    ending.map(({ msgKey }) => msgKey),
  ])
  assert.equal(open.rowCount, 300, 'they end at their deadline')
})

test('steps expire by the queue wait of their own account', async () => {
  await hold({ count: 30, accountId: 1 })
  const few = await hold({ count: 5, accountId: 2 })
  await database.query("update in_flight set due_at = now() + interval '20 seconds'")
  const minWaits = () => (accountId: number) => (accountId === 1 ? 30_000 : 200)
  assert.equal(await createReleaser(20, { minWaits }).round(), 5)
  const jobs = (await testBroker.drain(queue, 5)) as RouteJob[]
  assert.deepEqual(jobs.map(({ msgKey }) => msgKey).sort(), few.map(({ msgKey }) => msgKey).sort())
  assert.equal(await waiting(), 0)
})

test('no step is dropped while the clocks disagree', async (t) => {
  await hold({ count: 30, accountId: 1 })
  await database.query("update in_flight set due_at = now() + interval '2 seconds'")
  const { maxSkewMs } = clock
  t.after(() => (clock.maxSkewMs = maxSkewMs))
  clock.maxSkewMs = -1
  assert.equal(await createReleaser(20, { minWaits: () => () => 3_000 }).round(), 20)
  await testBroker.drain(queue, 20)
  assert.equal(await waiting(), 10)
})

test('a suspended step stays while expiring ones are removed', async (t) => {
  const [job] = await hold({ count: 1, accountId: 1 })
  const operator = await database.connect()
  t.after(() => operator.release())
  await operator.query('begin')
  await suspendSteps(operator, [job!.msgKey], 'sender-number-registered')
  const endedBy = new Map([[1, inAnHour()]])
  const removed = removeEndingSoon(database, routeId, 'normal', endedBy, { now: new Date(), perAccount: 10 })
  await waitFor('the wait for the row', () => waitsForLock(database, 'delete from waiting d'))
  await operator.query('commit')
  assert.equal(await removed, 0)
  assert.equal(await waiting(), 1)
})

test('steps in transit count against the capacity', async () => {
  await hold({ count: 100, accountId: 1 })
  const releaser = createReleaser(10)
  assert.equal(await releaser.round(), 10)
  assert.equal(await releaser.round(), 0)
  const jobs = (await testBroker.drain(queue, 10)) as RouteJob[]
  for (const job of jobs) releaser.recordArrival(job)
  assert.equal(await releaser.round(), 10)
  await testBroker.drain(queue, 10)
})

test('each lane has its own capacity', async () => {
  await hold({ count: 50, accountId: 1 })
  await hold({ count: 5, accountId: 1, lane: 'urgent' })
  const releaser = createReleaser(5)
  assert.equal(await releaser.round(), 10)
  assert.deepEqual([releaser.hasBacklog('normal'), releaser.hasBacklog('bulk')], [true, false])
  const jobs = (await testBroker.drain(queue, 10)) as RouteJob[]
  assert.equal(jobs.filter((job) => job.lane === 'urgent').length, 5)
  assert.ok(jobs.every((job) => job.routeId === routeId))
})

test('a step that is not due keeps waiting', async () => {
  await hold({ count: 3, accountId: 1, releaseAt: new Date(Date.now() + 60_000) })
  const releaser = createReleaser(10)
  assert.equal(await releaser.round(), 0)
  assert.equal(releaser.hasBacklog('normal'), false)
})

test('fair shares are counted in parts', async () => {
  await hold({ count: 50, accountId: 1, parts: 2 })
  await hold({ count: 50, accountId: 2 })
  await createReleaser(20).round()
  const jobs = (await testBroker.drain(queue, 15)) as RouteJob[]
  assert.deepEqual(
    [1, 2].map((id) => jobs.filter(({ accountId }) => accountId === id).length),
    [5, 10],
  )
})

test('a broker that does not confirm leaves every step where it was', async () => {
  await hold({ count: 10, accountId: 1 })
  const missing = { ...topology, getQueue: () => testBroker.name('undeclared') }
  await assert.rejects(createReleaser(10, { topology: missing }).round())
  assert.equal(await waiting(), 10)
  assert.equal(await createReleaser(10).round(), 10)
  await testBroker.drain(queue, 10)
})

test('a step whose message has moved on is removed and not released', async () => {
  const [ended, current] = await hold({ count: 2, accountId: 1 })
  await database.query('delete from in_flight where msg_key = $1', [ended!.msgKey])
  await createReleaser(10).round()
  const jobs = (await testBroker.drain(queue, 1)) as RouteJob[]
  assert.deepEqual(
    jobs.map(({ msgKey }) => msgKey),
    [current!.msgKey],
  )
  assert.equal(await waiting(), 0)
})

test('a step that its route returns while its release is being confirmed keeps waiting', async () => {
  const [job] = await hold({ count: 1, accountId: 1 })
  const later = new Date(Date.now() + 60_000)
  const publisher = {
    canPublish: true,
    accepts: () => true,
    // The owner receives the job immediately and holds the step for a later try.
    async send() {
      const { msgKey } = job!
      await holdSteps(database, [
        {
          msgKey,
          step: 1,
          try: 1,
          accountId: 1,
          routeId: '',
          lane: 'normal',
          parts: 1,
          tries: 4,
          releaseAt: later,
          reason: 'retry',
        },
      ])
    },
  } as Pick<GroupPublisher, 'canPublish' | 'accepts' | 'send'> as GroupPublisher
  assert.equal(await createReleaser(10, { publisher }).round(), 1)
  assert.equal(await waiting(), 1)
})

const [, ...siblingIds] = listShareIds([{ id: routeId, owners: 16 }])
/** Creates siblings with this capacity each, in parts; `reserved` is the part of it that was taken. */
function createSiblings(capacity: number) {
  const left = new Map(siblingIds.map((id) => [id, capacity]))
  const siblings: NonNullable<BacklogReleaserContext['siblings']> = {
    ids: siblingIds,
    states: {
      reserveCapacity(id, _lane, parts) {
        if (left.get(id)! < parts) return false
        left.set(id, left.get(id)! - parts)
        return true
      },
    },
  }
  return {
    siblings,
    get reserved() {
      return siblingIds.length * capacity - [...left.values()].reduce((sum, parts) => sum + parts, 0)
    },
  }
}

test('one step that waits costs a few statements and one part of the capacity of one sibling', async () => {
  const statements: string[] = []
  const pool = openDatabase(url, silentLog, { connections: 1, onStatement: (name) => statements.push(name) })
  addCleanup(() => pool.end())
  const [job] = await hold({ count: 1, accountId: 1 })
  const taken = createSiblings(2_000)
  const releaser = createReleaser(0, { database: pool, siblings: taken.siblings })
  releaser.backlog = new Set(['normal'] as const)
  assert.equal(await releaser.round(), 1)
  const [released] = (await testBroker.drain(topology.getQueue(siblingIds[0]!), 1)) as RouteJob[]
  assert.deepEqual([released!.msgKey, released!.routeId], [job!.msgKey, siblingIds[0]])
  assert.equal(taken.reserved, 1)
  assert.ok(statements.length <= 6, statements.join())
})

test('a backlog goes to all siblings as far as they have capacity', async () => {
  await hold({ count: 200, accountId: 1 })
  const taken = createSiblings(12)
  const publisher = { accepts: () => true, send: () => Promise.resolve() } as Pick<
    GroupPublisher,
    'accepts' | 'send'
  > as GroupPublisher
  const released = await createReleaser(0, { publisher, siblings: taken.siblings }).round()
  assert.ok(released > 160 && released <= 15 * 12, `${released} released`)
  assert.equal(taken.reserved, released)
  assert.equal(await waiting(), 200 - released)
})

test('steps that a share cannot send in time go to siblings with capacity', async () => {
  await hold({ count: 20, accountId: 1 })
  await database.query("update in_flight set due_at = now() + interval '20 seconds'")
  const { siblings } = createSiblings(100)
  const to = siblingIds[0]!
  const overrides = { minWaits: () => () => 30_000, siblings: { ...siblings, ids: [to] } }
  assert.equal(await createReleaser(100, overrides).round(), 20)
  const jobs = (await testBroker.drain(topology.getQueue(to), 20)) as RouteJob[]
  assert.ok(jobs.every((job) => job.routeId === to))
})

test('siblings release steps of a share whose queue does not confirm', async () => {
  await hold({ count: 3, accountId: 1 })
  const to = siblingIds.find((id) => topology.getQueue(id).name !== queue.name)!
  const overrides = { accepts: ({ name }: { name: string }) => name !== queue.name }
  const publisher = Object.assign(Object.create(broker.publisher) as GroupPublisher, overrides, {
    send: (...sent: Parameters<GroupPublisher['send']>) => broker.publisher.send(...sent),
  })
  const { siblings } = createSiblings(100)
  const releaser = createReleaser(100, { publisher, siblings: { ...siblings, ids: [to] } })
  assert.equal(await releaser.round(), 3)
  await testBroker.drain(topology.getQueue(to), 3)
  assert.equal(await waiting(), 0)
})

interface WaitingRule {
  readonly route_id: string
  readonly reason: string
  readonly rule: string | null
  readonly release_at: Date
}

test('a held step waits with the name of its rule; a failed one ends', async () => {
  await broker.declare([topology.verdicts])
  const [later, ended, free] = [1, 2, 3].map((accountId) => hold({ count: 1, accountId }))
  await Promise.all([later, ended, free])
  const until = Date.now() + 3_600_000
  const releaser = createReleaser(10, {
    checkRules({ accountId }) {
      if (accountId === 1) return { verdict: 'hold', rule: 'sender-number-registered', until }
      const cause = 'unregistered-sender'
      return accountId === 2
        ? { verdict: 'fail', rule: 'sender-number-registered', cause, text: 'blocked' }
        : null
    },
  })
  await releaser.round()
  const [released] = (await testBroker.drain(queue, 1)) as RouteJob[]
  assert.equal(released!.accountId, 3)
  const [verdict] = (await testBroker.drain(topology.verdicts, 1)) as VerdictJob[]
  assert.deepEqual([verdict!.msgKey, verdict!.cause], [(await ended)![0]!.msgKey, 'unregistered-sender'])
  const { rows } = await database.query<WaitingRule>('select route_id, reason, rule, release_at from waiting')
  assert.deepEqual(rows, [
    { route_id: '', reason: 'rule', rule: 'sender-number-registered', release_at: new Date(until) },
  ])
})
