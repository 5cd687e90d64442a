import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendThroughQueue } from '../../../../test/support/pipeline/settle.ts'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { acceptedJobs, longStep, recordJobs, routeJob, smsStep } from '../../../../test/support/fixtures.ts'
import { waitsForLock } from '../../../../test/support/engines/lock-wait.ts'
import { openTestPlacement, type TestPlacement } from '../../../../test/support/pipeline/placing.ts'
import { joinMembers } from '../../../../test/support/membership.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { testRoute } from '../../../../test/support/routes.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { Step } from '../../../channels/channel.ts'
import { lanes } from '../../../channels/lane.ts'
import { canonicalId } from '../../../carriers/connectors/carrier-id.ts'
import type { RouteJob, VerdictJob } from '../../../jobs/jobs.ts'
import { claimSteps, createClaim } from '../../../records/messages/claim.ts'
import { deleteRoute, setRouteEnabled, upsertRoute } from '../../../carriers/routes/queries.ts'
import type { Route } from '../../../carriers/routes/route.ts'
import type { Membership } from '../../../platform/membership/membership.ts'
import type { Policy } from '../../../trust/policy.ts'
import { createOutbox } from '../../scheduling/outbox.ts'
import { createAttemptWriter } from '../runner/attempt-writer.ts'
import { startDispatch, type Dispatch } from '../dispatch.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const metrics = testMetrics()
const within = { timeoutMs: 8_000 }
let accounts = 100
await broker.declare(topology.dispatch)

interface Worker extends TestPlacement {
  readonly dispatch: Dispatch
  readonly membership: Membership
}

async function startWorker(policy: Partial<Policy> = {}): Promise<Worker> {
  const opened = await openTestPlacement(database)
  const placing = { ...opened, policy: { ...opened.policy, ...policy } }
  const membership = joinMembers(database)
  const dispatch = startDispatch(placing.routes, {
    ...placing,
    broker: await testBroker.open(),
    topology,
    database,
    metrics,
    log: silentLog,
    attemptWriter: createAttemptWriter(database, metrics, silentLog),
    membership,
    sendToSettle: sendThroughQueue(broker.publisher, topology),
    onReceipt: () => Promise.resolve(),
  })
  addCleanup(() => dispatch.stop())
  return { ...placing, dispatch, membership }
}

/** Adds a route that serves one account and accepts every submission. */
async function addRoute(id: string, account: number, overrides: Partial<Route> = {}): Promise<void> {
  const defaults = { protocol: 'sandbox', options: {}, accounts: [account] }
  await upsertRoute(database, testRoute(id, { ...defaults, ...overrides }))
}

/** Records messages, and releases their first steps to the route. */
async function release(
  routeId: string,
  accountId: number,
  count: number,
  steps: readonly Step[] = [smsStep],
): Promise<RouteJob[]> {
  const accepted = acceptedJobs(count, { accountId, steps: [...steps] })
  await recordJobs(database, accepted)
  const jobs = accepted.map((job, index) => routeJob(job, { routeId, lane: lanes[index % lanes.length]! }))
  const queue = topology.getQueue(routeId)
  await Promise.all(jobs.map((job) => broker.publisher.send(queue, JSON.stringify(job))))
  return jobs
}

interface Progress {
  /** Attempts by route. */
  readonly attempts: Record<string, number>
  readonly messages: number
  /** Waiting steps by route. */
  readonly waiting: Record<string, number>
}

async function readProgress(jobs: readonly RouteJob[]): Promise<Progress> {
  const keys = jobs.map(({ msgKey }) => msgKey)
  const count = async (table: string): Promise<Record<string, number>> => {
    const { rows } = await database.query<{ id: string; n: number }>(
      `select route_id as id, count(*) as n from ${table} where msg_key = any($1) group by 1`,
      [keys],
    )
    return Object.fromEntries(rows.map(({ id, n }) => [id, n]))
  }
  const { rows } = await database.query<{ n: number }>(
    'select count(distinct msg_key) as n from attempts where msg_key = any($1)',
    [keys],
  )
  return { attempts: await count('attempts'), messages: rows[0]!.n, waiting: await count('waiting') }
}

