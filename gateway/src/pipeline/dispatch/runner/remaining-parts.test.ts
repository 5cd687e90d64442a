/**
 * A message in parts whose owner stops after the carrier has accepted some of them and certainly not the others: the next
 * owner submits the others, once, instead of recording them as unknown.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomes } from '../../../../test/support/carriers/connector.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { longStep } from '../../../../test/support/fixtures.ts'
import { accepting, openRunnerFixtures } from '../../../../test/support/pipeline/runner-fixture.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'

const { database } = await createTestDatabase()
const { createRunnerFixture, released, recorded } = openRunnerFixtures(database)
const partsOf = ({ connector }: ReturnType<typeof createRunnerFixture>): unknown[] =>
  connector.submissions.map(({ part }) => part?.part)

/** Part 1 is accepted and part 2 is not, for the given reason, when the owner stops. */
async function stoppedBetween(
  rest: 'throttled' | 'unreachable',
): Promise<{ job: RouteJob; named: RouteJob }> {
  const job = await released({ steps: [longStep] })
  const { runner, stopping, requeued } = createRunnerFixture(({ part }) => {
    if (part?.part === 1) return outcomes.accepted('first')
    return rest === 'throttled' ? outcomes.throttled(60_000) : outcomes.unreachable()
  })
  const running = runner.run('normal', job)
  await waitFor('the response to part 1', async () => (await recorded(job.msgKey)).length === 1)
  stopping.abort(new Error('the route is stopping'))
  await running
  assert.deepEqual(
    requeued.map(({ rest: named }) => named?.parts),
    [[2]],
  )
  return { job, named: requeued[0]! }
}

for (const why of ['throttled', 'unreachable'] as const) {
  test(`the parts that were ${why} are submitted by the next owner`, async () => {
    const { job, named } = await stoppedBetween(why)
    const next = createRunnerFixture(accepting)
    await next.runner.run('normal', named)
    assert.deepEqual(partsOf(next), [2])
    assert.deepEqual(await recorded(job.msgKey), ['accepted', 'accepted'])
    // The broker sends both jobs again.
    const third = createRunnerFixture(accepting)
    await Promise.all([named, job].map((copy) => third.runner.run('normal', copy)))
    assert.deepEqual(partsOf(third), [])
    assert.deepEqual(await recorded(job.msgKey), ['accepted', 'accepted'])
  })
}

test('remaining parts survive a stale copy of the job and another change of owner', async () => {
  const { job, named } = await stoppedBetween('throttled')
  await createRunnerFixture(accepting).runner.run('normal', job)
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'unknown'])
  const second = createRunnerFixture(() => outcomes.throttled(60_000))
  const running = second.runner.run('normal', named)
  await waitFor('its submission', () => second.connector.submissions.length === 1)
  second.stopping.abort(new Error('the route is stopping'))
  await running
  const third = createRunnerFixture(accepting)
  await third.runner.run('normal', second.requeued[0]!)
  assert.deepEqual(partsOf(third), [2])
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'accepted'])
})

test('parts become unknown if the route submits whole messages in the meantime', async () => {
  const { job, named } = await stoppedBetween('throttled')
  const next = createRunnerFixture(accepting, { takes: 'message' })
  await next.runner.run('normal', named)
  assert.deepEqual(partsOf(next), [])
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'unknown'])
})

test('one of two owners with the same job submits', async () => {
  const { job, named } = await stoppedBetween('throttled')
  const owners = [createRunnerFixture(accepting), createRunnerFixture(accepting)]
  await Promise.all(owners.map(({ runner }) => runner.run('normal', named)))
  assert.deepEqual(owners.flatMap(partsOf), [2])
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'accepted'])
})

test('an owner that dies after it may have submitted them leaves them unknown', async () => {
  const { job, named } = await stoppedBetween('throttled')
  const dying = createRunnerFixture(() => new Promise(() => undefined))
  void dying.runner.run('normal', named)
  await waitFor('its submission', () => dying.connector.submissions.length === 1)
  const next = createRunnerFixture(accepting)
  await next.runner.run('normal', named)
  assert.deepEqual(partsOf(next), [])
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'unknown'])
})

for (const why of ['throttled', 'unreachable'] as const) {
  test(`an owner republishes parts that are ${why} before the broker takes them back`, async () => {
    const job = await released({ steps: [longStep] })
    const delivery = new AbortController()
    const outcome = why === 'throttled' ? outcomes.throttled(60_000) : outcomes.unreachable()
    const { runner, stopping, requeued, returned } = createRunnerFixture(({ part }) =>
      part?.part === 1 ? outcomes.accepted('first') : outcome,
    )
    const running = runner.run('normal', job, delivery.signal)
    await waitFor('the response to part 1', async () => (await recorded(job.msgKey)).length === 1)
    delivery.abort(new Error('the delivery was held for too long'))
    await waitFor('its return', () => {
      runner.holdOverdue()
      return requeued.length === 1
    })
    await running
    stopping.abort(new Error('the route is stopping'))
    assert.deepEqual(returned, [])
    const next = createRunnerFixture(accepting)
    await next.runner.run('normal', requeued[0]!)
    assert.deepEqual(partsOf(next), [2])
    assert.deepEqual(await recorded(job.msgKey), ['accepted', 'accepted'])
  })
}
