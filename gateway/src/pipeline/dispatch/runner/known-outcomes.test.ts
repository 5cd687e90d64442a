import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { outcomes, type Script } from '../../../../test/support/carriers/connector.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { isInFlight, longStep, receipt, reportCodes, routeId } from '../../../../test/support/fixtures.ts'
import { allowEverything } from '../../../../test/support/policy.ts'
import { createProxy } from '../../../../test/support/engines/proxy.ts'
import {
  accepting,
  openRunnerFixtures,
  type RunnerFixture,
} from '../../../../test/support/pipeline/runner-fixture.ts'
import { startTestOrphanRetries, startTestSettle } from '../../../../test/support/pipeline/settle.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { RouteJob, SettleJob } from '../../../jobs/jobs.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import type { RuleDecision } from '../../../trust/rule-group.ts'

const { database, url } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const metrics = testMetrics()
const { settleNow } = startTestSettle({ broker, topology, database, metrics })
startTestOrphanRetries({ broker, topology, database, metrics })
const direct = openRunnerFixtures(database)

const settle = (job: SettleJob): Promise<void> =>
  broker.publisher.send(topology.verdicts, JSON.stringify(job))

type Settings = Parameters<typeof direct.createRunnerFixture>[1]

/** Runs the jobs at an owner that gets responses, loses PostgreSQL and stops. */
async function respondWithoutDatabase(
  jobs: readonly RouteJob[],
  script: Script,
  settings: Settings = {},
): Promise<RunnerFixture> {
  const { running, ...fixture } = await stopWithoutDatabase(jobs, script, settings)
  await running
  return fixture
}

async function stopWithoutDatabase(
  jobs: readonly RouteJob[],
  script: Script,
  settings: Settings,
): Promise<RunnerFixture & { readonly running: Promise<unknown> }> {
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: 2 })
  addCleanup(() => proxied.end())
  const response = Promise.withResolvers<undefined>()
  const fixture = openRunnerFixtures(proxied).createRunnerFixture(
    async (submission, nth) => {
      await response.promise
      return script(submission, nth)
    },
    { window: 50, ...settings },
  )
  const running = Promise.all(jobs.map((job) => fixture.runner.run('normal', job)))
  await waitFor('the submissions', () => fixture.connector.submissions.length >= jobs.length)
  proxy.block()
  fixture.stopping.abort(new Error('the route is stopping'))
  response.resolve(undefined)
  return { ...fixture, running }
}

test('known outcomes replace recorded unknown ones, and receipts match them', async () => {
  const jobs = await direct.releasedMany(20)
  const { connector, handedOver, answerJobs } = await respondWithoutDatabase(jobs, accepting)
  assert.equal(handedOver.length, 20)
  // The broker deliveries were lost with the connection: the next owner receives them before and after the outcomes arrive.
  const next = direct.createRunnerFixture(accepting)
  for (const job of jobs.slice(0, 10)) await next.runner.run('normal', job)
  assert.deepEqual(await direct.recorded(jobs[0]!.msgKey), ['unknown'])
  // All messages have the same recipient, so only the id matches a receipt to its message.
  for (const row of handedOver)
    await settle(receipt({ routeId: row.routeId, carrierId: row.carrierId, recipient: row.recipient }))
  for (const response of answerJobs) await settle(response)
  for (const { msgKey } of jobs)
    await waitFor('its report', async () => !(await isInFlight(database, msgKey)))
  for (const job of jobs.slice(10)) await next.runner.run('normal', job)
  for (const { msgKey } of jobs) {
    assert.deepEqual(await direct.recorded(msgKey), ['accepted'])
    assert.deepEqual(await reportCodes(database, msgKey), ['10000'])
  }
  assert.equal(connector.submissions.length, 20)
  assert.equal(next.connector.submissions.length, 0)
})

test('a refusal ends its step, even after it was recorded as unknown', async () => {
  const [early, late] = await direct.releasedMany(2)
  const { answerJobs } = await respondWithoutDatabase([early!, late!], () => outcomes.refused())
  await direct.createRunnerFixture(accepting).runner.run('normal', late!)
  for (const response of answerJobs) await settle(response)
  for (const { msgKey } of [early!, late!]) {
    await waitFor('its report', async () => (await reportCodes(database, msgKey)).length === 1)
    assert.deepEqual(await direct.recorded(msgKey), ['refused'])
    assert.notDeepEqual(await reportCodes(database, msgKey), ['99999'])
  }
})

test('the next owner repeats an unknown submission if the carrier recognizes repeats', async () => {
  const job = await direct.released()
  const settings = { repeatable: true }
  const { handedOver, running } = await stopWithoutDatabase([job], () => outcomes.unknown(), settings)
  await assert.rejects(running)
  assert.deepEqual(handedOver, [])
  const next = direct.createRunnerFixture(accepting, settings)
  await next.runner.run('normal', job)
  assert.equal(next.connector.submissions.length, 1)
  assert.deepEqual(await direct.recorded(job.msgKey), ['accepted'])
})

