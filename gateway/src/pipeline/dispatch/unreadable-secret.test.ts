/**
 * A secret whose file cannot be read at one moment does not stop its route: a rotation uses what it has read before the
 * old link was closed, a file that is mounted late is read again, and until then waiting steps take another route.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, recordJobs, routeJob } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { sendThroughQueue } from '../../../test/support/pipeline/settle.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { smppRoute } from '../../../test/support/smpp/smpp-route.ts'
import { listen, type Peer, type Script } from '../../../test/support/smpp/peer.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { RouteStates } from '../../carriers/routes/states.ts'
import { createRouter } from '../../carriers/routes/router.ts'
import { createAttemptWriter } from './runner/attempt-writer.ts'
import { startDispatch } from './dispatch.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { topology } = testBroker
const folder = mkdtempSync(join(tmpdir(), 'postern-secrets-'))
after(() => rmSync(folder, { recursive: true }))

const accepting: Script = {
  submit_sm: (pdu, session) =>
    session.send('submit_sm_resp', 0, pdu.sequence, { messageId: `m${Math.random()}` }),
}

async function carrier(script: Script = accepting): Promise<Peer> {
  const peer = await listen(script)
  addCleanup(() => peer.close())
  return peer
}

const passwordsOf = (peer: Peer): string[] =>
  peer.sessions.flatMap((session) => session.of('bind_transceiver').map(({ password }) => password))
const submissionsTo = (peer: Peer): number =>
  peer.sessions.reduce((sum, session) => sum + session.of('submit_sm').length, 0)

interface LogLine {
  readonly msg: string
  readonly level: number
  readonly route?: string
}

/** Starts dispatch with all routes in the table; `lines` are its log. */
async function start(): Promise<{ readonly lines: LogLine[]; readonly stop: () => Promise<void> }> {
  const lines: LogLine[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line) as LogLine) })
  await testBroker.broker.declare(topology.dispatch)
  const broker = await testBroker.open()
  const placing = await openTestPlacement(database)
  const states = new RouteStates(database, silentLog)
  await states.start()
  const metrics = testMetrics()
  const dispatch = startDispatch(
    placing.routes,
    {
      ...placing,
      broker,
      topology,
      database,
      metrics,
      log,
      states,
      membership: joinMembers(database),
      router: createRouter(placing.routes, states),
      attemptWriter: createAttemptWriter(database, metrics, silentLog),
      sendToSettle: sendThroughQueue(broker.publisher, topology),
      onReceipt: () => Promise.resolve(),
    },
    { credentialsEveryMs: 20 },
  )
  const stop = async (): Promise<void> => {
    await dispatch.stop()
    await states.stop()
  }
  addCleanup(stop)
  return { lines, stop }
}

async function recorded(count: number, routeId: string) {
  const jobs = acceptedJobs(count)
  await recordJobs(database, jobs)
  return jobs.map((job) => routeJob(job, { routeId, lane: 'normal' }))
}

async function send(routeId: string): Promise<void> {
  const [job] = await recorded(1, routeId)
  await testBroker.broker.publisher.send(topology.getQueue(routeId), JSON.stringify(job))
}

test('a rotation whose file disappears while the old link is drained ends with the new secret', async () => {
  const file = join(folder, 'rotated')
  writeFileSync(file, 'first-01\n')
  const response = Promise.withResolvers<undefined>()
  const peer = await carrier({
    submit_sm: (pdu, session) => void response.promise.then(() => accepting.submit_sm!(pdu, session)),
  })
  const route = smppRoute('rotated', peer)
  await upsertRoute(database, { ...route, options: { ...route.options, password: `file:${file}` } })
  const dispatch = await start()
  await waitFor('the first bind', () => passwordsOf(peer).length === 1)
  await send('rotated')
  await waitFor('a submission without a response', () => submissionsTo(peer) === 1)
  writeFileSync(file, 'second-2\n')
  await waitFor('the rotation', () => dispatch.lines.some(({ msg }) => msg.includes('has changed')))
  rmSync(file)
  response.resolve(undefined)
  await waitFor('a bind with the new password', () => passwordsOf(peer).includes('second-2'))
  assert.deepEqual(passwordsOf(peer), ['first-01', 'second-2'])
  await dispatch.stop()
  await database.query('delete from routes')
})

test('a route starts when its secret file appears; until then its steps take another route', async () => {
  const file = join(folder, 'late')
  const [late, other] = [await carrier(), await carrier()]
  const route = smppRoute('late', late, { priority: 10, failoverAfterSeconds: 1 })
  await upsertRoute(database, { ...route, options: { ...route.options, password: `file:${file}` } })
  await upsertRoute(database, smppRoute('other', other, { priority: 20 }))
  const waiting = await recorded(5, 'late')
  const now = new Date()
  await holdSteps(
    database,
    waiting.map(({ msgKey, step, try: nth, accountId }) => ({
      msgKey,
      step,
      try: nth,
      accountId,
      routeId: 'late',
      lane: 'normal',
      parts: 1,
      tries: 0,
      releaseAt: now,
      reason: 'backlog',
    })),
  )
  const dispatch = await start()
  await waitFor('the steps at the other carrier', () => submissionsTo(other) === 5)
  const failures = dispatch.lines.filter(({ msg }) => msg.includes('cannot run the route'))
  assert.deepEqual(
    failures.map(({ route: id, level }) => [id, level]),
    [['late', 50]],
    'one line, however often it is tried again',
  )
  assert.match(failures[0]!.msg, /retries/)
  assert.equal(existsSync(file), false)
  writeFileSync(file, 'mounted1\n')
  await waitFor('the bind', () => passwordsOf(late).length === 1)
  await send('late')
  await waitFor('a step at the late carrier', () => submissionsTo(late) === 1)
  assert.deepEqual([passwordsOf(late), submissionsTo(other)], [['mounted1'], 5])
  await dispatch.stop()
})
