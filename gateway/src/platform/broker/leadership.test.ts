/** Leader election: one leader at a time, a new one within seconds when it dies, and none after all have released. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/broker.ts'
import { createProxy, type Proxy } from '../../../test/support/proxy.ts'
import { brokerUrls } from '../../../test/support/services.ts'
import { waitFor, withTimeout } from '../../../test/support/wait.ts'
import type { Leadership } from './leadership.ts'
import type { Broker } from './broker.ts'

const testBroker = await createTestBroker()

interface Competitor {
  readonly proxy: Proxy
  readonly broker: Broker
  readonly leadership: Leadership
  /** The handlers called, in order. */
  readonly calls: ('gained' | 'lost')[]
}

async function compete(queueName: string, count: number): Promise<Competitor[]> {
  const queue = testBroker.topology.previousOwner(queueName)
  const competitors: Competitor[] = []
  for (let n = 0; n < count; n++) {
    const proxy = await createProxy(brokerUrls()[0]!)
    const broker = await testBroker.open({ urls: [proxy.url] })
    const calls: Competitor['calls'] = []
    const leadership = broker.competeForLeadership(queue, {
      onGained: () => calls.push('gained'),
      onLost: () => calls.push('lost'),
    })
    competitors.push({ proxy, broker, leadership, calls })
  }
  return competitors
}

const leaders = (competitors: readonly Competitor[]): Competitor[] =>
  competitors.filter(({ leadership }) => leadership.owned)

async function oneLeader(competitors: readonly Competitor[]): Promise<Competitor> {
  await waitFor('a leader', () => leaders(competitors).length > 0, { timeoutMs: 8_000 })
  assert.equal(leaders(competitors).length, 1)
  return leaders(competitors)[0]!
}

async function leave(competitors: readonly Competitor[]): Promise<void> {
  await Promise.all(
    competitors.map(({ leadership }) =>
      withTimeout('the release', leadership.release(), { timeoutMs: 5_000 }),
    ),
  )
}

test('of three competitors exactly one leads, and its handler is called once', async () => {
  const competitors = await compete('three', 3)
  const leader = await oneLeader(competitors)
  // The tokens that the others publish reach the leader and change nothing.
  await waitFor('the tokens to be collected', async () => {
    return (await leader.broker.depth(testBroker.topology.previousOwner('three'))) === 0
  })
  assert.deepEqual(
    competitors.map(({ calls }) => calls),
    competitors.map((one) => (one === leader ? ['gained'] : [])),
  )
  await leave(competitors)
})

test('leadership moves when the leader releases it, without a call of onLost', async () => {
  const competitors = await compete('released', 3)
  const first = await oneLeader(competitors)
  await first.leadership.release()
  assert.equal(first.leadership.owned, false)
  const others = competitors.filter((one) => one !== first)
  const second = await oneLeader(others)
  await second.leadership.release()
  const third = await oneLeader(others.filter((one) => one !== second))
  await third.leadership.release()
  assert.deepEqual(
    [first, second, third].map(({ calls }) => calls),
    [['gained'], ['gained'], ['gained']],
  )
})

test('leadership moves within seconds when the connection of the leader dies, and the leader is notified', async () => {
  const competitors = await compete('cut', 3)
  const first = await oneLeader(competitors)
  const started = performance.now()
  first.proxy.block()
  const second = await oneLeader(competitors.filter((one) => one !== first))
  assert.ok(performance.now() - started < 5_000)
  await waitFor('the leader to notice', () => first.calls.at(-1) === 'lost')
  assert.deepEqual(second.calls, ['gained'])
  first.proxy.unblock()
  await waitFor('the broker', () => first.broker.canConsume)
  assert.equal(leaders(competitors).length, 1, 'a competitor that reconnects takes no leadership over')
  await leave(competitors)
})

test('a competitor that was cut off leads again when there is no other', async () => {
  const [lone] = await compete('lone', 1)
  await oneLeader([lone!])
  lone!.proxy.cut()
  await waitFor('both handlers to be called', () => lone!.calls.length >= 3)
  assert.deepEqual(lone!.calls, ['gained', 'lost', 'gained'])
  await leave([lone!])
})

test('can be released while the broker is unavailable', async () => {
  const [lone] = await compete('unavailable', 1)
  await oneLeader([lone!])
  lone!.proxy.block()
  await lone!.leadership.release()
  assert.equal(lone!.leadership.owned, false)
  lone!.proxy.unblock()
})

test('can be released while it still waits for the broker', async () => {
  const proxy = await createProxy(brokerUrls()[0]!)
  const broker = await testBroker.open({ urls: [proxy.url] })
  proxy.mute()
  const leadership = broker.competeForLeadership(testBroker.topology.previousOwner('asking'), {
    onGained: () => assert.fail('released before the broker answered'),
    onLost: () => assert.fail('was never the leader'),
  })
  const releasing = leadership.release()
  proxy.unmute()
  await withTimeout('the release', releasing, { timeoutMs: 3_000 })
})

test('a leader that is no longer eligible gives the leadership up, and competes again when it is', async () => {
  const queue = testBroker.topology.previousOwner('eligible')
  const eligible = [true, true]
  const competitors: Leadership[] = []
  for (const n of [0, 1]) {
    const broker = await testBroker.open()
    const handlers = { onGained: () => undefined, onLost: () => undefined, isEligible: () => eligible[n]! }
    competitors.push(broker.competeForLeadership(queue, handlers))
    await waitFor('the first to lead', () => competitors[0]!.owned)
  }
  eligible[0] = false
  await waitFor('the second to lead', () => competitors[1]!.owned && !competitors[0]!.owned)
  eligible[1] = false
  await waitFor('no leader', () => !competitors[1]!.owned)
  eligible[0] = true
  await waitFor('the first to lead again', () => competitors[0]!.owned)
  await Promise.all(
    competitors.map((leadership) => withTimeout('the release', leadership.release(), { timeoutMs: 5_000 })),
  )
})