const readDepth = (routeId: string): Promise<number> => broker.depth(topology.getQueue(routeId))

async function sentBy(routeId: string, jobs: readonly RouteJob[]): Promise<void> {
  await waitFor(
    `${jobs.length} steps to be sent by ${routeId}`,
    async () => (await readProgress(jobs)).messages === jobs.length,
    within,
  )
  const expected = { attempts: { [routeId]: jobs.length }, messages: jobs.length, waiting: {} }
  assert.deepEqual(await readProgress(jobs), expected, 'each once, by the other route')
}

/** Stops the workers, even while they move steps, and releases the partitions that they own. */
async function stopAll(...workers: readonly Worker[]): Promise<void> {
  await Promise.all(
    workers.map(async ({ dispatch, membership }) => {
      await dispatch.stop()
      await membership.leave()
    }),
  )
}

test('100 steps of a disabled route are sent once by another within seconds', async () => {
  const account = accounts++
  await addRoute('old-1', account, { enabled: false })
  await addRoute('new-1', account, { priority: 200 })
  const jobs = await release('old-1', account, 100)
  const workers = [await startWorker(), await startWorker()]
  await sentBy('new-1', jobs)
  assert.equal(await readDepth('old-1'), 0)
  // A process that has not read the change yet releases more.
  await sentBy('new-1', await release('old-1', account, 5))
  await stopAll(...workers)
})

test('a last step of a deleted route waits; one with a successor fails immediately', async () => {
  const [last] = await release('gone-14', accounts++, 1)
  const [first] = await release('gone-14', accounts++, 1, [smsStep, smsStep])
  const worker = await startWorker({ getReplacementTime: () => Date.now() + 60_000 })
  const [verdict] = (await testBroker.drain(topology.verdicts, 1)) as VerdictJob[]
  assert.deepEqual([verdict!.msgKey, verdict!.cause], [first!.msgKey, 'no-route'])
  await waitFor('the last step to wait', async () => (await readProgress([last!])).waiting[''] === 1, within)
  assert.deepEqual((await readProgress([first!])).waiting, {})
  await stopAll(worker)
})

test('the next process moves the remaining steps when one is stopped', async () => {
  const account = accounts++
  await addRoute('old-2', account, { enabled: false })
  await addRoute('new-2', account, { priority: 200 })
  const jobs = await release('old-2', account, 300)
  const first = await startWorker()
  await waitFor('the first step', async () => (await readProgress(jobs)).messages > 0)
  await stopAll(first)
  const second = await startWorker()
  await sentBy('new-2', jobs)
  await stopAll(second)
})

test('steps of a deleted route are sent by another route', async () => {
  const account = accounts++
  await addRoute('old-3', account)
  await addRoute('new-3', account, { priority: 200 })
  const jobs = await release('old-3', account, 100)
  assert.equal(await deleteRoute(database, 'old-3'), true)
  const worker = await startWorker()
  await sentBy('new-3', jobs)
  await stopAll(worker)
})

test('steps held by a disabled unlinked route are sent by another route', async () => {
  const account = accounts++
  const unlinked = { protocol: 'smpp', options: { host: '127.0.0.1', port: 1, systemId: 'a', password: 'b' } }
  await addRoute('old-10', account, { ...unlinked, failoverAfterSeconds: 600 })
  const worker = await startWorker()
  const jobs = await release('old-10', account, 50)
  await waitFor('the owner to hold them', async () => (await readDepth('old-10')) === 0)
  assert.equal((await readProgress(jobs)).messages, 0)
  await addRoute('new-10', account, { priority: 200 })
  await setRouteEnabled(database, 'old-10', false)
  await worker.routes.refresh()
  await sentBy('new-10', jobs)
  await stopAll(worker)
})

test('steps of a route that this process has not read yet wait for it', async () => {
  const account = accounts++
  const worker = await startWorker()
  await addRoute('late-11', account)
  const jobs = await release('late-11', account, 10)
  await waitFor('all to wait', async () => (await readProgress(jobs)).waiting['late-11'] === 10, within)
  await worker.routes.refresh()
  await sentBy('late-11', jobs)
  await stopAll(worker)
})

