/** Ownership: one owner at a time, another within seconds when it dies, and none after everybody has left. */
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
  /** What it was told, in order. */
  readonly told: ('own' | 'lose')[]
}

async function compete(queueName: string, count: number): Promise<Competitor[]> {
  const queue = testBroker.topology.owner(queueName)
  const competitors: Competitor[] = []
  for (let n = 0; n < count; n++) {
    const proxy = await createProxy(brokerUrls()[0]!)
    const broker = await testBroker.open({ urls: [proxy.url] })
    const told: Competitor['told'] = []
    const leadership = broker.competeForLeadership(queue, {
      onGained: () => told.push('own'),
      onLost: () => told.push('lose'),
    })
    competitors.push({ proxy, broker, leadership, told })
  }
  return competitors
}

const owners = (competitors: readonly Competitor[]): Competitor[] =>
  competitors.filter(({ leadership }) => leadership.owned)

async function oneOwner(competitors: readonly Competitor[]): Promise<Competitor> {
  await waitFor('an owner', () => owners(competitors).length > 0, { timeoutMs: 8_000 })
  assert.equal(owners(competitors).length, 1)
  return owners(competitors)[0]!
}

async function leave(competitors: readonly Competitor[]): Promise<void> {
  await Promise.all(
    competitors.map(({ leadership }) =>
      withTimeout('the release', leadership.release(), { timeoutMs: 5_000 }),
    ),
  )
}

test('of three competitors exactly one owns, and it is told once', async () => {
  const competitors = await compete('three', 3)
  const owner = await oneOwner(competitors)
  // Batons that the others put in reach the owner, and change nothing.
  await waitFor('the batons to be collected', async () => {
    return (await owner.broker.depth(testBroker.topology.owner('three'))) === 0
  })
  assert.deepEqual(
    competitors.map(({ told }) => told),
    competitors.map((one) => (one === owner ? ['own'] : [])),
  )
  await leave(competitors)
})

test('ownership moves when the owner releases, without an end of its own being told', async () => {
  const competitors = await compete('released', 3)
  const first = await oneOwner(competitors)
  await first.leadership.release()
  assert.equal(first.leadership.owned, false)
  const others = competitors.filter((one) => one !== first)
  const second = await oneOwner(others)
  await second.leadership.release()
  const third = await oneOwner(others.filter((one) => one !== second))
  await third.leadership.release()
  assert.deepEqual(
    [first, second, third].map(({ told }) => told),
    [['own'], ['own'], ['own']],
  )
})

test('ownership moves within seconds when the connection of the owner dies, and the owner is told', async () => {
  const competitors = await compete('cut', 3)
  const first = await oneOwner(competitors)
  const started = performance.now()
  first.proxy.block()
  const second = await oneOwner(competitors.filter((one) => one !== first))
  assert.ok(performance.now() - started < 5_000)
  await waitFor('the owner to notice', () => first.told.at(-1) === 'lose')
  assert.deepEqual(second.told, ['own'])
  first.proxy.unblock()
  await waitFor('the broker', () => first.broker.canConsume)
  assert.equal(owners(competitors).length, 1, 'who comes back takes nothing away')
  await leave(competitors)
})

test('who was cut off owns again when nobody else is there', async () => {
  const [lone] = await compete('lone', 1)
  await oneOwner([lone!])
  lone!.proxy.cut()
  await waitFor('both to be told', () => lone!.told.length >= 3)
  assert.deepEqual(lone!.told, ['own', 'lose', 'own'])
  await leave([lone!])
})

test('can be released while the broker is away', async () => {
  const [lone] = await compete('gone', 1)
  await oneOwner([lone!])
  lone!.proxy.block()
  await lone!.leadership.release()
  assert.equal(lone!.leadership.owned, false)
  lone!.proxy.unblock()
})

test('can be released while it is still asking for the leadership', async () => {
  const proxy = await createProxy(brokerUrls()[0]!)
  const broker = await testBroker.open({ urls: [proxy.url] })
  proxy.mute()
  const leadership = broker.competeForLeadership(testBroker.topology.owner('asking'), {
    onGained: () => assert.fail('released before it was asked'),
    onLost: () => assert.fail('never owned'),
  })
  const releasing = leadership.release()
  proxy.unmute()
  await withTimeout('the release', releasing, { timeoutMs: 3_000 })
})

test('who can no longer do the work gives the leadership up, and competes again when it can', async () => {
  const queue = testBroker.topology.owner('fit')
  const fit = [true, true]
  const batons: Leadership[] = []
  for (const n of [0, 1]) {
    const broker = await testBroker.open()
    const handlers = { onGained: () => undefined, onLost: () => undefined, isEligible: () => fit[n]! }
    batons.push(broker.competeForLeadership(queue, handlers))
    await waitFor('the first to own', () => batons[0]!.owned)
  }
  fit[0] = false
  await waitFor('the second to own', () => batons[1]!.owned && !batons[0]!.owned)
  fit[1] = false
  await waitFor('nobody to own', () => !batons[1]!.owned)
  fit[0] = true
  await waitFor('the first to own again', () => batons[0]!.owned)
  await Promise.all(
    batons.map((leadership) => withTimeout('the release', leadership.release(), { timeoutMs: 5_000 })),
  )
})
