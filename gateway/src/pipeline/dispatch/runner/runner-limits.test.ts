import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { outcomes } from '../../../../test/support/carriers/connector.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { longStep, routeId } from '../../../../test/support/fixtures.ts'
import { createProxy } from '../../../../test/support/engines/proxy.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import {
  accepting,
  openRunnerFixtures,
  type RunnerFixture,
} from '../../../../test/support/pipeline/runner-fixture.ts'
import { isSettled, waitFor } from '../../../../test/support/wait.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { claimSteps, createClaim } from '../../../records/messages/claim.ts'

const { database, url } = await createTestDatabase()
const { createRunnerFixture, released, releasedMany, recorded, stateOf } = openRunnerFixtures(database)

test('never has more submissions open than the window of the carrier', async () => {
  const jobs = [...(await releasedMany(60)), ...(await releasedMany(20, { steps: [longStep] }))]
  const { runner, connector } = createRunnerFixture(
    async (submission) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return accepting(submission, 0)
    },
    { window: 7 },
  )
  await Promise.all(jobs.map((job) => runner.run('normal', job)))
  assert.equal(connector.submissions.length, 100)
  assert.equal(connector.maxOpen, 7)
})

test('a message of more parts than the window is still submitted', async () => {
  const job = await released({ steps: [{ ...longStep, text: 'a'.repeat(760) }] })
  const { runner, connector } = createRunnerFixture(accepting, { window: 1 })
  await runner.run('normal', job)
  assert.equal(connector.submissions.length, 5)
  assert.equal(connector.maxOpen, 1)
})

test('a failing or hanging capability lookup delays the step but occupies no window slot', async () => {
  const [failing, hanging, neighbour] = await releasedMany(3)
  const capability = (to: string) =>
    to === '01000000001'
      ? Promise.reject(new Error('no route to the directory'))
      : to === '01000000002'
        ? new Promise<never>(() => undefined)
        : Promise.resolve('capable' as const)
  const { runner, connector } = createRunnerFixture(accepting, {
    window: 1,
    bounded: true,
    more: { capability },
  })
  const slow = runner.run('normal', { ...hanging!, to: '01000000002' })
  await runner.run('normal', neighbour!)
  assert.deepEqual(connector.references, [`${neighbour!.msgKey}-1-1-1`])
  await runner.run('normal', { ...failing!, to: '01000000001' })
  await slow
  const allOutcomes = await Promise.all(
    [failing!, hanging!, neighbour!].map(({ msgKey }) => recorded(msgKey)),
  )
  assert.deepEqual(allOutcomes, [['accepted'], ['accepted'], ['accepted']])
})

test('a connector failure yields an unknown outcome and affects no other step', async () => {
  const [broken, neighbour] = await releasedMany(2)
  const { runner } = createRunnerFixture(
    (submission) => {
      if (submission.reference.startsWith(broken!.msgKey)) throw new Error('a fault of the connector')
      return accepting(submission, 0)
    },
    { bounded: true },
  )
  await Promise.all([broken!, neighbour!].map((job) => runner.run('normal', job)))
  assert.deepEqual(await recorded(broken!.msgKey), ['unknown'])
  assert.deepEqual(await recorded(neighbour!.msgKey), ['accepted'])
})

test('holds the rate of the route', async () => {
  const jobs = await releasedMany(80)
  const { runner, connector } = createRunnerFixture(accepting, { window: 100, partsPerSecond: 100 })
  const started = performance.now()
  await Promise.all(jobs.map((job) => runner.run('normal', job)))
  assert.ok(performance.now() - started >= 650)
  for (const from of connector.times) {
    const within = connector.times.filter((time) => time >= from && time < from + 200).length
    // Twenty are due in that time; the rest allows for the burst and a slow machine.
    assert.ok(within <= 50, `${within} in a fifth of a second`)
  }
})

