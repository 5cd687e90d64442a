/** A carrier that sends malformed PDUs among valid ones: each costs one PDU, never the link. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverBody, submission } from '../../../test/support/smpp/fixtures.ts'
import { hostilePdus } from '../../../test/support/smpp/hostile.ts'
import { linkedCarrier } from '../../../test/support/smpp/linked-carrier.ts'
import { waitFor } from '../../../test/support/wait.ts'

const hostileSequence = 900_000
const cases = Object.entries(hostilePdus(hostileSequence))

test('a malformed PDU costs neither the link, nor the window, nor the receipts beside it', async (t) => {
  const { connector, session, peer, record } = await linkedCarrier(t, {}, { window: cases.length })
  const outcomes = cases.map(() => connector.submit(submission()))
  await session.got('submit_sm', cases.length)
  for (const [index, { sequence }] of session.of('submit_sm').entries()) {
    const [name, { octets, response }] = cases[index]!
    const before = session.received.length
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
      .slice(before)
      .filter(({ sequence: answered }) => answered === hostileSequence)
    assert.deepEqual(
      hostile.map(({ kind, commandStatus }) => [kind, commandStatus]),
      response === null ? [] : [response],
      name,
    )
  }
  assert.deepEqual(
    record.receipts.map(({ carrierId, result }) => [carrierId, result]),
    cases.map((_, index) => [String(index), 'delivered']),
  )
  assert.equal(peer.sessions.length, 1)
  const malformed = cases.filter(([, { response }]) => [0x65, 0x02].includes(response?.[1] ?? 0)).length
  assert.equal(record.events.filter((event) => event === 'malformed-pdu').length, malformed)
})
