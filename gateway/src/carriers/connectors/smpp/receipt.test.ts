import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../../test/support/measure/cpu-time.ts'
import fc from 'fast-check'
import { decodePdu } from '../../smpp/codec.ts'
import type { SmppDelivery } from './pending-deliveries.ts'
import { isReceipt, receiptReader } from './receipt.ts'
import { readReceiptDate, readReceiptText } from './receipt-text.ts'
import type { Tlv } from '../../smpp/tlv.ts'
import { tlvs } from '../../smpp/tlv.ts'
import { deliverBody, testOptions } from '../../../../test/support/smpp/fixtures.ts'
import { pduOctets } from '../../../../test/support/smpp/peer.ts'

const readReceipt = receiptReader(
  testOptions({ errors: { '001': 'no-subscriber', 'E-7': 'spam' }, states: { OK: 'DELIVRD' } }),
)

function deliver(text: string | Buffer, esmClass = 0x04, list: Tlv[] = [], dataCoding = 0): SmppDelivery {
  const shortMessage = typeof text === 'string' ? Buffer.from(text, 'latin1') : text
  const body = { ...deliverBody({ esmClass, dataCoding, shortMessage }), tlvs: list }
  const pdu = decodePdu(pduOctets('deliver_sm', 0, 1, body))
  assert.ok(pdu.kind === 'deliver_sm')
  return pdu
}

const tlv = (name: keyof typeof tlvs, ...octets: number[]): Tlv => ({
  tag: tlvs[name].tag,
  value: Buffer.from(octets),
})
const id = (text: string): Tlv => tlv('receiptedMessageId', ...Buffer.from(`${text}\0`))

test('takes the id and the state from optional parameters, and the error from the text', () => {
  const list = [id('ABCDEF'), tlv('messageState', 5), tlv('networkErrorCode', 3, 0, 1)]
  const receipt = readReceipt(deliver('id:11259375 stat:DELIVRD err:000', 0x04, list))
  assert.deepEqual([receipt.carrierId, receipt.result, receipt.code], ['ABCDEF', 'failed', 'UNDELIV:000'])
})

test('reads a receipt that has only optional parameters', () => {
  const receipt = readReceipt(
    deliver('', 0x04, [id('1'), tlv('messageState', 5), tlv('networkErrorCode', 3, 0, 1)]),
  )
  assert.deepEqual(
    [receipt.carrierId, receipt.result, receipt.cause, receipt.code],
    ['1', 'failed', 'no-subscriber', 'UNDELIV:001'],
  )
})

test('falls back to the text when an optional parameter is invalid', () => {
  const receipt = readReceipt(
    deliver('id:1 stat:DELIVRD err:000', 0x04, [id(''), tlv('messageState'), tlv('messageState', 99)]),
  )
  assert.deepEqual([receipt.carrierId, receipt.result], ['1', 'delivered'])
  assert.equal(readReceipt(deliver('id:1 stat:DELIVRD', 0x04, [tlv('messageState', 99)])).result, 'delivered')
})

test('an intermediate notice never ends a message', () => {
  assert.equal(readReceipt(deliver('id:1 stat:UNDELIV err:001', 0x20)).result, 'pending')
})

test('reads the text after a user data header, in UCS-2, and in the message_payload parameter', () => {
  const text = 'id:1 stat:DELIVRD err:000'
  const header = Buffer.of(5, 0, 3, 1, 1, 1)
  assert.equal(readReceipt(deliver(Buffer.concat([header, Buffer.from(text)]), 0x44)).result, 'delivered')
  assert.equal(readReceipt(deliver(text, 0x44)).result, 'delivered')
  assert.equal(readReceipt(deliver(Buffer.from(text, 'utf16le').swap16(), 0x04, [], 8)).result, 'delivered')
  assert.equal(readReceipt(deliver(text, 0x04, [], 8)).result, 'delivered')
  assert.equal(readReceipt(deliver(`\0${text}`, 0x04, [], 8)).carrierId, '1')
  assert.equal(
    readReceipt(deliver('', 0x04, [tlv('messagePayload', ...Buffer.from(text))])).result,
    'delivered',
  )
})

test('reads a receipt that arrives as data_sm', () => {
  const { serviceType, sourceTon, sourceNpi, source, destinationTon, destinationNpi, destination } =
    deliverBody()
  const body = { serviceType, sourceTon, sourceNpi, source, destinationTon, destinationNpi, destination }
  const payload = tlv('messagePayload', ...Buffer.from('id:9 stat:UNDELIV err:001'))
  const pdu = decodePdu(
    pduOctets('data_sm', 0, 1, {
      ...body,
      esmClass: 4,
      registeredDelivery: 0,
      dataCoding: 0,
      tlvs: [payload],
    }),
  )
  assert.ok(pdu.kind === 'data_sm' && isReceipt(pdu))
  const receipt = readReceipt(pdu)
  assert.deepEqual([receipt.carrierId, receipt.cause], ['9', 'no-subscriber'])
})

