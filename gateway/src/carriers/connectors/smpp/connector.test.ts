import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jumpClockAhead } from '../../../../test/support/pipeline/clock-jump.ts'
import type { SubmitOutcome } from '../connector.ts'
import { createSmppConnector } from './connector.ts'
import {
  deliverBody,
  recorded,
  submission,
  testConnector,
  testOptions,
} from '../../../../test/support/smpp/fixtures.ts'
import { listen } from '../../../../test/support/smpp/peer.ts'
import { accept, linked, linkedCarrier } from '../../../../test/support/smpp/linked-carrier.ts'
import { waitFor } from '../../../../test/support/wait.ts'

test('a submission is unreachable immediately without a bound session', async () => {
  const connector = createSmppConnector(testOptions({ port: 1 }), recorded().context)
  assert.equal(connector.linked, false)
  const outcome = await connector.submit(submission())
  assert.deepEqual([outcome.kind, 'code' in outcome && outcome.code], ['unreachable', 'smpp:no-session'])
  await connector.stop()
})

test('keeps its sessions bound, distributes submissions evenly and never exceeds a window', async (t) => {
  const { peer, connector } = await linkedCarrier(t, {}, { sessions: 2, window: 5 })
  assert.equal(connector.window, 10)
  await waitFor('two sessions', () => peer.sessions.length === 2 && connector.linked)
  await Promise.all(peer.sessions.map((session) => session.got('bind_transceiver')))
  // Both peers answered the bind, but the second response is possibly unread.
  await linked(connector)
  const outcomes: Promise<SubmitOutcome>[] = []
  for (let index = 0; index < 10; index += 1) outcomes.push(connector.submit(submission()))
  await Promise.all(peer.sessions.map((session) => session.got('submit_sm', 5)))
  const waiting = Array.from({ length: 10 }, () => connector.submit(submission()))
  const overLimit = await connector.submit(submission())
  assert.deepEqual(
    [overLimit.kind, 'code' in overLimit && overLimit.code],
    ['unreachable', 'smpp:window-full'],
  )

  for (const session of peer.sessions) {
    assert.equal(session.of('submit_sm').length, 5)
    for (const { sequence } of session.of('submit_sm'))
      session.send('submit_sm_resp', 0, sequence, { messageId: 'x' })
  }
  await Promise.all(peer.sessions.map((session) => session.got('submit_sm', 10)))
  for (const session of peer.sessions) {
    for (const { sequence } of session.of('submit_sm').slice(5)) {
      session.send('submit_sm_resp', 0, sequence, { messageId: 'x' })
    }
  }
  const settled = await Promise.all([...outcomes, ...waiting])
  assert.ok(settled.every(({ kind }) => kind === 'accepted'))
})

test('a submission that expires while it waits for the window is refused', async (t) => {
  const { peer, connector } = await linkedCarrier(t, {}, { window: 1 })
  void connector.submit(submission())
  const expired = connector.submit(submission({ validUntil: new Date(0) }))
  const session = await peer.session()
  const { sequence } = await session.got('submit_sm')
  session.send('submit_sm_resp', 0, sequence, { messageId: 'x' })
  const outcome = await expired
  assert.deepEqual([outcome.kind, 'code' in outcome && outcome.code], ['refused', 'smpp:expired'])
})

test("a message has its real time left when PostgreSQL's clock jumps ahead", async (t) => {
  const { connector, session } = await linkedCarrier(t, accept)
  const validUntil = new Date(Date.now() + 60_000)
  jumpClockAhead(t)
  assert.equal((await connector.submit(submission({ validUntil }))).kind, 'accepted')
  assert.equal(session.of('submit_sm')[0]!.validityPeriod, '000000000100000R')
})

test('submissions that wait for the window when the link goes down are unreachable', async (t) => {
  const { peer, connector } = await linkedCarrier(t, {}, { window: 1 })
  await linked(connector)
  const open = connector.submit(submission())
  const waiting = connector.submit(submission())
  const session = await peer.session()
  await session.got('submit_sm')
  session.socket.destroy()
  assert.deepEqual([(await open).kind, (await waiting).kind], ['unknown', 'unreachable'])
})

