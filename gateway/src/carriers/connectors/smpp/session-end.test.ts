import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverBody, submission } from '../../../../test/support/smpp/fixtures.ts'
import type { Script } from '../../../../test/support/smpp/peer.ts'
import { pduOctets } from '../../../../test/support/smpp/peer.ts'
import { accept, relinked, linkedCarrier } from '../../../../test/support/smpp/linked-carrier.ts'
import { waitFor } from '../../../../test/support/wait.ts'

test('a session with an unresponsive peer is closed, and its open submission is unknown', async (t) => {
  const mute: Script = { enquire_link: () => undefined }
  const carrier = await linkedCarrier(t, (index) => (index === 0 ? mute : {}), {
    enquireIntervalMs: 10,
    enquireTimeoutMs: 20,
  })
  const outcome = await carrier.connector.submit(submission())
  assert.deepEqual(
    [outcome.kind, 'text' in outcome && outcome.text],
    ['unknown', 'no response to enquire_link'],
  )
  await relinked(carrier)
})

test('a peer that responds to enquire_links keeps its session', async (t) => {
  const { session, peer } = await linkedCarrier(t, {}, { enquireIntervalMs: 2, enquireTimeoutMs: 1000 })
  await session.got('enquire_link', 10)
  assert.equal(peer.sessions.length, 1)
})

test('a peer without support for enquire_link keeps its session', async (t) => {
  const nack: Script = { enquire_link: (pdu, peer) => peer.send('generic_nack', 3, pdu.sequence, {}) }
  const { session, peer } = await linkedCarrier(t, nack, { enquireIntervalMs: 2, enquireTimeoutMs: 1000 })
  await session.got('enquire_link', 10)
  assert.equal(peer.sessions.length, 1)
})

test('a session is closed immediately if the peer cannot read the bind', async (t) => {
  const nack: Script = { bind_transceiver: (_, peer) => peer.send('generic_nack', 2, 0, {}) }
  const { peer } = await linkedCarrier(t, (index) => (index === 0 ? nack : {}))
  assert.equal(peer.sessions.length, 2)
})

test('responds to the enquire_links of the peer', async (t) => {
  const { session } = await linkedCarrier(t, {})
  session.send('enquire_link', 0, 77, {})
  assert.equal((await session.got('enquire_link_resp')).sequence, 77)
})

test('a bind without a response is retried', async (t) => {
  const carrier = await linkedCarrier(
    t,
    (index) => (index === 0 ? { bind_transceiver: () => undefined } : {}),
    { bindTimeoutMs: 20 },
  )
  assert.equal(carrier.peer.sessions.length, 2)
})

test('a generic_nack with sequence 0 closes the session', async (t) => {
  const carrier = await linkedCarrier(t, {})
  carrier.session.send('generic_nack', 2, 0, {})
  await relinked(carrier)
})

test('responds to an unknown or unsupported command with generic_nack, and continues', async (t) => {
  const { connector, session } = await linkedCarrier(t, accept)
  session.raw(Buffer.from('00000010000001110000000000000009', 'hex'))
  assert.deepEqual(
    [(await session.got('generic_nack')).sequence, session.of('generic_nack')[0]?.commandStatus],
    [9, 3],
  )
  session.send('submit_sm', 0, 10, deliverBody())
  assert.equal((await session.got('generic_nack', 2)).sequence, 10)
  assert.equal((await connector.submit(submission())).kind, 'accepted')
})

test('responds neither to an alert_notification nor to a stray response', async (t) => {
  const { session, record } = await linkedCarrier(t, accept)
  const alert = { sourceTon: 0, sourceNpi: 0, source: '1', esmeTon: 0, esmeNpi: 0, esme: '2' }
  session.send('alert_notification', 0, 1, alert)
  session.send('deliver_sm_resp', 0, 2, { messageId: '' })
  session.send('unbind_resp', 0, 3, {})
  session.raw(Buffer.from('00000010800001110000000000000004', 'hex'))
  session.send('bind_transceiver_resp', 5, 5, { systemId: '' })
  session.send('enquire_link', 0, 6, {})
  await session.got('enquire_link_resp')
  assert.deepEqual(
    session.received.map(({ kind }) => kind),
    ['bind_transceiver', 'enquire_link_resp'],
  )
  assert.equal(record.events.filter((event) => event === 'stray-response').length, 4)
})

const unframed: [string, Buffer][] = [
  ['a command_length under 16', Buffer.from('00000004', 'hex')],
  ['a command_length over the limit', Buffer.from('HTTP/1.1 400 Bad Request\r\n')],
]
for (const [name, octets] of unframed) {
  test(`responds to ${name} with generic_nack, closes, and reconnects`, async (t) => {
    const carrier = await linkedCarrier(t, {})
    const open = carrier.connector.submit(submission())
    await carrier.session.got('submit_sm')
    carrier.session.raw(octets)
    const nack = await carrier.session.got('generic_nack')
    assert.deepEqual([nack.sequence, nack.commandStatus], [0, 2])
    assert.equal((await open).kind, 'unknown')
    await waitFor('the close', () => carrier.session.closed)
    await relinked(carrier)
  })
}

test('a carrier that unbinds can respond to open submissions before it gets the unbind response', async (t) => {
  const carrier = await linkedCarrier(t, {})
  const { connector, session } = carrier
  const open = connector.submit(submission())
  const { sequence } = await session.got('submit_sm')
  session.send('unbind', 0, 40, {})
  await waitFor('the unbind', () => !connector.linked)
  assert.equal((await connector.submit(submission())).kind, 'unreachable')
  session.send('submit_sm_resp', 0, sequence, { messageId: 'x' })
  assert.equal((await open).kind, 'accepted')
  assert.equal((await session.got('unbind_resp')).sequence, 40)
  await relinked(carrier)
})

test('a session that is not bound according to the carrier is bound again', async (t) => {
  const carrier = await linkedCarrier(t, (index) =>
    index > 0
      ? accept
      : { submit_sm: (pdu, peer) => peer.send('submit_sm_resp', 4, pdu.sequence, { messageId: '' }) },
  )
  const outcome = await carrier.connector.submit(submission())
  assert.deepEqual([outcome.kind, 'code' in outcome && outcome.code], ['unreachable', 'smpp:0x00000004'])
  await relinked(carrier)
  assert.equal(carrier.session.of('unbind').length, 1)
  assert.equal((await carrier.connector.submit(submission())).kind, 'accepted')
})

test('a peer that sends requests and never reads is disconnected before it fills the memory', async (t) => {
  const carrier = await linkedCarrier(t, (index) => (index === 0 ? {} : accept))
  const { session } = carrier
  session.socket.pause()
  const flood = Buffer.concat(
    Array.from({ length: 4000 }, (_, at) => pduOctets('enquire_link', 0, at + 1, {})),
  )
  const pour = (): void => {
    while (!session.closed && session.socket.write(flood));
  }
  session.socket.on('drain', pour)
  pour()
  await relinked(carrier)
  assert.match(JSON.stringify(carrier.record.lines), /does not read/)
})