test('a stop gives unclaimed steps back and finishes claimed ones', async () => {
  const testBroker = await createTestBroker()
  const { broker, topology } = testBroker
  const queue = topology.getQueue(routeId)
  await broker.declare([queue])
  const response = Promise.withResolvers<undefined>()
  const { runner, connector, stopping } = createRunnerFixture(
    async () => {
      await response.promise
      return outcomes.accepted('1')
    },
    { window: 1 },
  )
  const jobs = await releasedMany(6)
  for (const job of jobs) await broker.publisher.send(queue, JSON.stringify(job))
  const consumption = broker.consume(queue, { prefetch: 6 }, async ({ jobs: group }) => {
    await Promise.all((group as RouteJob[]).map((job) => runner.run('normal', job)))
  })
  // A window of one allows two claims: one submitted, one ready.
  await waitFor('two claims', async () => {
    const claimed = await database.query(
      `select from in_flight where state = 'claimed' and msg_key = any($1)`,
      [jobs.map((job) => job.msgKey)],
    )
    return claimed.rowCount === 2
  })
  stopping.abort(new Error('stopping'))
  const stopped = consumption.stop()
  assert.equal(await isSettled(stopped), false)
  response.resolve(undefined)
  await stopped
  assert.equal(connector.submissions.length, 2)
  await waitFor('the others to return', async () => (await broker.depth(queue)) === 4)
  const states = await Promise.all(jobs.map((job) => stateOf(job.msgKey)))
  assert.equal(states.filter((state) => state === 'unclaimed').length, 4)
  const allOutcomes = (await Promise.all(jobs.map((job) => recorded(job.msgKey)))).flat()
  assert.deepEqual(allOutcomes, ['accepted', 'accepted'])
})

test('a step returned at a stop is submitted by the next owner, once', async () => {
  const jobs = await releasedMany(10)
  const first = createRunnerFixture(accepting)
  first.runner.linked = false
  const runs = jobs.map((job) => first.runner.run('normal', job))
  first.stopping.abort(new Error('stopping'))
  for (const run of runs) await assert.rejects(run, /stopping/)
  const second = createRunnerFixture(accepting)
  await Promise.all(jobs.map((job) => second.runner.run('normal', job)))
  assert.equal(first.connector.submissions.length, 0)
  assert.equal(second.connector.submissions.length, 10)
})

test('a step whose claim is returned after the stop waits in the table', async () => {
  const [job] = await releasedMany(1)
  const response = Promise.withResolvers<undefined>()
  const { runner, connector, stopping, returned } = createRunnerFixture(async () => {
    await response.promise
    return outcomes.unreachable()
  })
  const running = runner.run('normal', job!)
  await waitFor('the submission', () => connector.submissions.length === 1)
  stopping.abort(new Error('stopping'))
  response.resolve(undefined)
  await running
  assert.equal(await stateOf(job!.msgKey), 'unclaimed')
  assert.deepEqual(
    returned.map(({ how }) => how),
    [{ kind: 'same-route' }],
  )
})

test('a claim that cannot be returned is named in the republished job', async () => {
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: 2 })
  addCleanup(() => proxied.end())
  const { createRunnerFixture: createProxied } = openRunnerFixtures(proxied)
  const [unanswered, unreachable] = await releasedMany(2)
  const assertRequeued = async ({ requeued }: RunnerFixture, { msgKey }: RouteJob): Promise<void> => {
    const named = await database.query('select claim_token as token from in_flight where msg_key = $1', [
      msgKey,
    ])
    assert.deepEqual(
      requeued.map((job) => ({ msgKey: job.msgKey, token: job.unsubmittedClaim })),
      [{ msgKey, token: (named.rows[0] as { token: number }).token }],
    )
  }
  const second = createProxied(() => {
    proxy.block()
    second.stopping.abort(new Error('stopping'))
    return outcomes.unreachable()
  })
  await second.runner.run('normal', unreachable!)
  await assertRequeued(second, unreachable!)
  proxy.unblock()
  await proxied.query('select')
  const first = createProxied(accepting)
  proxy.mute()
  const running = first.runner.run('normal', unanswered!)
  await waitFor('the commit of the claim', async () => (await stateOf(unanswered!.msgKey)) === 'claimed')
  first.stopping.abort(new Error('stopping'))
  proxy.block()
  await running
  assert.equal(first.connector.submissions.length, 0)
  await assertRequeued(first, unanswered!)
})

test('a step is submitted once if only one copy of its job names the claim', async () => {
  for (const named of [0, 1]) {
    const [job] = await releasedMany(1)
    const claim = createClaim(job!)
    await claimSteps(database, [claim])
    const { runner, connector } = createRunnerFixture(accepting)
    const copies = [job!, job!].map((copy, n) =>
      n === named ? { ...copy, unsubmittedClaim: claim.token } : copy,
    )
    await Promise.all(copies.map((copy) => runner.run('normal', copy)))
    assert.equal(connector.submissions.length, 1)
    assert.deepEqual(await recorded(job!.msgKey), ['accepted'])
  }
})
