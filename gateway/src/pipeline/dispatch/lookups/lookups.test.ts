import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { outcomes, type Script } from '../../../../test/support/carriers/connector.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { isInFlight, reportCodes, routeId } from '../../../../test/support/fixtures.ts'
import { openRunnerFixtures, type RunnerFixture } from '../../../../test/support/pipeline/runner-fixture.ts'
import { sendThroughQueue, startTestSettle } from '../../../../test/support/pipeline/settle.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { RecordedSubmission, LookupResult, Receipt } from '../../../carriers/connectors/connector.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import { createReceiptSink } from '../../receipts/receipts.ts'
import { createAttemptWriter } from '../runner/attempt-writer.ts'
import { Lookups } from './lookups.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const metrics = testMetrics()
startTestSettle({ broker, topology, database, metrics })
const sink = createReceiptSink(sendThroughQueue(broker.publisher, topology), metrics)
const attemptWriter = createAttemptWriter(database, metrics, silentLog)
const fixtures = openRunnerFixtures(database)
const delaysMs = [20, 20, 20]

type Find = (queried: RecordedSubmission) => LookupResult | Promise<LookupResult>

interface Owner extends RunnerFixture {
  readonly queried: RecordedSubmission[]
}

/** The owner of a route whose carrier accepts every submission and loses every response. */
function createOwner(find: Find, submit: Script = outcomes.unknown): Owner {
  const queried: RecordedSubmission[] = []
  const stopping = new AbortController()
  addCleanup(() => stopping.abort())
  const lookups = new Lookups({
    route: { routeId, options: {} },
    connector: {
      lookup: {
        lostResponse: true,
        missingReceipt: false,
        find: (submission) => {
          queried.push(submission)
          return Promise.resolve(find(submission))
        },
      },
    },
    onReceipt: (receipt) => sink(routeId, receipt),
    record: (rows) => attemptWriter.record(rows, stopping.signal),
    metrics,
    log: silentLog,
    signal: stopping.signal,
    delaysMs,
  })
  const fixture = fixtures.createRunnerFixture(submit, {
    onRecorded: (job, rows) => lookups.watch(job, rows),
  })
  return { ...fixture, queried }
}

const delivered = ({ to, from }: RecordedSubmission): Receipt => ({
  carrierId: 'C-7',
  result: 'delivered',
  cause: 'delivered',
  code: 'DONE',
  recipient: to,
  sender: from,
  at: null,
})
const findDelivered: Find = (queried) => ({ kind: 'found', carrierId: 'C-7', receipt: delivered(queried) })

async function assertDelivered({ msgKey }: RouteJob): Promise<void> {
  await waitFor('its report', async () => !(await isInFlight(database, msgKey)))
  assert.deepEqual(await reportCodes(database, msgKey), ['10000'])
}

test('an unknown submission ends with the result that its carrier reports', async () => {
  const job = await fixtures.released()
  const { runner, connector, queried } = createOwner(findDelivered)
  await runner.run('normal', job)
  await assertDelivered(job)
  assert.equal(connector.submissions.length, 1)
  const [{ reference, to, from } = assert.fail()] = queried
  assert.deepEqual([reference, to, from], [`${job.msgKey}-1-1-1`, job.to, connector.submissions[0]!.from])
})

for (const [name, result] of [
  ['does not find', { kind: 'not-found' }],
  ['fails to look up', { kind: 'failed', code: '500', text: 'down' }],
] as const)
  test(`a submission that the carrier ${name} stays unknown and is not sent again`, async () => {
    const job = await fixtures.released()
    const { runner, connector, queried } = createOwner(() => result)
    await runner.run('normal', job)
    await waitFor('the last query', () => queried.length === delaysMs.length)
    await new Promise((resolve) => setTimeout(resolve, 10 * delaysMs[0]!))
    assert.equal(queried.length, delaysMs.length)
    assert.equal(connector.submissions.length, 1)
    assert.deepEqual(await fixtures.recorded(job.msgKey), ['unknown'])
    assert.equal(await fixtures.stateOf(job.msgKey), 'claimed')
  })

test('a submission that the carrier is still delivering becomes accepted, and its receipt matches', async () => {
  const job = await fixtures.released()
  const { runner, queried } = createOwner(() => ({ kind: 'found', carrierId: 'C-007', receipt: null }))
  await runner.run('normal', job)
  await waitFor('acceptance', async () => (await fixtures.recorded(job.msgKey))[0] === 'accepted')
  await sink(routeId, { ...delivered(queried[0]!), carrierId: 'c-007' })
  await assertDelivered(job)
  assert.equal(queried.length, 1)
})

test('the next owner queries submissions of a killed owner', async () => {
  const job = await fixtures.released()
  const killed = createOwner(findDelivered, () => new Promise<never>(() => undefined))
  void killed.runner.run('normal', job)
  await waitFor('the submission', () => killed.connector.submissions.length === 1)
  const next = createOwner(findDelivered)
  await next.runner.run('normal', job)
  await assertDelivered(job)
  assert.equal(next.connector.submissions.length, 0)
})

test('a route queries four submissions concurrently', async () => {
  const jobs = await fixtures.releasedMany(20)
  let [open, maxOpen] = [0, 0]
  const { runner } = createOwner(async (queried) => {
    maxOpen = Math.max(maxOpen, ++open)
    await new Promise((resolve) => setTimeout(resolve, 5))
    open--
    return findDelivered(queried)
  })
  await Promise.all(jobs.map((job) => runner.run('normal', job)))
  for (const job of jobs) await assertDelivered(job)
  assert.equal(maxOpen, 4)
})
