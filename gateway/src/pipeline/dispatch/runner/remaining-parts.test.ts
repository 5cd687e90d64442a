/**
 * A message in parts whose owner stops after the carrier has accepted some of them and certainly not the others: it submits
 * the others while it drains, and records those that do not get their turn as unknown. No other owner submits them.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { outcomes } from '../../../../test/support/carriers/connector.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { longStep } from '../../../../test/support/fixtures.ts'
import {
  accepting,
  openRunnerFixtures,
  type RunnerFixture,
} from '../../../../test/support/pipeline/runner-fixture.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { SubmitOutcome } from '../../../carriers/connectors/connector.ts'
import { SubscriptionLost } from '../../../platform/broker/consume.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'

const { database } = await createTestDatabase()
const { createRunnerFixture, released, recorded } = openRunnerFixtures(database)

interface PartlySubmitted extends RunnerFixture {
  readonly job: RouteJob
  readonly delivery: AbortController
  readonly running: Promise<void>
}

/** Part 1 is accepted; part 2 gets the outcome, then is accepted. */
async function submitPartly(outcome: SubmitOutcome): Promise<PartlySubmitted> {
  const job = await released({ steps: [longStep] })
  let isFirst = true
  const fixture = createRunnerFixture(({ part }) => {
    if (part?.part === 1 || !isFirst) return outcomes.accepted(`part-${part?.part}`)
    isFirst = false
    return outcome
  })
  // Ends the pause of the route.
  addCleanup(() => fixture.runner.stop())
  const delivery = new AbortController()
  const running = fixture.runner.run('normal', job, delivery.signal)
  await waitFor('the response to part 1', async () => (await recorded(job.msgKey)).length === 1)
  return { ...fixture, job, delivery, running }
}

async function assertNotSubmittedAgain(job: RouteJob, expected: readonly string[]): Promise<void> {
  const { runner, connector } = createRunnerFixture(accepting)
  await runner.run('normal', job)
  assert.equal(connector.submissions.length, 0)
  assert.deepEqual(await recorded(job.msgKey), expected)
}

test('parts that get their turn while the route drains are submitted', async () => {
  const { stopping, running, job, connector } = await submitPartly(outcomes.throttled(300))
  stopping.abort(new Error('the route is stopping'))
  await running
  assert.deepEqual(
    connector.submissions.map(({ part }) => part?.part),
    [1, 2, 2],
  )
  await assertNotSubmittedAgain(job, ['accepted', 'accepted'])
})

test('parts that are throttled until the end of the drain become unknown', async () => {
  const { stopping, running, job, runner } = await submitPartly(outcomes.throttled(60_000))
  stopping.abort(new Error('the route is stopping'))
  runner.stop()
  await running
  await assertNotSubmittedAgain(job, ['accepted', 'unknown'])
})

test('parts of a route without a link become unknown when it stops', async () => {
  const { stopping, running, job, runner } = await submitPartly(outcomes.throttled(60_000))
  runner.linked = false
  stopping.abort(new Error('the route is stopping'))
  await running
  await assertNotSubmittedAgain(job, ['accepted', 'unknown'])
})

test('parts that wait to be retried become unknown when the route stops', async () => {
  const { stopping, running, job } = await submitPartly(outcomes.unreachable())
  stopping.abort(new Error('the route is stopping'))
  await running
  await assertNotSubmittedAgain(job, ['accepted', 'unknown'])
})

test('parts become unknown before the broker takes their delivery back', async () => {
  const { delivery, running, job, runner } = await submitPartly(outcomes.throttled(60_000))
  delivery.abort(new Error('the delivery was held for too long'))
  await waitFor('the end of the wait', () => runner.holdOverdue() === 1)
  await running
  await assertNotSubmittedAgain(job, ['accepted', 'unknown'])
})

test('parts wait on if their delivery is lost, and the copy of the job joins them', async () => {
  const { delivery, running, job, runner, connector } = await submitPartly(outcomes.throttled(300))
  delivery.abort(new SubscriptionLost('the connection is lost'))
  await Promise.all([running, runner.run('normal', job)])
  assert.equal(connector.submissions.length, 3)
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'accepted'])
})
