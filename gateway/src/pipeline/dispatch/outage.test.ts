/**
 * PostgreSQL is unavailable for longer than a worker keeps its routes, while submissions are in progress: every step that the
 * carrier has responded to ends with that response or its receipt, none ends as unknown, and none is submitted twice.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, receipt, recordJobs, reportCodes, routeJob } from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import {
  sendThroughQueue,
  startTestOrphanRetries,
  startTestSettle,
} from '../../../test/support/pipeline/settle.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { smppRoute } from '../../../test/support/smpp/smpp-route.ts'
import { listen } from '../../../test/support/smpp/peer.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { createAttemptWriter } from './runner/attempt-writer.ts'
import { startDispatch } from './dispatch.ts'

const routeId = 'cut'
const messages = 24
/** The SMPP command status for an invalid destination address, which is a refusal. */
const invalidDestination = 0x0b

test('outcomes during a PostgreSQL outage are recorded after it', async () => {
  const { database, url } = await createTestDatabase()
  const { broker, topology } = await createTestBroker()
  const proxy = await createProxy(url)
  const proxied = openDatabase(proxy.url, silentLog, { connections: 6 })
  const membership = joinMembers(proxied, { lostAfterMs: 2_000 })
  const metrics = testMetrics()
  const respond: (() => void)[] = []
  const ids: string[] = []
  const peer = await listen({
    submit_sm: ({ sequence }, session) =>
      respond.push(() => {
        const messageId = `m${respond.length}-${sequence}`
        const isRefused = sequence % 4 === 0
        if (!isRefused) ids.push(messageId)
        session.send('submit_sm_resp', isRefused ? invalidDestination : 0, sequence, { messageId })
      }),
  })
  addCleanup(() => peer.close())
  const route = smppRoute(routeId, peer)
  await upsertRoute(database, { ...route, options: { ...route.options, window: messages } })
  await broker.declare([topology.getQueue(routeId)])
  startTestSettle({ broker, topology, database: proxied, metrics })
  startTestOrphanRetries({ broker, topology, database: proxied, metrics })
  const placing = await openTestPlacement(database)
  const dispatch = startDispatch(placing.routes, {
    ...placing,
    broker,
    topology,
    database: proxied,
    membership,
    metrics,
    log: silentLog,
    attemptWriter: createAttemptWriter(proxied, metrics, silentLog),
    sendToSettle: sendThroughQueue(broker.publisher, topology),
    onReceipt: () => Promise.resolve(),
  })
  addCleanup(async () => {
    await dispatch.stop()
    await proxied.end()
  })

  const accepted = acceptedJobs(messages)
  await recordJobs(database, accepted)
  for (const job of accepted)
    await broker.publisher.send(topology.getQueue(routeId), JSON.stringify(routeJob(job, { routeId })))
  await waitFor('the submissions', () => respond.length === messages)
  proxy.block()
  for (const send of respond) send()
  // All messages have the same recipient, so only the id matches a receipt to its message.
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
  assert.equal(respond.length, messages, 'each was submitted once')
})