test('steps without another route wait until their disabled route is enabled', async () => {
  const account = accounts++
  await addRoute('only-4', account, { enabled: false })
  const jobs = await release('only-4', account, 100)
  const worker = await startWorker()
  const outbox = createOutbox({
    ...worker,
    database,
    topology,
    publisher: broker.publisher,
    stepTtlSeconds: 600,
    metrics,
    log: silentLog,
  })
  await waitFor('all to wait', async () => (await readProgress(jobs)).waiting['only-4'] === 100, within)
  // The sweep leaves them there.
  await outbox.releaseStranded()
  assert.deepEqual(await readProgress(jobs), { attempts: {}, messages: 0, waiting: { 'only-4': 100 } })
  await setRouteEnabled(database, 'only-4', true)
  await worker.routes.refresh()
  await sentBy('only-4', jobs)
  await stopAll(worker)
})

test('steps that wait for a disabled route take a route that is added later', async () => {
  const account = accounts++
  await addRoute('old-5', account, { enabled: false })
  const jobs = await release('old-5', account, 50)
  const worker = await startWorker()
  await waitFor('all to wait', async () => (await readProgress(jobs)).waiting['old-5'] === 50, within)
  await addRoute('new-5', account)
  await worker.routes.refresh()
  await sentBy('new-5', jobs)
  await stopAll(worker)
})

test('steps of a deleted route that no other route serves fail with no-route', async () => {
  const account = accounts++
  await addRoute('only-6', account)
  const jobs = await release('only-6', account, 20)
  await deleteRoute(database, 'only-6')
  const worker = await startWorker()
  const verdicts = (await testBroker.drain(topology.verdicts, 20)) as VerdictJob[]
  assert.deepEqual(
    verdicts.map(({ msgKey, cause }) => [msgKey, cause]).sort(),
    jobs.map(({ msgKey }) => [msgKey, 'no-route']).sort(),
  )
  await stopAll(worker)
})

test('a route enabled during the move gets or keeps every step once', async () => {
  const account = accounts++
  await addRoute('old-7', account, { enabled: false })
  await addRoute('new-7', account, { priority: 200 })
  const jobs = await release('old-7', account, 300)
  const workers = [await startWorker(), await startWorker()]
  await waitFor('the first step', async () => (await readProgress(jobs)).messages > 0)
  await setRouteEnabled(database, 'old-7', true)
  // One process reads the change later than the other.
  await workers[0]!.routes.refresh()
  await release('old-7', account, 1)
  await workers[1]!.routes.refresh()
  await waitFor('all to be sent', async () => (await readProgress(jobs)).messages === 300, within)
  const { attempts } = await readProgress(jobs)
  assert.equal((attempts['old-7'] ?? 0) + (attempts['new-7'] ?? 0), 300)
  await waitFor('an empty queue', async () => (await readDepth('old-7')) === 0)
  await stopAll(...workers)
})

test('claimed steps become unknown, closed ones are dropped, unreadable jobs are parked', async () => {
  const account = accounts++
  await addRoute('old-8', account, { enabled: false })
  await addRoute('new-8', account, { priority: 200 })
  const accepted = acceptedJobs(2, { accountId: account })
  const [claimed, free] = accepted.map((job) => routeJob(job, { routeId: 'old-8' }))
  const [closed] = acceptedJobs(1, { accountId: account }).map((job) => routeJob(job, { routeId: 'old-8' }))
  await recordJobs(database, accepted)
  assert.deepEqual(await claimSteps(database, [createClaim(claimed!)]), ['claimed'])
  for (const job of [claimed, { v: 1, nonsense: true }, closed, free])
    void broker.publisher.send(topology.getQueue('old-8'), JSON.stringify(job))
  const worker = await startWorker()
  await sentBy('new-8', [free!])
  await waitFor('the claimed step', async () => (await readProgress([claimed!])).messages === 1)
  const { rows } = await database.query(
    'select route_id as route, outcome from attempts where msg_key = $1',
    [claimed!.msgKey],
  )
  assert.deepEqual(rows, [{ route: 'old-8', outcome: 'unknown' }])
  assert.deepEqual(await readProgress([closed!]), { attempts: {}, messages: 0, waiting: {} })
  const [parked] = (await testBroker.drain(topology.parked, 1)) as { job: unknown }[]
  assert.deepEqual(parked!.job, { v: 1, nonsense: true })
  await stopAll(worker)
})

