import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, attempt, recordJobs, routeJob } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { sendThroughQueue } from '../../../test/support/pipeline/settle.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { assertWithin } from '../../../test/support/wait.ts'
import type { SettleJob } from '../../jobs/jobs.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { createFailedStepHandler, createReleaseStep } from './failed-step-handler.ts'

const { database, url } = await createTestDatabase()
const testBroker = await createTestBroker()
const { topology } = testBroker
const { publisher } = testBroker.broker

test('steps of routes that lose their carriers are written in bulk', async () => {
  const statements = new Map<string, number>()
  const pool = openDatabase(url, silentLog, {
    connections: 4,
    onStatement: (name) => statements.set(name, (statements.get(name) ?? 0) + 1),
  })
  addCleanup(() => pool.end())
  for (const id of ['east', 'west']) await upsertRoute(database, testRoute(id))
  const placing = await openTestPlacement(database)
  const releaseStep = createReleaseStep({ database: pool, publisher, topology })
  const [east, west] = ['east', 'west'].map((routeId) =>
    createFailedStepHandler({
      ...placing,
      topology,
      database: pool,
      releaseStep,
      routeId,
      log: silentLog,
      sendToSettle: sendThroughQueue(publisher, topology),
      signal: new AbortController().signal,
    }),
  )
  const accepted = acceptedJobs(1_000)
  await recordJobs(database, accepted)
  const later = { kind: 'later', afterMs: 60_000 } as const
  const returned = accepted.map((job, n) => (n % 2 === 0 ? east! : west!).returnStep(routeJob(job), later))
  const started = performance.now()
  await pool.query('select 1')
  const waitedMs = performance.now() - started
  await Promise.all(returned)
  const { rowCount } = await database.query('select from waiting')
  assert.equal(rowCount, 1_000)
  assert.ok(statements.get('hold-steps')! <= 10, `${statements.get('hold-steps')} statements`)
  assertWithin('another statement', waitedMs, 500)
})

test('a step without another route waits for its disabled route', async () => {
  for (const id of ['east', 'west']) await upsertRoute(database, { ...testRoute(id), enabled: false })
  const placing = await openTestPlacement(database)
  const handler = createFailedStepHandler({
    ...placing,
    topology,
    database,
    routeId: 'east',
    log: silentLog,
    releaseStep: createReleaseStep({ database, publisher, topology }),
    sendToSettle: sendThroughQueue(publisher, topology),
    signal: new AbortController().signal,
  })
  const [accepted] = acceptedJobs(1)
  await recordJobs(database, [accepted!])
  await handler.returnStep(routeJob(accepted!), { kind: 'other-route' })
  const { rows } = await database.query('select route_id from waiting where msg_key = $1', [accepted!.msgKey])
  assert.deepEqual(rows, [{ route_id: 'east' }])
})

test('a refusal keeps its report code and ported carrier after its verdict was lost', async () => {
  await upsertRoute(database, testRoute('east', { carriers: ['10002'] }))
  await upsertRoute(database, testRoute('west', { carriers: ['10001'] }))
  const placing = await openTestPlacement(database)
  const sent: SettleJob[] = []
  const handler = createFailedStepHandler({
    ...placing,
    topology,
    database,
    routeId: 'east',
    log: silentLog,
    releaseStep: createReleaseStep({ database, publisher, topology }),
    sendToSettle: (job) => {
      sent.push(job)
      return Promise.resolve()
    },
    signal: new AbortController().signal,
  })
  const jobs = acceptedJobs(2)
  const keys = await recordJobs(database, jobs)
  const refused = { outcome: 'refused', carrierId: null } as const
  await recordAttempts(database, [
    attempt(keys[0]!, { ...refused, cause: 'attachment', reportCode: '23034' }),
    attempt(keys[1]!, { ...refused, cause: 'no-subscriber', portedTo: '10001' }),
  ])
  for (const job of jobs) await handler.endStepAgain(routeJob(job))
  const seen = sent.map((job) => job.kind === 'verdict' && [job.cause, job.reportCode, job.portedTo])
  assert.deepEqual(seen, [
    ['attachment', '23034', undefined],
    ['no-subscriber', undefined, '10001'],
  ])
})