test('queued submissions use the other session when one of two is lost', async (t) => {
  const { peer, connector, record } = await linkedCarrier(
    t,
    {},
    { sessions: 2, window: 1, reconnectMinMs: 60_000, reconnectMaxMs: 60_000 },
  )
  await waitFor('two sessions', () => peer.sessions.length === 2)
  await Promise.all(peer.sessions.map((session) => session.got('bind_transceiver')))
  await linked(connector)
  const outcomes = [1, 2, 3].map(() => connector.submit(submission()))
  await Promise.all(peer.sessions.map((session) => session.got('submit_sm')))
  peer.sessions[0]!.socket.destroy()
  const other = peer.sessions[1]!
  other.send('submit_sm_resp', 0, other.of('submit_sm')[0]!.sequence, { messageId: 'x' })
  other.send('submit_sm_resp', 0, (await other.got('submit_sm', 2)).sequence, { messageId: 'x' })
  const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind)
  assert.deepEqual(kinds.sort(), ['accepted', 'accepted', 'unknown'])
  assert.deepEqual(
    record.links.map(({ up }) => up),
    [true],
  )
})

test('a pair submits on the transmitter and gets receipts on the receiver', async (t) => {
  const { peer, connector, record } = await linkedCarrier(t, accept, { bind: 'pair' })
  assert.equal(connector.window, 10)
  await linked(connector)
  await waitFor('both sessions', () => peer.sessions.length === 2)
  assert.equal((await connector.submit(submission())).kind, 'accepted')
  const receiver = peer.sessions.find((session) => session.of('bind_receiver').length > 0)
  const transmitter = peer.sessions.find((session) => session.of('bind_transmitter').length > 0)
  assert.deepEqual([receiver?.of('submit_sm').length, transmitter?.of('submit_sm').length], [0, 1])
  receiver!.send('deliver_sm', 0, 1, deliverBody({}, 'id:1 stat:DELIVRD err:000'))
  await receiver!.got('deliver_sm_resp')
  assert.equal(record.receipts.length, 1)
})

test('a stop waits for open submissions, unbinds, and takes the link down once', async () => {
  const peer = await listen({})
  const record = recorded()
  const connector = testConnector(peer.port, { stopTimeoutMs: 10_000 }, record)
  await linked(connector)
  const session = await peer.session()
  const open = connector.submit(submission())
  const { sequence } = await session.got('submit_sm')
  const stopped = connector.stop()
  const refused = await connector.submit(submission())
  assert.equal(refused.kind, 'unreachable')
  session.send('enquire_link', 0, 1, {})
  await session.got('enquire_link_resp')
  assert.equal(session.of('unbind').length, 0)
  session.send('submit_sm_resp', 0, sequence, { messageId: 'x' })
  assert.equal((await open).kind, 'accepted')
  await stopped
  assert.equal(session.of('unbind').length, 1)
  assert.deepEqual(record.links, [
    { up: true, reason: 'bound' },
    { up: false, reason: 'stopped' },
  ])
  await peer.close()
})

test('a stop waits a limited time for an unresponsive carrier', async () => {
  const peer = await listen({ unbind: () => undefined })
  const connector = testConnector(peer.port, { stopTimeoutMs: 10 })
  await linked(connector)
  const open = connector.submit(submission())
  await (await peer.session()).got('submit_sm')
  await connector.stop()
  assert.equal((await open).kind, 'unknown')
  await peer.close()
})

test('a stop while connecting or pausing leaves no handle behind', async () => {
  const peer = await listen({ bind_transceiver: () => undefined })
  const connecting = testConnector(peer.port)
  await connecting.stop()
  const binding = testConnector(peer.port)
  await (await peer.session()).got('bind_transceiver').catch(() => undefined)
  await binding.stop()
  await peer.close()
  const record = recorded()
  const pausing = testConnector(peer.port, { reconnectMinMs: 60_000, reconnectMaxMs: 60_000 }, record)
  await waitFor('the refused connection', () => record.lines.length > 0)
  await pausing.stop()
})
