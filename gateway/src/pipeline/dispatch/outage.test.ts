/**
 * PostgreSQL is unavailable for longer than a worker keeps its routes, while submissions are in progress: every step that the
 * carrier has answered ends with that answer or its receipt, none as unknown, and none is submitted twice.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/broker.ts'
import { atEnd } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { acceptedJobs, receipt, recordJobs, reportCodes, routeJob } from '../../../test/support/fixtures.ts'
import { openPlacing } from '../../../test/support/placing.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { createProxy } from '../../../test/support/proxy.ts'
import { sendThroughQueue, startTestOrphanRetries, startTestSettle } from '../../../test/support/settle.ts'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { smppRoute } from '../../../test/support/smpp-route.ts'
import { listen } from '../../../test/support/smpp/peer.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { openDatabase } from '../../platform/database.ts'
import { upsertRoute } from '../../routes/queries.ts'
import { createAttemptWriter } from './attempt-writer.ts'
import { startDispatch } from './dispatch.ts'

const routeId = 'cut'
const messages = 24
/** Of every fourth submission. */
const invalidDestination = 0x0b

test('what the carrier answers while PostgreSQL is unavailable is recorded when it is back', async () => {
  const { database, url } = await createTestDatabase()
  const { broker, topology } = await createTestBroker()
  const proxy = await createProxy(url)
  const over = openDatabase(proxy.url, quietLog, { connections: 6 })
  const membership = joinMembers(over, { lostAfterMs: 2_000 })
  const metrics = testMetrics()
  const answers: (() => void)[] = []
  const ids: string[] = []
  const peer = await listen({
    submit_sm: ({ sequence }, session) =>
      answers.push(() => {
        const messageId = `m${answers.length}-${sequence}`
        const isRefused = sequence % 4 === 0
        if (!isRefused) ids.push(messageId)
        session.send('submit_sm_resp', isRefused ? invalidDestination : 0, sequence, { messageId })
      }),
  })
  atEnd(() => peer.close())
  const route = smppRoute(routeId, peer)
  await upsertRoute(database, { ...route, options: { ...route.options, window: messages } })
  await broker.declare([topology.queueOf(routeId)])
  startTestSettle({ broker, topology, database: over, metrics })
  startTestOrphanRetries({ broker, topology, database: over, metrics })
  const placing = await openPlacing(database)
  const dispatch = startDispatch(placing.routes, {
    ...{ ...placing, broker, topology, database: over, membership, metrics, log: quietLog },
    attemptWriter: createAttemptWriter(over, metrics, quietLog),
    sendToSettle: sendThroughQueue(broker.publisher, topology),
    onReceipt: () => Promise.resolve(),
  })
  atEnd(async () => {
    await dispatch.stop()
    await over.end()
  })

  const accepted = acceptedJobs(messages)
  await recordJobs(database, accepted)
  for (const job of accepted)
    await broker.publisher.send(topology.queueOf(routeId), JSON.stringify(routeJob(job, { routeId })))
  await waitFor('the submissions', () => answers.length === messages)
  proxy.block()
  for (const answer of answers) answer()
  // All are to one recipient: only its id leads a receipt to its message.
  for (const carrierId of ids)
    await broker.publisher.send(topology.receipts, JSON.stringify(receipt({ routeId, carrierId })))
  await waitFor('the owner to give its link up', () => peer.sessions[0]!.closed)
  proxy.unblock()

  const codes: string[] = []
  for (const { msgKey } of accepted) {
    const isReported = async (): Promise<boolean> => (await reportCodes(database, msgKey)).length > 0
    await waitFor('its report', isReported, { timeoutMs: 20_000 })
    codes.push(...(await reportCodes(database, msgKey)))
  }
  const refused = messages - ids.length
  assert.deepEqual(codes.filter((code) => code === '10000').length, ids.length)
  assert.deepEqual(codes.filter((code) => !['10000', '99999'].includes(code)).length, refused)
  const outcomes = await database.query<{ outcome: string; n: number }>(
    'select outcome, count(*) as n from attempts group by 1 order by 1',
  )
  assert.deepEqual(outcomes.rows, [
    { outcome: 'accepted', n: ids.length },
    { outcome: 'refused', n: refused },
  ])
  assert.equal(answers.length, messages, 'each was submitted once')
})
