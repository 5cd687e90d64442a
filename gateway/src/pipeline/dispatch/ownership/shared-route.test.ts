/**
 * A route with two owners in two workers: together they keep to its rate and reach it, also while the number of owners
 * changes; nothing is lost or submitted twice, and when one owner is gone, the other one continues.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { acceptedJobs, recordJobs, routeJob } from '../../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../../test/support/pipeline/placing.ts'
import { joinMembers } from '../../../../test/support/membership.ts'
import { createProxy, type Proxy } from '../../../../test/support/engines/proxy.ts'
import { brokerUrls } from '../../../../test/support/engines/services.ts'
import { sendThroughQueue } from '../../../../test/support/pipeline/settle.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { deliverBody } from '../../../../test/support/smpp/fixtures.ts'
import { listen, type Peer } from '../../../../test/support/smpp/peer.ts'
import { smppRoute } from '../../../../test/support/smpp/smpp-route.ts'
import { assertWithin, waitFor } from '../../../../test/support/wait.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { holdSteps } from '../../../records/waiting/write-waiting.ts'
import { upsertRoute } from '../../../carriers/routes/queries.ts'
import { createRouter } from '../../../carriers/routes/router.ts'
import { RouteStates } from '../../../carriers/routes/states.ts'
import { startOutboxSweep } from '../../scheduling/outbox-sweep.ts'
import { createOutbox } from '../../scheduling/outbox.ts'
import { decidePlacement } from '../../scheduling/place.ts'
import { releasePlaced } from '../../scheduling/release.ts'
import { createAttemptWriter } from '../runner/attempt-writer.ts'
import { startDispatch, type Dispatch } from '../dispatch.ts'

const { database, url } = await createTestDatabase()
const testBroker = await createTestBroker()
const { topology, broker } = testBroker
const rate = 200

interface Carrier extends Peer {
  /** Arrival time of each submission. */
  readonly arrivals: number[]
}

async function startCarrier(): Promise<Carrier> {
  const arrivals: number[] = []
  const peer = await listen({
    submit_sm: (pdu, session) => {
      arrivals.push(performance.now())
      session.send('submit_sm_resp', 0, pdu.sequence, { messageId: `m${arrivals.length}` })
    },
  })
  addCleanup(() => peer.close())
  return Object.assign(peer, { arrivals })
}

const bound = (peer: Peer): number =>
  peer.sessions.filter((session) => !session.closed && session.of('bind_transceiver').length > 0).length

interface Worker {
  readonly dispatch: Dispatch
  readonly metrics: Metrics
  readonly receipts: string[]
}

/** Starts a worker that refreshes its own copy of the routes; `through` are its proxies to PostgreSQL and the broker. */
async function startWorker(refreshMs: number, through?: readonly [Proxy, Proxy]): Promise<Worker> {
  const pool = through === undefined ? database : openDatabase(through[0].url, silentLog, { connections: 8 })
  if (pool !== database) addCleanup(() => pool.end())
  const ownBroker = await testBroker.open(through === undefined ? {} : { urls: [through[1].url] })
  const placing = await openTestPlacement(pool)
  const { routes } = placing
  await routes.start(refreshMs)
  const states = new RouteStates(pool, silentLog)
  await states.start()
  const metrics = testMetrics()
  const receipts: string[] = []
  const services = {
    ...placing,
    router: createRouter(routes, states),
    states,
    publisher: ownBroker.publisher,
    broker: ownBroker,
    topology,
    database: pool,
    membership: joinMembers(pool),
    metrics,
    log: silentLog,
    attemptWriter: createAttemptWriter(pool, metrics, silentLog),
    sendToSettle: sendThroughQueue(ownBroker.publisher, topology),
    onReceipt: (routeId: string) => {
      receipts.push(routeId)
      return Promise.resolve()
    },
  }
  const dispatch = startDispatch(routes, services)
  const sweep = startOutboxSweep({ ...services, outbox: createOutbox({ ...services, stepTtlSeconds: 60 }) })
  addCleanup(async () => {
    routes.stop()
    await Promise.all([dispatch.stop(), sweep.stop(), states.stop()])
  })
  return { dispatch, metrics, receipts }
}

async function openFeeder(): Promise<(count: number) => Promise<void>> {
  const placing = await openTestPlacement(database)
  await placing.routes.start(100)
  const states = new RouteStates(database, silentLog)
  await states.start()
  addCleanup(async () => {
    placing.routes.stop()
    await states.stop()
  })
  const { publisher } = broker
  const context = { ...placing, router: createRouter(placing.routes, states), states, publisher, topology }
  return async (count) => {
    await states.refresh()
    const accepted = acceptedJobs(count)
    await recordJobs(database, accepted)
    const jobs = accepted.map((job) => routeJob(job))
    const placed = jobs.map((job) => ({ job, placement: decidePlacement(context, job) }))
    await releasePlaced({ database, topology, publisher }, placed)
  }
}

async function submittedOnce(carrier: Carrier, count: number, timeoutMs = 20_000): Promise<void> {
  await waitFor(`${count} submissions`, () => carrier.arrivals.length >= count, { timeoutMs })
  await waitFor('all of them to be recorded', async () => {
    const found = await database.query(`select from attempts where outcome = 'accepted'`)
    return found.rowCount === count
  })
  assert.equal(carrier.arrivals.length, count, 'each step once')
  const others = await database.query(`select from attempts where outcome <> 'accepted' or route_id <> 'skt'`)
  assert.equal(others.rowCount, 0, 'all of them name the route, not its share')
}

