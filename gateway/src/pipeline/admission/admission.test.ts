/** Admission over a real first queue and intake: while PostgreSQL is unavailable, and while a worker restarts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestBroker } from '../../../test/support/broker.ts'
import { atEnd } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { openPlacing } from '../../../test/support/placing.ts'
import { createProxy } from '../../../test/support/proxy.ts'
import { createTestServer, type Answer, type TestAccount } from '../../../test/support/server.ts'
import { countOf, quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import { Problem } from '../../contract/problem.ts'
import { openDatabase } from '../../platform/database.ts'
import { intakeConnections, startIntake } from '../intake/intake.ts'
import { startAdmission } from './admission.ts'
import { IntakeProgress } from './intake-progress.ts'
import { loadTopic } from './load-report.ts'
import type { ReserveBounds } from './reserve.ts'

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

/** An API, and an intake that reaches PostgreSQL through a proxy. */
async function openGateway(reserve: ReserveBounds) {
  const testBroker = await createTestBroker()
  const { broker, topology } = testBroker
  const queuePrefix = `${topology.parked.name}.`
  const metrics = testMetrics()
  const admission = startAdmission({
    ...{ broker, topology, processId: 'api', queuePrefix, reserve, metrics, log: quietLog },
  })
  atEnd(() => admission.stop())
  const api = await createTestServer({ database, broker, topology, admit: admission.admit })
  const proxy = await createProxy(url)
  const distant = openDatabase(proxy.url, quietLog, { connections: intakeConnections })
  atEnd(() => distant.end())
  const placing = await openPlacing(database)
  let sent = 0
  return {
    ...{ api, proxy, metrics, broker, topology, testBroker, admission, queuePrefix },
    startIntake() {
      const stopping = new AbortController()
      const intake = startIntake({
        ...{ ...placing, broker, topology, database: distant, stepTtlSeconds: 60, retentionDays: 30 },
        progress: new IntakeProgress(broker, loadTopic(queuePrefix), 'worker'),
        ...{ metrics, log: quietLog, signal: stopping.signal },
      })
      const stop = (): Promise<void> => {
        stopping.abort(new Error('stopped'))
        return intake.stop()
      }
      atEnd(stop)
      return stop
    },
    send(account: TestAccount, lane: Lane): Promise<Answer> {
      const [path, body] = requests[lane](sent++)
      return api.call(account, 'POST', path, body)
    },
  }
}

async function recordedOf(account: TestAccount): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    'select count(*)::int as n from messages where account_id = $1',
    [account.id],
  )
  return rows[0]!.n
}

test('without PostgreSQL sends are accepted up to the reserve, urgent ones longest, and recorded afterwards', async () => {
  const reserved = 300
  const gateway = await openGateway({ messages: reserved, bytes: 1e9, minutes: 30 })
  gateway.startIntake()
  const account = await gateway.api.account()
  const accepted: Record<Lane, number> = { urgent: 0, normal: 0, bulk: 0 }
  const trySend = async (lane: Lane): Promise<Answer> => {
    const answer = await gateway.send(account, lane)
    if (answer.status === 200) accepted[lane]++
    return answer
  }
  /** Sends until the lane is refused, and still is when the depth was read again. */
  const fill = async (lane: Lane): Promise<Answer> => {
    for (;;) {
      if ((await trySend(lane)).status === 200) continue
      await pause(500)
      const again = await trySend(lane)
      if (again.status !== 200) return again
    }
  }
  assert.equal((await trySend('normal')).status, 200)
  await waitFor('intake to record it', async () => (await recordedOf(account)) === 1)
  gateway.proxy.block()
  for (const lane of ['bulk', 'normal', 'urgent'] as const) {
    const refused = await fill(lane)
    assert.deepEqual([refused.status, refused.body.code], [503, 'A920'], lane)
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.ok((await countOf(gateway.metrics.sendsRefused, { reason: 'reserve', lane })) > 0)
    if (lane === 'bulk') assert.equal((await trySend('normal')).status, 200, 'normal is still accepted')
    if (lane !== 'urgent') assert.equal((await trySend('urgent')).status, 200, 'urgent is still accepted')
  }
  const all = lanes.reduce((sum, lane) => sum + accepted[lane], 0)
  // What a worker takes is reported five times a second, so that up to a fifth of a second's sends are accepted beyond it.
  assert.ok(all <= 2 * reserved, `${all} messages`)
  gateway.proxy.unblock()
  await waitFor('all to be recorded', async () => (await recordedOf(account)) === all, { timeoutMs: 30_000 })
  await waitFor('bulk to be accepted again', async () => (await trySend('bulk')).status === 200)
})

