/**
 * No receipt of a carrier can stop settlement: through connector, receipts, queue and settle, those with values of 16 KB
 * or characters that PostgreSQL refuses settle their message or become orphans, and the receipts next to them settle.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendThroughQueue, startTestSettle } from '../../../test/support/pipeline/settle.ts'
import fc from 'fast-check'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { attempt, isInFlight, receiptFor, recordJobs, acceptedJobs } from '../../../test/support/fixtures.ts'
import { hostileText, incompressible } from '../../../test/support/hostile-text.ts'
import { sumCounter, silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { deliverBody, submission } from '../../../test/support/smpp/fixtures.ts'
import { listen, pduOctets, type Peer, type PeerSession } from '../../../test/support/smpp/peer.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { Connector, Receipt } from '../../carriers/connectors/connector.ts'
import { createConnector } from '../../carriers/connectors/registry.ts'
import { tlvs } from '../../carriers/smpp/tlv.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { recordAttempts, type AttemptRow } from '../../records/attempts/attempts.ts'
import { createReceiptSink } from '../receipts/receipts.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
const metrics = testMetrics()
const sink = createReceiptSink(sendThroughQueue(broker.publisher, topology), metrics)
startTestSettle({ broker, topology, database, metrics })

async function openConnector(peer: Peer): Promise<Connector> {
  const options = { host: '127.0.0.1', port: peer.port, systemId: 'postern', stopTimeoutMs: 200 }
  const connector = createConnector('smpp', options, {
    onReceipt: (receipt) => sink('north', receipt),
    onLink: () => undefined,
    onEvent: () => undefined,
    openFile: () => Promise.resolve(null),
    isFirstOwner: true,
    log: silentLog,
  })
  connector.start()
  addCleanup(async () => {
    await connector.stop()
    await peer.close()
  })
  await waitFor('the link', () => connector.linked)
  return connector
}

const allClosed = async (keys: readonly StepKey[]): Promise<boolean> => {
  const open = await Promise.all(keys.map(({ msgKey }) => isInFlight(database, msgKey)))
  return !open.includes(true)
}

function sendReceipt(peer: PeerSession, id: string, stat: string): void {
  const body = deliverBody({}, `stat:${stat} err:000`)
  const value = Buffer.from(`${id}\0`, 'latin1')
  peer.raw(pduOctets('deliver_sm', 0, 1, { ...body, tlvs: [{ tag: tlvs.receiptedMessageId.tag, value }] }))
}

test('ids of 15 KB in responses and receipts match each other', async () => {
  const ids = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? incompressible(15_000) : `usual-${n}`))
  let next = 0
  const peer = await listen({
    submit_sm: (pdu, session) => {
      // The encoder refuses an id of more than 64 characters; the header is that of an empty one.
      const head = pduOctets('submit_sm_resp', 0, pdu.sequence, { messageId: '' }).subarray(0, 16)
      const octets = Buffer.concat([head, Buffer.from(`${ids[next++]!}\0`, 'latin1')])
      octets.writeUInt32BE(octets.length, 0)
      session.raw(octets)
    },
  })
  const connector = await openConnector(peer)
  const keys = await recordJobs(database, acceptedJobs(ids.length))
  const rows: AttemptRow[] = []
  for (const key of keys) {
    const outcome = await connector.submit(submission())
    assert.ok(outcome.kind === 'accepted')
    rows.push(attempt(key, { carrierId: outcome.carrierId }))
  }
  await recordAttempts(database, rows)
  const session = await peer.session()
  for (const id of ids) sendReceipt(session, id.toUpperCase(), 'DELIVRD')
  // These receipts belong to no message. The first five have no known state, so they are not final and not stored.
  for (let n = 0; n < 5; n++) sendReceipt(session, incompressible(15_000), incompressible(200))
  for (let n = 0; n < 5; n++) sendReceipt(session, incompressible(15_000), 'UNDELIV')
  await waitFor('all to close', () => allClosed(keys))
  const orphans = await waitFor('the orphans', async () => {
    const found = await database.query<{ bytes: number }>(
      'select length(receipt::text) as bytes from orphan_receipts',
    )
    return found.rowCount === 5 && found.rows
  })
  for (const { bytes } of orphans) assert.ok(bytes < 1_000)
})

test('a receipt without esm_class and TLV settles only a message to its source', async () => {
  const peer = await listen()
  await openConnector(peer)
  const keys = await recordJobs(database, acceptedJobs(2))
  const [other, toSource] = keys.map((key) => attempt(key))
  await recordAttempts(database, [other!, toSource!])
  const session = await peer.session()
  const deliver = async (source: string, id: string, sequence: number): Promise<void> => {
    const text = `id:${id} sub:001 dlvrd:001 submit date:2611181200 done date:2611181201 stat:DELIVRD err:000 text:`
    session.send('deliver_sm', 0, sequence, deliverBody({ esmClass: 0, source }, text))
    await session.got('deliver_sm_resp', sequence)
  }
  await deliver('01000000000', other!.carrierId!, 1)
  await deliver(toSource!.recipient, toSource!.carrierId!, 2)
  await waitFor('the message to close', () => allClosed(keys.slice(1)))
  assert.ok(await isInFlight(database, other!.msgKey))
})

test('any receipt settles or becomes an orphan, and its neighbours settle', async () => {
  const hostile = fc.record({ carrierId: fc.option(hostileText), code: hostileText, recipient: hostileText })
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 12 }), async (drawn) => {
      const keys = await recordJobs(database, acceptedJobs(drawn.length))
      const rows = keys.map((key) => attempt(key))
      await recordAttempts(database, rows)
      const base = { result: 'failed', cause: 'failed', code: 'UNDELIV:001', sender: '', at: null } as const
      const good = rows.map(({ carrierId, recipient }): Receipt => ({ ...base, carrierId, recipient }))
      // Published directly to the queue, without the limits of the connector and the receipts stage.
      const bad = drawn.map((each) => ({ ...receiptFor(rows[0]!), ...each }))
      await Promise.all([
        ...bad.map((job) => broker.publisher.send(topology.receipts, JSON.stringify(job))),
        ...good.map((receipt) => sink('north', receipt)),
      ])
      await waitFor('the good ones to close', () => allClosed(keys))
    }),
    { numRuns: 15 },
  )
})

test('an endlessly repeated receipt does not block others', async () => {
  const keys = await recordJobs(database, acceptedJobs(2))
  const [repeated, neighbour] = keys.map((key) => attempt(key))
  await recordAttempts(database, [repeated!, neighbour!])
  await database.query('update attempts set receipts = 32767 where msg_key = $1', [repeated!.msgKey])
  const before = await sumCounter(metrics.receipts, { result: 'repeated' })
  const jobs = [repeated!, neighbour!].map((row) => JSON.stringify(receiptFor(row)))
  await Promise.all(jobs.map((job) => broker.publisher.send(topology.receipts, job)))
  await waitFor('the neighbour to close', async () => !(await isInFlight(database, neighbour!.msgKey)))
  await waitFor('the repeated one to be counted', async () => {
    return (await sumCounter(metrics.receipts, { result: 'repeated' })) > before
  })
  const found = await database.query<{ receipts: number }>(
    'select receipts from attempts where msg_key = $1',
    [repeated!.msgKey],
  )
  assert.equal(found.rows[0]!.receipts, 32_767)
})
