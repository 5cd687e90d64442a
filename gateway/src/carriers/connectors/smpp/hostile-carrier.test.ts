import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverBody, submission } from '../../../../test/support/smpp/fixtures.ts'
import { hostilePdus, misframedPdus, receiptId } from '../../../../test/support/smpp/hostile.ts'
import { accept, linkedCarrier, relinked } from '../../../../test/support/smpp/linked-carrier.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { statuses } from '../../smpp/status.ts'

const hostileSequence = 900_000
const cases = Object.entries(hostilePdus(hostileSequence))
/** Statuses of the responses to PDUs that cannot be parsed. */
const malformedStatuses: readonly number[] = [statuses.ESME_RX_P_APPN, statuses.ESME_RINVCMDLEN]

test('a malformed PDU costs neither the link, nor the window, nor other receipts', async (t) => {
  const { connector, session, peer, record } = await linkedCarrier(t, {}, { window: cases.length })
  const outcomes = cases.map(() => connector.submit(submission()))
  await session.got('submit_sm', cases.length)
  for (const [index, { sequence }] of session.of('submit_sm').entries()) {
    const [name, { octets, response, receipt }] = cases[index]!
    const before = { pdus: session.received.length, receipts: record.receipts.length }
    session.raw(octets)
    session.send('deliver_sm', 0, index + 1, deliverBody({}, `id:${index} stat:DELIVRD err:000`))
    session.send('submit_sm_resp', 0, sequence, { messageId: `m${index}` })
    assert.deepEqual(await outcomes[index], { kind: 'accepted', carrierId: `m${index}` }, name)
    await waitFor(`the receipt after ${name}`, () =>
      session.received.some(
        ({ kind, sequence: answered }) => kind === 'deliver_sm_resp' && answered === index + 1,
      ),
    )
    const hostile = session.received
      .slice(before.pdus)
      .filter(({ sequence: answered }) => answered === hostileSequence)
    assert.deepEqual(
      hostile.map(({ kind, commandStatus }) => [kind, commandStatus]),
      response === null ? [] : [response],
      name,
    )
    assert.deepEqual(
      record.receipts.slice(before.receipts).map(({ carrierId, result }) => [carrierId, result]),
      [...(receipt === undefined ? [] : [receipt]), String(index)].map((id) => [id, 'delivered']),
      name,
    )
  }
  assert.equal(peer.sessions.length, 1)
  const malformed = cases.filter(([, { response }]) => malformedStatuses.includes(response?.[1] ?? 0)).length
  assert.equal(record.events.filter((event) => event === 'malformed-pdu').length, malformed)
})

test('the response to a request has the sequence number of the request, whatever it is', async (t) => {
  const { session } = await linkedCarrier(t)
  const sequences = [0, 1, 1, 0x7fffffff, 0x80000000, 0xffffffff]
  for (const sequence of sequences)
    session.send('deliver_sm', 0, sequence, deliverBody({}, 'id:1 stat:DELIVRD'))
  await session.got('deliver_sm_resp', sequences.length)
  assert.deepEqual(
    session.of('deliver_sm_resp').map(({ sequence, commandStatus }) => [sequence, commandStatus]),
    sequences.map((sequence) => [sequence, 0]),
  )
})

test('a receipt before the bind response is acknowledged and kept', async (t) => {
  const { session, record } = await linkedCarrier(t, {
    bind_transceiver(pdu, peer) {
      peer.send('deliver_sm', 0, 7, deliverBody({}, `id:${receiptId} stat:DELIVRD err:000`))
      peer.send('bind_transceiver_resp', 0, pdu.sequence, { systemId: 'peer' })
    },
  })
  const { sequence, commandStatus } = await session.got('deliver_sm_resp')
  assert.deepEqual([sequence, commandStatus], [7, 0])
  assert.deepEqual(
    record.receipts.map(({ carrierId }) => carrierId),
    [receiptId],
  )
})

for (const [name, octets] of Object.entries(misframedPdus()))
  test(`${name} ends the session, and the next one submits`, async (t) => {
    const carrier = await linkedCarrier(t, accept, { enquireIntervalMs: 50, enquireTimeoutMs: 200 })
    carrier.session.raw(octets)
    await relinked(carrier)
    assert.equal((await carrier.connector.submit(submission())).kind, 'accepted')
  })
