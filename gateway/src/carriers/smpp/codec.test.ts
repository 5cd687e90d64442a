import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodePdu, encodePdu } from './codec.ts'
import type { Field } from './fields.ts'
import { layouts } from './fields.ts'
import type { PduKind } from './pdu.ts'
import { PduError } from './pdu.ts'
import { readTlv } from './tlv.ts'
import { arbitraryPdu } from '../../../test/support/smpp/arbitrary.ts'
import { deliverBody } from '../../../test/support/smpp/fixtures.ts'
import { pduOctets } from '../../../test/support/smpp/peer.ts'

const kinds = Object.keys(layouts) as PduKind[]

for (const kind of kinds) {
  test(`${kind} is unchanged after encoding and decoding, optional parameters included`, () => {
    fc.assert(
      fc.property(arbitraryPdu(kind), ({ commandStatus, sequence, body }) => {
        const pdu = decodePdu(pduOctets(kind, commandStatus, sequence, body)) as unknown as Record<
          string,
          unknown
        >
        const { kind: decodedKind, commandStatus: decodedStatus, sequence: decodedSequence, ...fields } = pdu
        assert.deepEqual([decodedKind, decodedStatus, decodedSequence], [kind, commandStatus, sequence])
        assert.deepEqual(fields, body)
      }),
      { numRuns: 100 },
    )
  })
}

test('a request that is truncated anywhere is refused, never misread', () => {
  const whole = pduOctets('deliver_sm', 0, 7, deliverBody({}, 'id:1 stat:DELIVRD'))
  for (let length = 16; length < whole.length; length += 1) {
    assert.throws(
      () => decodePdu(whole.subarray(0, length)),
      (error) => error instanceof PduError && error.sequence === 7,
    )
  }
})

test('a response that is truncated anywhere is still a response', () => {
  const whole = pduOctets('submit_sm_resp', 0, 7, { messageId: 'abc' })
  const ids = [16, 17, 18, 19, 20].map((length) => {
    const pdu = decodePdu(whole.subarray(0, length))
    assert.equal(pdu.kind, 'submit_sm_resp')
    return pdu.messageId
  })
  assert.deepEqual(ids, ['', 'a', 'ab', 'abc', 'abc'])
})

test('a response with a broken optional parameter keeps its message id', () => {
  const whole = pduOctets('submit_sm_resp', 0, 7, {
    messageId: 'abc',
    tlvs: [{ tag: 0x1d, value: Buffer.alloc(9) }],
  })
  const pdu = decodePdu(whole.subarray(0, whole.length - 1))
  assert.ok(pdu.kind === 'submit_sm_resp')
  assert.equal(pdu.messageId, 'abc')
})

test('up to three octets of padding after a request are ignored', () => {
  const whole = pduOctets('deliver_sm', 0, 7, deliverBody({}, 'x'))
  for (const padding of [1, 2, 3]) {
    const pdu = decodePdu(Buffer.concat([whole, Buffer.alloc(padding)]))
    assert.deepEqual(pdu.tlvs, [])
  }
})

test('an unknown command keeps its id, sequence and octets', () => {
  const frame = Buffer.from('00000012000001110000000000000005abcd', 'hex')
  const pdu = decodePdu(frame)
  assert.ok(pdu.kind === 'unknown')
  assert.deepEqual([pdu.commandId, pdu.sequence, Buffer.from(pdu.body).toString('hex')], [0x111, 5, 'abcd'])
})

test('rejects a field that is too long or unencodable without revealing its value', () => {
  const target = Buffer.alloc(1000)
  for (const destination of ['1'.repeat(21), '010\u0000', '전화']) {
    assert.throws(
      () => encodePdu(target, 0, 'submit_sm', 0, 1, deliverBody({ destination })),
      (error) => error instanceof PduError && !error.message.includes(destination),
    )
  }
  assert.throws(
    () => encodePdu(target, 0, 'submit_sm', 0, 1, deliverBody({ shortMessage: Buffer.alloc(256) })),
    PduError,
  )
})

test('a PDU that does not fit into its buffer is refused', () => {
  const { length } = pduOctets('submit_sm', 0, 1, deliverBody({}, 'hello'))
  for (let size = 16; size < length; size += 1) {
    const target = Buffer.alloc(size)
    assert.throws(() => encodePdu(target, 0, 'submit_sm', 0, 1, deliverBody({}, 'hello')), PduError)
  }
})

test('field names are unique within each table', () => {
  for (const kind of kinds) {
    const names = (layouts[kind].fields as readonly Field[]).map((field) => field.name)
    assert.equal(new Set(names).size, names.length)
  }
})

test('an optional parameter of the wrong size counts as absent', () => {
  const value = Buffer.alloc(2)
  assert.equal(readTlv([{ tag: 0x0427, value }], 'messageState'), undefined)
  assert.equal(readTlv([{ tag: 0x0423, value }], 'networkErrorCode'), undefined)
  assert.equal(readTlv([{ tag: 0x001e, value }], 'receiptedMessageId'), undefined)
  assert.deepEqual(readTlv([{ tag: 0x0423, value: Buffer.of(3, 1, 2) }], 'networkErrorCode'), {
    network: 3,
    code: 258,
  })
})
