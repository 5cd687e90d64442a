import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, recordJobs, routeJob } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { sendThroughQueue } from '../../../test/support/pipeline/settle.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { smppRoute } from '../../../test/support/smpp/smpp-route.ts'
import { listen } from '../../../test/support/smpp/peer.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { createAttemptWriter } from './runner/attempt-writer.ts'
import { startDispatch } from './dispatch.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { topology } = testBroker
const folder = mkdtempSync(join(tmpdir(), 'postern-credentials-'))
after(() => rmSync(folder, { recursive: true }))

test('a changed password file causes a new bind; concurrent messages are accepted once', async () => {
  const secretFile = join(folder, 'password')
  writeFileSync(secretFile, 'first-01\n')
  const peer = await listen({
    submit_sm: (pdu, session) =>
      session.send('submit_sm_resp', 0, pdu.sequence, { messageId: `m${pdu.sequence}-${Math.random()}` }),
  })
  addCleanup(() => peer.close())
  const route = smppRoute('rotating', peer)
  await upsertRoute(database, {
    ...route,
    options: { ...route.options, window: 5, password: `file:${secretFile}` },
  })
  await testBroker.broker.declare([topology.getQueue('rotating')])
  const broker = await testBroker.open()
  const placing = await openTestPlacement(database)
  const metrics = testMetrics()
  const dispatch = startDispatch(
    placing.routes,
    {
      ...placing,
      broker,
      topology,
      database,
      metrics,
      log: silentLog,
      membership: joinMembers(database),
      attemptWriter: createAttemptWriter(database, metrics, silentLog),
      sendToSettle: sendThroughQueue(broker.publisher, topology),
      onReceipt: () => Promise.resolve(),
    },
    { credentialsEveryMs: 20 },
  )
  addCleanup(() => dispatch.stop())
  const passwords = (): string[] =>
    peer.sessions.flatMap((session) => session.of('bind_transceiver').map(({ password }) => password))
  await waitFor('the first bind', () => passwords().length === 1)

  const jobs = acceptedJobs(300)
  await recordJobs(database, jobs)
  const sending = Promise.all(
    jobs.map((job) =>
      testBroker.broker.publisher.send(
        topology.getQueue('rotating'),
        JSON.stringify(routeJob(job, { routeId: 'rotating', lane: 'normal' })),
      ),
    ),
  )
  const accepted = async (): Promise<number> => {
    const found = await database.query(`select from attempts where outcome = 'accepted'`)
    return found.rowCount ?? 0
  }
  await waitFor('the first responses', async () => (await accepted()) > 0)
  writeFileSync(secretFile, 'second-2\n')
  await sending
  await waitFor('a bind with the new password', () => passwords().includes('second-2'))
  // A file that is missing for a moment, while it is replaced, leaves the link as it is.
  rmSync(secretFile)
  await waitFor('all responses', async () => (await accepted()) === 300)
  assert.deepEqual(passwords(), ['first-01', 'second-2'])
  const submitted = peer.sessions.reduce((sum, session) => sum + session.of('submit_sm').length, 0)
  assert.equal(submitted, 300)
  await dispatch.stop()
})