test('an unreturned claim is returned, even if it commits later, unless it was replaced', async () => {
  const account = accounts++
  await addRoute('on-10', account)
  await addRoute('off-10', account, { enabled: false })
  const accepted = acceptedJobs(4, { accountId: account })
  await recordJobs(database, accepted)
  const [stays, moves, replaced, late] = accepted.map((job, n) =>
    routeJob(job, { routeId: n % 2 === 1 ? 'off-10' : 'on-10' }),
  )
  const claims = [stays!, moves!, replaced!, late!].map((job) => createClaim(job))
  await claimSteps(database, [claims[0]!, claims[1]!, createClaim(replaced!)])
  for (const [n, job] of [stays!, moves!, replaced!, late!].entries()) {
    const named: RouteJob = { ...job, unsubmittedClaim: claims[n]!.token }
    await broker.publisher.send(topology.getQueue(job.routeId), JSON.stringify(named))
  }
  const previous = await database.connect()
  await previous.query('begin')
  await claimSteps(previous, [claims[3]!])
  const worker = await startWorker()
  await waitFor('the wait for the claim', () => waitsForLock(database, 'set fenced_token'), within)
  await previous.query('commit')
  previous.release()
  await sentBy('on-10', [stays!, moves!, late!])
  await waitFor('the third', async () => (await readProgress([replaced!])).messages === 1, within)
  const { rows } = await database.query<{ n: number; outcome: string }>(
    'select outcome, count(*) as n from attempts where msg_key = any($1) group by 1 order by 1',
    [accepted.map(({ msgKey }) => msgKey)],
  )
  assert.deepEqual(rows, [
    { outcome: 'accepted', n: 3 },
    { outcome: 'unknown', n: 1 },
  ])
  await stopAll(worker)
})

test('a claimed step of a disabled route is recorded with the id that its receipt will have', async () => {
  const account = accounts++
  const options = {
    url: 'https://xyz123.api.infobip.com',
    apiKey: 'secret08',
    callbackToken: 'secret08-secret08',
    callbackUrl: 'https://sms.example.com/inbound/old-9',
  }
  await addRoute('old-9', account, { enabled: false, protocol: 'infobip', options })
  const accepted = acceptedJobs(1, { accountId: account })
  const claimed = routeJob(accepted[0]!, { routeId: 'old-9' })
  await recordJobs(database, accepted)
  await claimSteps(database, [createClaim(claimed)])
  await broker.publisher.send(topology.getQueue('old-9'), JSON.stringify(claimed))
  const worker = await startWorker()
  await waitFor('the claimed step', async () => (await readProgress([claimed])).messages === 1, within)
  const { rows } = await database.query('select outcome, carrier_id as id from attempts where msg_key = $1', [
    claimed.msgKey,
  ])
  assert.deepEqual(rows, [{ outcome: 'unknown', id: canonicalId(`${claimed.msgKey}-1-1-1`) }])
  await stopAll(worker)
})

test('a claimed message of a deleted route has one unknown outcome', async () => {
  const account = accounts++
  const accepted = acceptedJobs(1, { accountId: account, steps: [longStep] })
  const claimed = routeJob(accepted[0]!, { routeId: 'gone-9' })
  await recordJobs(database, accepted)
  await claimSteps(database, [createClaim(claimed)])
  await broker.publisher.send(topology.getQueue('gone-9'), JSON.stringify(claimed))
  const worker = await startWorker()
  await waitFor('the claimed step', async () => (await readProgress([claimed])).messages === 1, within)
  const { rows } = await database.query('select part, parts, outcome from attempts where msg_key = $1', [
    claimed.msgKey,
  ])
  assert.deepEqual(rows, [{ part: 0, parts: 2, outcome: 'unknown' }])
  await stopAll(worker)
})
