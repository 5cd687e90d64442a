import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverBody, recorded, submission } from '../../../../test/support/smpp/fixtures.ts'
import { pduOctets } from '../../../../test/support/smpp/peer.ts'
import { accept, relinked, linkedCarrier } from '../../../../test/support/smpp/linked-carrier.ts'
import { waitFor } from '../../../../test/support/wait.ts'

test('binds as version 3.4 with its system id and password', async (t) => {
  const { session } = await linkedCarrier(t, {})
  const bind = await session.got('bind_transceiver')
  assert.deepEqual([bind.systemId, bind.password, bind.interfaceVersion], ['postern', 'secret08', 0x34])
})

test('binds with the address options of the route', async (t) => {
  const options = { bindAddress: { ton: 1, npi: 1 }, addressRange: '^8215' }
  const { session } = await linkedCarrier(t, {}, options)
  const bind = await session.got('bind_transceiver')
  assert.deepEqual([bind.addrTon, bind.addrNpi, bind.addressRange], [1, 1, '^8215'])
})

test('accepts a bind response of any sequence number; a second one is stray', async (t) => {
  const { connector, record } = await linkedCarrier(t, {
    bind_transceiver: (pdu, peer) => {
      peer.send('bind_transceiver_resp', 0, pdu.sequence + 7, { systemId: 'peer' })
      peer.send('bind_transceiver_resp', 0x0e, pdu.sequence, { systemId: 'peer' })
    },
    ...accept,
  })
  await waitFor('the second', () => record.events.includes('stray-response'))
  assert.ok(connector.linked)
  assert.equal((await connector.submit(submission())).kind, 'accepted')
})

test('matches responses to submissions in any order', async (t) => {
  const { connector, session } = await linkedCarrier(t, {})
  const outcomes = [1, 2, 3].map((number) => connector.submit(submission({ to: `0101234000${number}` })))
  await session.got('submit_sm', 3)
  for (const pdu of session.of('submit_sm').reverse()) {
    session.send('submit_sm_resp', 0, pdu.sequence, { messageId: pdu.destination })
  }
  assert.deepEqual(
    await Promise.all(outcomes),
    [1, 2, 3].map((number) => ({ kind: 'accepted', carrierId: `0101234000${number}` })),
  )
})

test('a response without a body is accepted with an empty id', async (t) => {
  const { connector } = await linkedCarrier(t, {
    // Sends only the 16 octets of the header, with this length as the last octet of command_length.
    submit_sm: (pdu, peer) =>
      peer.raw(
        pduOctets('submit_sm_resp', 0, pdu.sequence, { messageId: '' }).fill(16, 3, 4).subarray(0, 16),
      ),
  })
  assert.deepEqual(await connector.submit(submission()), { kind: 'accepted', carrierId: '' })
})

test('a submission that timed out is unknown, and a late response has no effect', async (t) => {
  const { connector, session, record } = await linkedCarrier(t, {}, { responseTimeoutMs: 30 })
  const outcome = await connector.submit(submission())
  assert.deepEqual([outcome.kind, 'code' in outcome && outcome.code], ['unknown', 'smpp:timeout'])

  const [first] = session.of('submit_sm')
  session.send('submit_sm_resp', 0, first!.sequence, { messageId: 'late' })
  await waitFor('the late response', () => record.events.includes('stray-response'))
  const second = connector.submit(submission())
  session.send('submit_sm_resp', 0, (await session.got('submit_sm', 2)).sequence, { messageId: 'good' })
  assert.deepEqual(await second, { kind: 'accepted', carrierId: 'good' })
})

test('a response that was unread while this process was blocked is not late', async (t) => {
  const { connector } = await linkedCarrier(
    t,
    {
      submit_sm: (pdu, peer) => {
        peer.send('submit_sm_resp', 0, pdu.sequence, { messageId: 'x' })
        const end = performance.now() + 120
        while (performance.now() < end);
      },
    },
    { responseTimeoutMs: 60, enquireIntervalMs: 10, enquireTimeoutMs: 60 },
  )
  assert.equal((await connector.submit(submission())).kind, 'accepted')
})

test('a lost connection makes open submissions unknown, each once, and the link reconnects', async (t) => {
  const carrier = await linkedCarrier(t, {}, { window: 50 })
  const { connector, session, record } = carrier
  const outcomes = Array.from({ length: 50 }, () => connector.submit(submission()))
  await session.got('submit_sm', 50)
  session.socket.resetAndDestroy()
  assert.deepEqual(
    (await Promise.all(outcomes)).map(({ kind }) => kind),
    Array.from({ length: 50 }, () => 'unknown'),
  )
  await relinked(carrier)
  assert.deepEqual(
    record.links.map(({ up }) => up),
    [true, false, true],
  )
})

test('a submission that was never written is unreachable, and is not sent later', async (t) => {
  // The receipt triggers a submission; the invalid octets after it in the same segment end the session before the write.
  const outcomes: Promise<{ kind: string }>[] = []
  const record = recorded(() => {
    outcomes.push(connector.submit(submission()))
    return Promise.resolve()
  })
  const carrier = await linkedCarrier(t, (index) => (index === 0 ? {} : accept), {}, record)
  const { connector, session } = carrier
  session.raw(Buffer.concat([pduOctets('deliver_sm', 0, 1, deliverBody()), Buffer.alloc(16)]))
  await waitFor('the end', () => session.closed)
  assert.equal((await outcomes[0])?.kind, 'unreachable')
  await relinked(carrier)
  assert.deepEqual(session.of('submit_sm'), [])
})

test('a generic_nack settles its submission, and is never an acceptance', async (t) => {
  const { connector } = await linkedCarrier(t, {
    submit_sm: (pdu, peer) =>
      peer.send('generic_nack', pdu.destination.endsWith('1') ? 0x58 : 0, pdu.sequence, {}),
  })
  assert.equal((await connector.submit(submission({ to: '01012340001' }))).kind, 'throttled')
  assert.equal((await connector.submit(submission({ to: '01012340002' }))).kind, 'refused')
})

test('a burst of submissions is a single write', async (t) => {
  const { connector, session } = await linkedCarrier(t, accept, { window: 100 })
  let chunks = 0
  session.socket.on('data', () => (chunks += 1))
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => connector.submit(submission())))
  assert.ok(outcomes.every(({ kind }) => kind === 'accepted'))
  assert.equal(chunks, 1)
})