test('a refusal does not end a step that the next owner has repeated with success', async () => {
  const job = await direct.released()
  const settings = { repeatable: true }
  const { ended, answerJobs } = await respondWithoutDatabase([job], () => outcomes.refused(), settings)
  await direct.createRunnerFixture(accepting, settings).runner.run('normal', job)
  for (const response of answerJobs) await settleNow(response)
  assert.deepEqual(ended, [], 'no verdict next to the response')
  assert.deepEqual(await direct.recorded(job.msgKey), ['accepted'])
  assert.equal(await isInFlight(database, job.msgKey), true)
})

const repeats = { repeatable: true }

/** The next owner takes the step over and repeats it; its carrier responds when `accept` is called. */
async function repeat(job: RouteJob): Promise<{ readonly accept: () => Promise<void> }> {
  const response = Promise.withResolvers<undefined>()
  const next = direct.createRunnerFixture(async (submission, nth) => {
    await response.promise
    return accepting(submission, nth)
  }, repeats)
  const running = next.runner.run('normal', job)
  await waitFor('the repeat', () => next.connector.submissions.length === 1)
  return {
    accept: async () => {
      response.resolve(undefined)
      await running
    },
  }
}

async function assertOpenAndAccepted({ msgKey }: RouteJob): Promise<void> {
  assert.deepEqual(await direct.recorded(msgKey), ['accepted'])
  assert.equal(await isInFlight(database, msgKey), true)
}

test('a refusal does not end a step that the next owner is repeating', async () => {
  const job = await direct.released()
  const { answerJobs } = await respondWithoutDatabase([job], () => outcomes.refused(), repeats)
  const { accept } = await repeat(job)
  for (const response of answerJobs) await settleNow(response)
  assert.equal(await isInFlight(database, job.msgKey), true)
  await accept()
  await assertOpenAndAccepted(job)
})

for (const why of ['stops', 'was frozen', 'does not know that it was replaced'] as const) {
  test(`the refusal of an owner that ${why} does not end a repeated step`, async () => {
    const job = await direct.released()
    const response = Promise.withResolvers<undefined>()
    let isEligible = true
    const first = direct.createRunnerFixture(
      async () => {
        await response.promise
        return outcomes.refused()
      },
      { ...repeats, isEligible: () => isEligible },
    )
    const running = first.runner.run('normal', job)
    await waitFor('the submission', () => first.connector.submissions.length === 1)
    if (why === 'stops') first.stopping.abort(new Error('the route is stopping'))
    if (why === 'was frozen') isEligible = false
    const { accept } = await repeat(job)
    response.resolve(undefined)
    await running
    assert.deepEqual(first.ended, [])
    for (const responseJob of first.answerJobs) await settleNow(responseJob)
    assert.equal(await isInFlight(database, job.msgKey), true)
    await accept()
    await assertOpenAndAccepted(job)
  })
}

test('the next owner does not repeat a step whose refusal has come first', async () => {
  const job = await direct.released()
  const { answerJobs } = await respondWithoutDatabase([job], () => outcomes.refused(), repeats)
  // The broker may send each of them twice.
  for (const response of [...answerJobs, ...answerJobs]) await settleNow(response)
  const next = direct.createRunnerFixture(accepting, repeats)
  await next.runner.run('normal', job)
  assert.equal(next.connector.submissions.length, 0)
  assert.deepEqual(await direct.recorded(job.msgKey), ['refused'])
  assert.equal((await reportCodes(database, job.msgKey)).length, 1)
})

test('a refusal by a rule does not become unknown', async () => {
  const job = await direct.released()
  await database.query(`create function fail_as_engine() returns trigger language plpgsql as $$
    begin raise exception 'made unavailable by the test' using errcode = '57P01'; end $$`)
  await database.query(`create trigger unavailable before insert on attempts for each row
    when (new.msg_key = '${job.msgKey}') execute function fail_as_engine()`)
  const denial = { verdict: 'fail', rule: 'sender.unregistered', cause: 'refused', text: 'of the test' }
  const policy = { ...allowEverything, checkSubmission: () => denial as RuleDecision }
  const { runner, stopping, handedOver, connector } = direct.createRunnerFixture(accepting, { policy })
  const running = runner.run('normal', job)
  await waitFor('the claim', async () => (await direct.stateOf(job.msgKey)) === 'claimed')
  stopping.abort(new Error('the route is stopping'))
  await running
  assert.deepEqual(
    handedOver.map(({ outcome }) => outcome),
    ['refused'],
  )
  assert.equal(connector.submissions.length, 0)
})

test('both parts of a message are published to settle together', async () => {
  const job = await direct.released({ steps: [longStep] })
  const { answerJobs } = await respondWithoutDatabase([job], ({ reference }) => outcomes.accepted(reference))
  for (const response of answerJobs) await settle(response)
  await waitFor('both', async () => (await direct.recorded(job.msgKey)).length === 2)
  const stored = await database.query(
    'select from attempts where msg_key = $1 and route_id = $2 and parts = 2 and carrier_id is not null',
    [job.msgKey, routeId],
  )
  assert.equal(stored.rowCount, 2)
})
