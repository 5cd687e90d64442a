import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { esme } from '../smpp/protocol.ts'
import { startSmsc } from '../smsc.ts'
import type { Smsc, SmscOptions } from '../smsc.ts'
import { connectPeer, until } from '../testing/peer.ts'
import type { Peer } from '../testing/peer.ts'

const to = '821012340001'

async function started(t: TestContext, options: Partial<SmscOptions> = {}): Promise<Smsc> {
  const smsc = await startSmsc(options)
  t.after(() => smsc.close())
  return smsc
}

async function submitMany(peer: Peer, count: number): Promise<string[]> {
  const responses = await Promise.all(Array.from({ length: count }, (_, n) => peer.submit(to, `text ${n}`)))
  return responses.map((response) => response.message_id!)
}

test('keeps receipts until a receiving session binds', async (t) => {
  const smsc = await started(t)
  const transmitter = await connectPeer(smsc.port, { bind: 'bind_transmitter' })
  const ids = await submitMany(transmitter, 20)
  assert.equal(smsc.stats().receiptsPending, 20)
  const stranger = await connectPeer(smsc.port, { systemId: 'stranger' })
  const receiver = await connectPeer(smsc.port, { bind: 'bind_receiver' })
  await until(() => receiver.receipts.length === 20, 'the receipts')
  assert.deepEqual(
    receiver.receipts.map(({ id }) => id),
    ids,
  )
  assert.deepEqual(stranger.receipts, [])
})

test('distributes receipts over all bound sessions', async (t) => {
  const smsc = await started(t)
  const peers = [await connectPeer(smsc.port), await connectPeer(smsc.port), await connectPeer(smsc.port)]
  await submitMany(peers[0]!, 30)
  await until(() => smsc.stats().receiptsAnswered === 30, 'the answers')
  assert.deepEqual(
    peers.map(({ receipts }) => receipts.length),
    [10, 10, 10],
  )
})

test('resends a receipt if its session closes before the answer', async (t) => {
  const smsc = await started(t, { window: 5 })
  const first = await connectPeer(smsc.port, { answer: () => undefined })
  const ids = await submitMany(first, 12)
  await until(() => first.receipts.length === 5, 'a full window')
  first.destroy()
  const second = await connectPeer(smsc.port)
  await until(() => second.receipts.length === 12, 'all receipts')
  assert.deepEqual(new Set(second.receipts.map(({ id }) => id)), new Set(ids))
  await until(() => smsc.stats().receiptsPending === 0, 'the answers')
  assert.equal(smsc.stats().receiptsRepeated, 5)
})

test('never exceeds the window of unanswered receipts', async (t) => {
  const smsc = await started(t, { window: 3 })
  const peer = await connectPeer(smsc.port, { answer: () => undefined })
  await submitMany(peer, 10)
  await until(() => peer.receipts.length === 3, 'a full window')
  await peer.request('enquire_link')
  assert.equal(peer.receipts.length, 3)
  assert.equal(smsc.stats().receiptsPending, 10)
})

test('resends a receipt that is not answered in time', async (t) => {
  const smsc = await started(t, { receiptTimeoutMs: 30 })
  let deaf = true
  const peer = await connectPeer(smsc.port, { answer: () => (deaf ? undefined : 0) })
  const [id] = await submitMany(peer, 1)
  await until(() => peer.receipts.length === 2, 'the second sending')
  deaf = false
  await until(() => smsc.stats().receiptsPending === 0, 'the answer')
  assert.ok(peer.receipts.every((receipt) => receipt.id === id))
})

test('resends a receipt that was answered with an error', async (t) => {
  const smsc = await started(t, { receiptRetryMs: 20 })
  let errors = 0
  const peer = await connectPeer(smsc.port, { answer: () => (errors++ < 2 ? esme.RSYSERR : 0) })
  await submitMany(peer, 1)
  await until(() => smsc.stats().receiptsAnswered === 1, 'the answer')
  assert.equal(peer.receipts.length, 3)
  assert.equal(smsc.stats().receiptsRepeated, 2)
})

test('waits the receipt delay', async (t) => {
  const smsc = await started(t, { receiptDelayMs: 50 })
  const peer = await connectPeer(smsc.port)
  const began = performance.now()
  await submitMany(peer, 3)
  assert.equal(peer.receipts.length, 0)
  await until(() => peer.receipts.length === 3, 'the receipts')
  assert.ok(performance.now() - began >= 50)
})

test('refuses submits beyond the limit of pending receipts', async (t) => {
  const smsc = await started(t, { maxPending: 2 })
  const peer = await connectPeer(smsc.port, { bind: 'bind_transmitter' })
  await submitMany(peer, 2)
  assert.equal((await peer.submit(to, 'one too many')).command_status, esme.RMSGQFUL)
})

test('throttles all sessions together beyond the rate', async (t) => {
  const smsc = await started(t, { rate: 5 })
  const peers = [await connectPeer(smsc.port), await connectPeer(smsc.port)]
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => peers[n % 2]!.submit(to, `text ${n}`)),
  )
  const throttled = responses.filter((response) => response.command_status === esme.RTHROTTLED).length
  // On a slow machine the bucket can refill in between; only the sums must agree.
  assert.ok(throttled > 0)
  assert.equal(smsc.stats().throttled, throttled)
  assert.equal(smsc.stats().accepted, 20 - throttled)
})

test('accepts each of many messages and sends a receipt for it', async (t) => {
  const smsc = await started(t)
  const peers = [await connectPeer(smsc.port), await connectPeer(smsc.port)]
  const ids = (await Promise.all(peers.map((peer) => submitMany(peer, 2500)))).flat()
  await until(() => smsc.stats().receiptsAnswered === 5000, 'the receipts', 20_000)
  assert.equal(new Set(ids).size, 5000)
  const receiptIds = peers.flatMap(({ receipts }) => receipts.map(({ id }) => id))
  assert.deepEqual(new Set(receiptIds), new Set(ids))
  const { submits, accepted, receiptsSent, receiptsPending } = smsc.stats()
  assert.deepEqual(
    { submits, accepted, receiptsSent, receiptsPending },
    { submits: 5000, accepted: 5000, receiptsSent: 5000, receiptsPending: 0 },
  )
})

test('a hanging session withholds no receipt from another one', async (t) => {
  const smsc = await started(t, { receiptTimeoutMs: 30, window: 20 })
  let hangs = true
  const hanging = await connectPeer(smsc.port, { answer: () => (hangs ? undefined : 0) })
  const healthy = await connectPeer(smsc.port)
  const ids = await submitMany(healthy, 100)
  await until(() => new Set(healthy.receipts.map(({ id }) => id)).size === ids.length, 'all receipts')
  // The session got one window at most: no more after the first receipt that timed out.
  assert.ok(hanging.receipts.length <= 20, `${hanging.receipts.length} were sent to the hanging session`)
  hangs = false
  healthy.destroy()
  await submitMany(hanging, 5)
  await until(() => smsc.stats().receiptsPending === 0, 'the receipts of the only session')
})
