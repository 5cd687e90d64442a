import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startSmsc } from '../smsc.ts'
import type { Duplicate, RecordedSubmission, Smsc, SmscStats } from '../smsc.ts'
import { connectPeer, until } from '../testing/peer.ts'

let smsc: Smsc

before(async () => {
  smsc = await startSmsc({ record: true })
})

beforeEach(() => {
  smsc.disconnect()
  smsc.reset()
})

after(() => smsc.close())

async function call(
  method: 'GET' | 'POST',
  path: string,
  port = smsc.controlPort,
): Promise<{ code: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
  return { code: response.status, body: await response.json() }
}

test('answers a health check', async () => {
  assert.deepEqual(await call('GET', '/healthz'), { code: 200, body: { ok: true } })
})

test('counts every submit in exactly one counter', async () => {
  const peer = await connectPeer(smsc.port)
  await peer.submit('821012340001', 'delivered')
  await peer.submit('821012340008', 'refused')
  await peer.submit('821012340009', 'throttled')
  void peer.submit('821012340013', 'abandoned')
  await peer.closed
  const stats = (await call('GET', '/stats')).body as SmscStats
  assert.equal(stats.submits, 4)
  assert.deepEqual([stats.accepted, stats.refused, stats.throttled, stats.abandoned], [1, 1, 1, 1])
  assert.deepEqual([stats.binds, stats.disconnects], [1, 1])
})

test('lists submissions to a number, with text, part and count', async () => {
  const peer = await connectPeer(smsc.port)
  const udh = Buffer.from([5, 0, 3, 9, 2, 1])
  const korean = Buffer.from('한글', 'utf16le').swap16()
  const response = await peer.submit('821012340001', '', {
    short_message: { udh, message: korean },
    data_coding: 8,
  })
  await peer.submit('821012345678', 'to another number')
  const { body } = await call('GET', '/submissions?to=821012340001')
  assert.deepEqual(body, {
    submissions: [
      {
        id: response.message_id,
        from: '0215881588',
        to: '821012340001',
        dataCoding: 8,
        text: '한글',
        part: { ref: 9, total: 2, sequence: 1 },
        count: 1,
      },
    ],
    dropped: 0,
  })
  const unfiltered = (await call('GET', '/submissions')).body as { submissions: RecordedSubmission[] }
  assert.equal(unfiltered.submissions.length, 2)
})

test('finds messages submitted more than once', async () => {
  const peer = await connectPeer(smsc.port)
  await peer.submit('821012340001', 'once')
  const first = await peer.submit('821012340001', 'twice')
  const second = await peer.submit('821012340001', 'twice')
  const { duplicates } = (await call('GET', '/duplicates')).body as { duplicates: Duplicate[] }
  assert.deepEqual(
    duplicates.map(({ text, count, ids }) => ({ text, count, ids })),
    [{ text: 'twice', count: 2, ids: [first.message_id, second.message_id] }],
  )
})

test('answers and sends nothing while paused and everything afterwards', async () => {
  const peer = await connectPeer(smsc.port)
  await call('POST', '/pause')
  const submitted = peer.submit('821012340001', 'hello')
  const late = connectPeer(smsc.port)
  await until(() => peer.session.socket.writableLength === 0, 'the submit to leave')
  const stats = (await call('GET', '/stats')).body as SmscStats
  assert.deepEqual([stats.paused, stats.submits, stats.bound.transceiver], [true, 0, 1])
  await call('POST', '/resume')
  await submitted
  await late
  await until(() => smsc.stats().receiptsAnswered === 1, 'the receipt')
})

test('keeps receipts while holding and sends them afterwards', async () => {
  const peer = await connectPeer(smsc.port)
  await call('POST', '/hold')
  await peer.submit('821012340001', 'held')
  assert.deepEqual([smsc.stats().receiptsPending, smsc.stats().receiptsSent], [1, 0])
  await call('POST', '/release')
  await until(() => smsc.stats().receiptsAnswered === 1, 'the receipt')
})

test('disconnects all sessions immediately', async () => {
  const peers = [await connectPeer(smsc.port), await connectPeer(smsc.port)]
  assert.deepEqual((await call('POST', '/disconnect')).body, { disconnected: 2 })
  await Promise.all(peers.map(({ closed }) => closed))
  assert.deepEqual(smsc.stats().bound, { transmitter: 0, receiver: 0, transceiver: 0 })
})

test('a reset clears messages and receipts but keeps sessions', async () => {
  const peer = await connectPeer(smsc.port, { bind: 'bind_transmitter' })
  await peer.submit('821012340001', 'forgotten')
  await call('POST', '/reset')
  const stats = smsc.stats()
  assert.deepEqual([stats.submits, stats.receiptsPending, stats.bound.transmitter], [0, 0, 1])
  assert.deepEqual(smsc.submissions(), [])
  const receiver = await connectPeer(smsc.port, { bind: 'bind_receiver' })
  const response = await peer.submit('821012340001', 'remembered')
  await until(() => receiver.receipts.length > 0, 'a receipt')
  assert.equal(receiver.receipts[0]?.id, response.message_id)
})

test('lists the endpoints in the response to an unknown one', async () => {
  const { code, body } = await call('GET', '/nothing')
  assert.equal(code, 404)
  assert.ok((body as { endpoints: string[] }).endpoints.includes('GET /stats'))
  assert.equal((await call('GET', '/reset')).code, 404)
  assert.equal((await call('GET', '//')).code, 404)
})

test('rejects a request for submissions unless it records', async () => {
  const plain = await startSmsc()
  const { code } = await call('GET', '/duplicates', plain.controlPort)
  assert.equal(code, 409)
  await plain.close()
})
