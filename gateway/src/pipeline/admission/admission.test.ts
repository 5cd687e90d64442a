import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { createTestServer, type TestResponse, type TestAccount } from '../../../test/support/http/server.ts'
import { sumCounter, silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import { Problem } from '../../contract/problem.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { intakeConnections, startIntake } from '../intake/intake.ts'
import { startAdmission } from './admission.ts'
import { IntakeProgress, intakeTopic } from './intake-progress.ts'

const { database, url } = await createTestDatabase()
const from = '0234567890'
const recipient = (nth: number): string => `010${String(10_000_000 + nth)}`
const requests: Readonly<Record<Lane, (nth: number) => readonly [string, object]>> = {
  urgent: (nth) => [
    '/v1/send/omni',
    { destinations: [{ to: recipient(nth) }], messageFlow: [{ sms: { from, text: 'code', ttl: '180' } }] },
  ],
  normal: (nth) => ['/v1/send/sms', { from, to: recipient(nth), text: 'hello' }],
  bulk: (nth) => ['/v1/send/sms', { from, to: recipient(nth), text: '(광고) sale' }],
}

/** Starts an API, and prepares an intake that reaches PostgreSQL through a proxy. */
async function openGateway(reserveMessages: number) {
  const testBroker = await createTestBroker()
  const { broker, topology } = testBroker
  const queuePrefix = topology.parked.name.replace(/parked$/, '')
  const metrics = testMetrics()
  const api = await createTestServer({ database, broker, topology, metrics, reserveMessages })
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: intakeConnections })
  addCleanup(() => proxied.end())
  const placing = await openTestPlacement(database)
  let sent = 0
  return {
    api,
    proxy,
    metrics,
    startIntake() {
      const intake = startIntake({
        ...placing,
        broker,
        topology,
        database: proxied,
        stepTtlSeconds: 60,
        retentionDays: 30,
        progress: new IntakeProgress(broker, intakeTopic(queuePrefix)),
        metrics,
        log: silentLog,
      })
      const stop = (): Promise<void> => intake.stop()
      addCleanup(stop)
      return stop
    },
    send(account: TestAccount, lane: Lane): Promise<TestResponse> {
      const [path, body] = requests[lane](sent++)
      return api.call(account, 'POST', path, body)
    },
  }
}

async function countRecorded(account: TestAccount): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    'select count(*)::int as n from messages where account_id = $1',
    [account.id],
  )
  return rows[0]!.n
}

test('sends are accepted up to the limit without PostgreSQL, urgent ones longest, and recorded later', async () => {
  // The limits of the lanes differ by more messages than the test sends before the depth is read again.
  const reserved = 2_000
  const gateway = await openGateway(reserved)
  gateway.startIntake()
  const account = await gateway.api.account()
  const accepted: Record<Lane, number> = { urgent: 0, normal: 0, bulk: 0 }
  const trySend = async (lane: Lane): Promise<TestResponse> => {
    const response = await gateway.send(account, lane)
    if (response.status === 200) accepted[lane]++
    return response
  }
  /** Sends until the lane is refused, and is still refused after the depth was read again. */
  const fill = async (lane: Lane): Promise<TestResponse> => {
    for (;;) {
      if ((await trySend(lane)).status === 200) continue
      await pause(1_000)
      const again = await trySend(lane)
      if (again.status !== 200) return again
    }
  }
  assert.equal((await trySend('normal')).status, 200)
  await waitFor('intake to record it', async () => (await countRecorded(account)) === 1)
  gateway.proxy.block()
  for (const lane of ['bulk', 'normal', 'urgent'] as const) {
    const refused = await fill(lane)
    assert.deepEqual([refused.status, refused.body.code], [503, 'A920'], lane)
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.ok((await sumCounter(gateway.metrics.sendsRefused, { reason: 'reserve', lane })) > 0)
    if (lane === 'bulk') assert.equal((await trySend('normal')).status, 200, 'normal is still accepted')
    if (lane !== 'urgent') assert.equal((await trySend('urgent')).status, 200, 'urgent is still accepted')
  }
  const total = lanes.reduce((sum, lane) => sum + accepted[lane], 0)
  // The worker holds up to 256 groups per lane, here of one message, and the depth is read twice per second.
  assert.ok(total <= reserved + 3 * (256 + 500), `${total} messages`)
  gateway.proxy.unblock()
  await waitFor('all to be recorded', async () => (await countRecorded(account)) === total, {
    timeoutMs: 30_000,
  })
  await waitFor('bulk to be accepted again', async () => (await trySend('bulk')).status === 200)
})