test('the reserve is one for all API processes, however many messages each of them puts into a group', async () => {
  const gateway = await openGateway({ messages: 2_000, bytes: 1e9, minutes: 30 })
  const { topology, queuePrefix } = gateway
  const second = await gateway.testBroker.open()
  const admission = startAdmission({
    ...{ broker: second, topology, processId: 'other', queuePrefix, metrics: testMetrics(), log: quietLog },
    reserve: { messages: 2_000, bytes: 1e9, minutes: 30 },
  })
  atEnd(() => admission.stop())
  // The first publishes single messages, the second groups of up to 64. No worker takes them.
  const lane = new Map<Lane, number>([['normal', 1]])
  const single = { id: 1, weight: 1 }
  for (let n = 0; n < 5; n++) {
    await gateway.broker.publisher.send(topology.accepted.normal, '{}')
    await pause(100)
  }
  await Promise.all(
    Array.from({ length: 1_700 }, () => second.publisher.send(topology.accepted.normal, '{}')),
  )
  await waitFor('the process that publishes single messages to refuse more', () => {
    try {
      gateway.admission.admit(single, lane)
      return false
    } catch (error) {
      return error instanceof Problem && error.code === 'A920'
    }
  })
  gateway.admission.admit(single, new Map([['urgent', 1]]))
})

test('while a worker restarts beside a flood, accounts below their share are never refused', async () => {
  const gateway = await openGateway({ messages: 1_000_000, bytes: 1e9, minutes: 30 })
  const stop = gateway.startIntake()
  const flooding = await gateway.api.account()
  const small = await Promise.all(Array.from({ length: 5 }, () => gateway.api.account()))
  const refused: Answer[] = []
  let floodRefusals: Answer[] = []
  let acceptedOfFlood = 0
  let acceptedOfSmall = 0
  let running = true
  const flow = [{ sms: { from, text: 'flood' } }]
  const flood = async (): Promise<void> => {
    for (let nth = 0; running; nth += 10) {
      const destinations = Array.from({ length: 10 }, (_, index) => ({ to: recipient(nth + index) }))
      const body = { destinations, messageFlow: flow }
      const answer = await gateway.api.call(flooding, 'POST', '/v1/send/omni', body)
      if (answer.status === 200) acceptedOfFlood += 10
      else floodRefusals.push(answer)
    }
  }
  const neighbour = async (account: TestAccount): Promise<void> => {
    while (running) {
      const answer = await gateway.send(account, 'normal')
      if (answer.status === 200) acceptedOfSmall++
      else refused.push(answer)
      await pause(50)
    }
  }
  const loads = [flood(), flood(), ...small.map(neighbour)]
  try {
    // Of an intake that was never heard of nothing is known, so nothing would be limited.
    await waitFor('some to be recorded', async () => (await recordedOf(flooding)) > 0)
    await pause(500)
    await stop()
    await waitFor('the flood to be refused', () => floodRefusals.length > 0, { timeoutMs: 60_000 })
    // A restart takes some seconds; the age of the queue grows meanwhile.
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
  assert.match(String(first!.headers['ratelimit-reason']), /share is \d+ messages a second/)
  const seconds = Number(first!.headers['retry-after'])
  assert.ok(seconds >= 1 && seconds <= 60, `Retry-After ${seconds}`)
  const recorded = async (): Promise<number> =>
    (await Promise.all([flooding, ...small].map(recordedOf))).reduce((sum, n) => sum + n, 0)
  await waitFor(
    'everything that was accepted to be recorded',
    async () => (await recorded()) === acceptedOfFlood + acceptedOfSmall,
    { timeoutMs: 60_000, everyMs: 250 },
  )
})
