import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textReportCodes } from '../../../channels/report-codes.ts'
import { readReceiptText } from '../../../carriers/connectors/smpp/receipt-text.ts'
import { createTimeFormat } from '../../../contract/times.ts'
import { decodePdu, encodePdu } from '../../../carriers/smpp/codec.ts'
import { readTlv } from '../../../carriers/smpp/tlv.ts'
import { toReceiptError, isReceiptRequested, receiptBody, toMessageState, receiptStates } from './receipt.ts'
import { replyBody } from './reply-body.ts'

const formatTime = createTimeFormat('Asia/Seoul')
const ref = {
  registered: [1],
  recipient: { ton: 1, npi: 1, form: 'i' },
  sender: { ton: 0, npi: 1, form: 'd' },
  reference: 0x1234,
} as const
const receipt = {
  messageId: '20261116120000000' + '00ABCDEFGHIJKLM',
  state: receiptStates.delivered,
  error: '000',
  ref,
  sentAt: new Date('2026-11-16T12:00:00Z'),
  doneAt: new Date('2026-11-16T12:01:02Z'),
  addresses: { recipient: '01012345678', sender: '0234567890' },
}

function roundTrip(body: ReturnType<typeof receiptBody>) {
  const octets = Buffer.alloc(6_000)
  const end = encodePdu(octets, 0, 'deliver_sm', 0, 7, body)
  const pdu = decodePdu(octets.subarray(0, end))
  assert.equal(pdu.kind, 'deliver_sm')
  return pdu
}

test('has the text of the specification in the time of the installation, and the parameters', () => {
  const pdu = roundTrip(receiptBody(receipt, formatTime))
  const text = Buffer.from(pdu.shortMessage).toString('latin1')
  assert.equal(
    text,
    `id:${receipt.messageId} sub:001 dlvrd:001 submit date:2611162100 done date:2611162101 stat:DELIVRD err:000 text:`,
  )
  assert.deepEqual(readReceiptText(text), {
    id: receipt.messageId,
    stat: 'DELIVRD',
    err: '000',
    doneDate: '2611162101',
  })
  assert.equal(pdu.esmClass, 0x04)
  assert.equal(readTlv(pdu.tlvs, 'receiptedMessageId'), receipt.messageId)
  assert.equal(readTlv(pdu.tlvs, 'messageState'), 2)
  assert.equal(readTlv(pdu.tlvs, 'userMessageReference'), 0x1234)
})

test('has the recipient as source and the sender as destination, in the spelling of the client', () => {
  const { source, sourceTon, destination, destinationTon } = roundTrip(receiptBody(receipt, formatTime))
  assert.deepEqual([source, sourceTon, destination, destinationTon], ['821012345678', 1, '0234567890', 0])
  const erased = roundTrip(receiptBody({ ...receipt, addresses: null }, formatTime))
  assert.deepEqual([erased.source, erased.destination], ['', ''])
})

test('every report code of texts has a state and an error of three characters', () => {
  for (const { code } of Object.values(textReportCodes)) {
    assert.match(toReceiptError(code), /^\d{3}$/)
    assert.ok(Object.values(receiptStates).includes(toMessageState(code) as 2), code)
  }
  assert.deepEqual(
    ['10000', '22000', '23001', '23006', '90012', '90010', '99999'].map(toMessageState),
    [2, 3, 5, 8, 8, 4, 7],
  )
  assert.deepEqual(['10000', '22000', '22003', '23003', '90012', '99999'].map(toReceiptError), [
    '000',
    '200',
    '203',
    '303',
    '912',
    '999',
  ])
})

test('is sent if registered_delivery requests it', () => {
  const asked = (registered: number) =>
    [receiptStates.delivered, receiptStates.undeliverable].map((state) =>
      isReceiptRequested(registered, state),
    )
  assert.deepEqual([0, 1, 2, 3].map(asked), [
    [false, false],
    [true, true],
    [false, true],
    [true, false],
  ])
})

test('a reply is GSM 03.38 or UCS-2, and in message_payload when it is long', () => {
  const reply = (text: string) =>
    roundTrip(replyBody({ content: { from: '01012345678', to: '0234567890', kind: 'number', text } })!)
  assert.equal(reply('stop').dataCoding, 0)
  const korean = reply('그만')
  assert.equal(korean.dataCoding, 8)
  assert.equal(Buffer.from(korean.shortMessage).swap16().toString('utf16le'), '그만')
  const long = reply('x'.repeat(1_000))
  assert.equal(long.shortMessage.length, 0)
  assert.equal(readTlv(long.tlvs, 'messagePayload')?.length, 1_000)
  assert.equal(replyBody({ content: null }), null)
})
