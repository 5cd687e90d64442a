import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendThroughQueue } from '../../../test/support/pipeline/settle.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { sumCounter, testMetrics } from '../../../test/support/silent-log.ts'
import { brokerUrls } from '../../../test/support/engines/services.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { Receipt } from '../../carriers/connectors/connector.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { createSendToSettle } from '../../jobs/send-to-settle.ts'
import { createReceiptSink } from './receipts.ts'

const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const metrics = testMetrics()
const sink = createReceiptSink(sendThroughQueue(broker.publisher, topology), metrics)
const at = new Date('2026-11-14T12:00:00Z')
const receipt: Receipt = {
  carrierId: '00AB',
  result: 'failed',
  cause: 'phone-off',
  code: 'UNDELIV:003',
  recipient: '821012345678',
  sender: '0234567890',
  at,
}

test('a receipt is in the queue before it may be acknowledged to the carrier', async () => {
  const before = Date.now()
  await sink('north', receipt)
  assert.equal(await broker.depth(topology.receipts), 1)
  const [job] = (await testBroker.drain(topology.receipts, 1)) as ReceiptJob[]
  assert.deepEqual(job, {
    v: 1,
    kind: 'receipt',
    routeId: 'north',
    carrierId: '00AB',
    result: 'failed',
    cause: 'phone-off',
    code: 'UNDELIV:003',
    recipient: '821012345678',
    at: at.getTime(),
    receivedAt: job!.receivedAt,
  })
  // `receivedAt` follows the clock of PostgreSQL, which may differ from Date.now() by milliseconds.
  assert.ok(job.receivedAt >= before - 1_000 && job.receivedAt <= Date.now() + 1_000)
})

test('a receipt carries the digest of the login that it arrived on', async () => {
  await sink('north', receipt, 'digest')
  const [job] = (await testBroker.drain(topology.receipts, 1)) as ReceiptJob[]
  assert.equal(job!.login, 'digest')
})

test('a receipt without a time takes the time of its arrival', async () => {
  await sink('north', { ...receipt, at: null })
  const [job] = (await testBroker.drain(topology.receipts, 1)) as ReceiptJob[]
  assert.equal(job!.at, job!.receivedAt)
})

test('an intermediate notification is counted and not published', async () => {
  await sink('north', { ...receipt, result: 'pending' })
  assert.equal(await broker.depth(topology.receipts), 0)
  assert.equal(await sumCounter(metrics.receipts, { result: 'pending' }), 1)
})

test('rejects while neither the broker nor PostgreSQL is available', async () => {
  const proxy = await createProxy(brokerUrls()[0]!)
  const proxied = await testBroker.open({ urls: [proxy.url] })
  const rejectDirectSettle = (): Promise<never> => Promise.reject(new Error('PostgreSQL is unavailable'))
  const sendToSettle = createSendToSettle({
    publisher: proxied.publisher,
    topology,
    settleNow: rejectDirectSettle,
  })
  const disconnected = createReceiptSink(sendToSettle, metrics)
  proxy.block()
  await waitFor('the loss to be noticed', () => !proxied.canPublish)
  await assert.rejects(disconnected('north', receipt), /PostgreSQL is unavailable/)
})