test('distinguishes receipts from replies by esm_class, TLV, or a text in the exact format', () => {
  const text = 'id:1 stat:DELIVRD err:000'
  for (const esmClass of [0x04, 0x44, 0x07, 0xc4, 0x20])
    assert.equal(isReceipt(deliver(text, esmClass)), true)
  for (const esmClass of [0x00, 0x40, 0x03, 0x08, 0x10, 0x18])
    assert.equal(isReceipt(deliver(text, esmClass)), false)
  assert.equal(isReceipt(deliver(text, 0x00, [id('1')])), true)
  assert.equal(readReceipt(deliver(text, 0x00, [id('1')])).recipientMustMatch, undefined)
  const exact = (stat: string): string =>
    `id:1 sub:001 dlvrd:001 submit date:2603041405 done date:2603041406 stat:${stat} err:000 text:`
  for (const esmClass of [0x00, 0x40, 0x03]) {
    assert.equal(isReceipt(deliver(exact('DELIVRD'), esmClass)), true)
    assert.equal(readReceipt(deliver(exact('DELIVRD'), esmClass)).recipientMustMatch, true)
  }
  assert.equal(isReceipt(deliver(exact('WIBBLE'), 0x00)), false)
  assert.equal(isReceipt(deliver(exact('DELIVRD'), 0x08)), false)
  assert.equal(isReceipt(deliver(`Is this right? ${exact('DELIVRD')}`, 0x00)), false)
})

test('an intermediate state is never a delivery, with or without esm_class', () => {
  for (const [stat, state] of [
    ['ENROUTE', 1],
    ['ACCEPTD', 6],
  ] as const) {
    const text = `id:1 sub:001 dlvrd:000 submit date:2603041405 done date:2603041406 stat:${stat} err:000`
    for (const esmClass of [0x00, 0x04, 0x20])
      assert.equal(readReceipt(deliver(text, esmClass)).result, 'pending')
    assert.equal(readReceipt(deliver('', 0x04, [id('1'), tlv('messageState', state)])).result, 'pending')
  }
})

test('reads dates in the time zone of the carrier', () => {
  assert.deepEqual(readReceiptDate('2603041406', 0), new Date('2026-03-04T14:06:00Z'))
  assert.deepEqual(readReceiptDate('260304140607', -330), new Date('2026-03-04T19:36:07Z'))
  for (const wrong of [
    '',
    '26030414',
    '2602301200',
    '2603042460',
    '26-03-04',
    'yesterday00',
    '２６０３０４１４０６',
  ]) {
    assert.equal(readReceiptDate(wrong, 0), null)
  }
})

test('the fast path for the standard format has the same result as the search for keys', () => {
  const value = fc.stringMatching(/^[\w-]{1,12}$/)
  const end = fc.constantFrom('', ' text:', ' Text:stat:UNDELIV err:9', ' text', ', text:', ' sub:1', ' id:2')
  fc.assert(
    fc.property(value, value, value, value, end, (id, date, stat, err, rest) => {
      const text = `id:${id} sub:001 dlvrd:001 submit date:2603041405 done date:${date} stat:${stat} err:${err}${rest}`
      // A leading space has no meaning but disables the fast path.
      assert.deepEqual({ ...readReceiptText(text) }, { ...readReceiptText(` ${text}`) })
    }),
  )
})

test('1,000 hostile texts of 16 KB are read within a second', () => {
  const units = ['id:a,', ',', 'id ', 'id: ', 'err:', 'err_', '\0', ' ', 'text:', 'stat:/', 'done date', 'x']
  const texts = units.flatMap((unit) => {
    const long = unit.repeat(16_000 / unit.length)
    return [long, `${long}x`, `id:${long}x`, `id:1 stat:${long}x`, `${long} x stat:DELIVRD`]
  })
  const payloads = texts.map((text) => deliver('', 0x04, [tlv('messagePayload', ...Buffer.from(text))]))
  const tookMs = cpuMs(() => {
    for (let n = 0; n < 1_000; n++) readReceipt(payloads[n % payloads.length]!)
  })
  assert.ok(tookMs < 1000, `took ${tookMs} ms`)
})

test('reads only the beginning of a long text, and no truncated value', () => {
  const beginning = 'id:1 stat:DELIVRD text:'
  assert.equal(readReceiptText(beginning + 'x'.repeat(60_000)).stat, 'DELIVRD')
  const filler = 'sub:001 '.repeat(255)
  assert.deepEqual(readReceiptText(`${filler}id:123456789`), {})
  assert.deepEqual(readReceiptText(`${filler.slice(8)}id:123456789`), { id: '123456789' })
  const wide = Buffer.from(`${beginning}${'x'.repeat(5_000)}`, 'utf16le').swap16()
  assert.equal(readReceipt(deliver('', 0x04, [tlv('messagePayload', ...wide)], 8)).carrierId, '1')
})