/** A busy machine delays some arrivals and not others. Two owners that both send at the whole rate would have twice as many. */
function assertWithinRate(arrivals: readonly number[]): void {
  const allowed = rate * 1.5
  for (let first = 0, last = 0; last < arrivals.length; last++) {
    while (arrivals[last]! - arrivals[first]! >= 1_000) first++
    assert.ok(last - first + 1 <= allowed, `${last - first + 1} in a second; ${allowed} are allowed`)
  }
}

await broker.declare(topology.dispatch)
const carrier = await startCarrier()
const save = (owners: number): Promise<void> =>
  upsertRoute(database, smppRoute('skt', carrier, { partsPerSecond: rate, owners, failoverAfterSeconds: 1 }))
await save(2)
const proxies = [await createProxy(url), await createProxy(brokerUrls()[0]!)] as const
// The second one reads changes of the routes up to 0.7 s after the first one.
const workers = [await startWorker(50), await startWorker(700, proxies)]
const feed = await openFeeder()
let fed = 0

test('two workers own a share each and together send at the rate of the route', async () => {
  await waitFor('an owner in each worker', async () => {
    const { rows } = await database.query<{ owners: number }>(
      'select count(distinct owner)::int as owners from route_states where linked',
    )
    return rows[0]!.owners === 2
  })
  const shares = workers.map(async ({ metrics }) => (await metrics.linked.get()).values)
  assert.deepEqual(
    (await Promise.all(shares)).flatMap((values) => values.map(({ labels }) => labels.share)).sort(),
    ['1', '2'],
  )
  await feed((fed += 500))
  await submittedOnce(carrier, fed)
  const [begin, end] = [carrier.arrivals[0]!, carrier.arrivals.at(-1)!]
  assertWithinRate(carrier.arrivals)
  // The shares differ by chance: the one with more steps ends last. One owner alone takes 5 s.
  assert.ok(end - begin > 2_200, `500 parts took ${end - begin} ms`)
  assertWithin('500 parts', end - begin, 4_500)
})

test('steps that wait for one share are sent by all owners', async () => {
  const accepted = acceptedJobs(400)
  await recordJobs(database, accepted)
  const row = { routeId: 'skt', lane: 'normal', parts: 1, tries: 0, reason: 'backlog' } as const
  const waiting = accepted.map(({ msgKey }) => ({ msgKey, step: 1, try: 1, accountId: 1, ...row }))
  const from = carrier.arrivals.length
  await holdSteps(
    database,
    waiting.map((step) => ({ ...step, releaseAt: new Date() })),
  )
  fed += 400
  await submittedOnce(carrier, fed)
  // The first share alone takes 4 s.
  assertWithin('400 parts', carrier.arrivals.at(-1)! - carrier.arrivals[from]!, 3_800)
})

test('a receipt that arrives at either owner names the route', async () => {
  const text =
    'id:m1 sub:001 dlvrd:001 submit date:2611141200 done date:2611141201 stat:DELIVRD err:000 text:'
  const open = carrier.sessions.filter(({ closed }) => !closed)
  for (const session of open) session.send('deliver_sm', 0, 9_000, deliverBody({}, text))
  await waitFor('both receipts', () => workers.every(({ receipts }) => receipts.length === 1))
  assert.deepEqual(
    workers.flatMap(({ receipts }) => receipts),
    ['skt', 'skt'],
  )
})

test('the rate holds without loss or duplicates while owners are added and removed', async () => {
  const before = fed
  const from = carrier.arrivals.length
  await feed(600)
  fed += 600
  for (const [owners, sent] of [
    [4, 100],
    [1, 200],
    [2, 350],
  ] as const) {
    await waitFor(`${sent} submissions`, () => carrier.arrivals.length >= before + sent)
    await save(owners)
  }
  await submittedOnce(carrier, fed)
  assertWithinRate(carrier.arrivals.slice(from))
  await waitFor('the links of two owners', () => bound(carrier) === 2)
})

test('an only owner submits nothing while another process still runs a second share', async () => {
  const alone = await startCarrier()
  await database.query(
    `insert into members (id, role, host, seen_at) values ('earlier', 'worker', 'elsewhere:1', now() + interval '7 seconds')`,
  )
  await database.query(
    `insert into route_states (route_id, linked, owners, owner, urgent_capacity, normal_capacity, bulk_capacity, seen_at)
     values ('lone#2', true, 2, 'earlier', 0, 0, 0, now())`,
  )
  const lone = smppRoute('lone', alone, { partsPerSecond: rate })
  await upsertRoute(database, lone)
  const state = async () =>
    (
      await database.query<{ linked: boolean; beats: Date }>(
        `select linked, m.seen_at as beats from route_states s join members m on m.id = owner
          where route_id = 'lone'`,
      )
    ).rows[0]
  await waitFor('its link and its state', async () => bound(alone) === 1 && (await state()) !== undefined)
  const { beats } = (await state())!
  await waitFor('more publications', async () => (await state())!.beats.getTime() > beats.getTime() + 500)
  assert.equal((await state())!.linked, false)
  await database.query(`delete from members where id = 'earlier'`)
  await waitFor('the agreement', async () => (await state())!.linked)
  await upsertRoute(database, { ...lone, enabled: false })
  await waitFor('the end of the link', () => bound(alone) === 0)
})

test('the remaining owner continues and takes over after the other is gone', async () => {
  for (const proxy of proxies) proxy.block()
  const from = carrier.arrivals.length
  await feed(400)
  fed += 400
  await submittedOnce(carrier, fed)
  const arrivals = carrier.arrivals.slice(from)
  const firstHalf = arrivals.slice(0, 150)
  const gaps = firstHalf.map((at, index) => at - (firstHalf[index - 1] ?? at))
  assert.ok(Math.max(...gaps) < 1_000, `the other share paused for ${Math.max(...gaps)} ms`)
  assertWithinRate(arrivals)
  for (const proxy of proxies) proxy.unblock()
})