test('the reserve counts the messages in a group, and what other API processes published', async () => {
  const testBroker = await createTestBroker()
  const { topology, broker } = testBroker
  await broker.declare(Object.values(topology.accepted))
  const admission = startAdmission({
    broker,
    topology,
    processId: 'api',
    queuePrefix: 'test.',
    reserve: { messages: 2_000, bytes: 1e9, minutes: 30 },
    metrics: testMetrics(),
    log: silentLog,
  })
  addCleanup(() => admission.stop())
  const other = await testBroker.open()
  const publish = async (publisher: typeof broker, count: number): Promise<void> => {
    await Promise.all(
      Array.from({ length: count }, () => publisher.publisher.send(topology.accepted.normal, '{}')),
    )
  }
  await publish(broker, 900)
  await publish(other, 900)
  await waitFor('normal messages to be refused', () => {
    try {
      admission.admit({ id: 1, weight: 1 }, new Map([['normal', 1]]))
      return false
    } catch (error) {
      return error instanceof Problem && error.code === 'A920'
    }
  })
  admission.admit({ id: 1, weight: 1 }, new Map([['urgent', 1]]))
})

test('accounts below their share are never refused while a worker restarts during a flood', async () => {
  const gateway = await openGateway(1_000_000)
  const stop = gateway.startIntake()
  const flooding = await gateway.api.account()
  const small = await Promise.all(Array.from({ length: 5 }, () => gateway.api.account()))
  const refused: TestResponse[] = []
  let floodRefusals: TestResponse[] = []
  let acceptedOfFlood = 0
  let acceptedOfSmall = 0
  let running = true
  const flow = [{ sms: { from, text: 'flood' } }]
  const flood = async (): Promise<void> => {
    for (let nth = 0; running; nth += 10) {
      const destinations = Array.from({ length: 10 }, (_, index) => ({ to: recipient(nth + index) }))
      const body = { destinations, messageFlow: flow }
      const response = await gateway.api.call(flooding, 'POST', '/v1/send/omni', body)
      if (response.status === 200) acceptedOfFlood += 10
      else floodRefusals.push(response)
    }
  }
  const neighbour = async (account: TestAccount): Promise<void> => {
    while (running) {
      const response = await gateway.send(account, 'normal')
      if (response.status === 200) acceptedOfSmall++
      else refused.push(response)
      await pause(50)
    }
  }
  const loads = [flood(), flood(), ...small.map(neighbour)]
  try {
    // There is no limit until intake has reported.
    await waitFor('some to be recorded', async () => (await countRecorded(flooding)) > 0)
    await pause(500)
    await stop()
    await waitFor('the flood to be refused', () => floodRefusals.length > 0, { timeoutMs: 60_000 })
    // A restart takes some seconds, in which the age of the queue grows.
    await pause(2_000)
    gateway.startIntake()
    floodRefusals = floodRefusals.slice(0, 1)
    await pause(1_500)
  } finally {
    running = false
    await Promise.all(loads)
  }
  assert.deepEqual(
    refused.map(({ body }) => body.result),
    [],
  )
  const [first] = floodRefusals
  assert.deepEqual([first!.status, first!.body.code], [429, 'A020'])
  assert.equal(first!.body.result, 'Rate limit exceeded')
  assert.match(String(first!.headers['ratelimit-reason']), /share is \d+ messages per second/)
  const seconds = Number(first!.headers['retry-after'])
  assert.ok(seconds >= 1 && seconds <= 60, `Retry-After ${seconds}`)
  const recorded = async (): Promise<number> =>
    (await Promise.all([flooding, ...small].map(countRecorded))).reduce((sum, n) => sum + n, 0)
  await waitFor(
    'everything that was accepted to be recorded',
    async () => (await recorded()) === acceptedOfFlood + acceptedOfSmall,
    { timeoutMs: 60_000, everyMs: 250 },
  )
})
