import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeText, type Alphabet } from '../../../carriers/smpp/alphabets.ts'
import { writeHeader, writeParameters } from '../../../carriers/smpp/concatenation.ts'
import type { PduOf } from '../../../carriers/smpp/pdu.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import { tlvs as known, type Tlv } from '../../../carriers/smpp/tlv.ts'
import { parseSmppRecipient, parseSmppSender, formatSmppNumber } from '../addresses.ts'
import { partId, parseSubmitRef, formatSubmitRef } from '../delivery/submit-ref.ts'
import { joinText, maxParts, parseSubmit, computeTimeLimit, type SubmitRequest } from './submit-request.ts'
import { parseSmppTime } from './times.ts'

const now = Date.UTC(2026, 10, 16, 12, 0, 0)

function submit(changes: Partial<PduOf<'submit_sm'>> = {}): PduOf<'submit_sm'> {
  return {
    kind: 'submit_sm',
    commandStatus: 0,
    sequence: 1,
    tlvs: [],
    serviceType: '',
    sourceTon: 0,
    sourceNpi: 0,
    source: '0234567890',
    destinationTon: 1,
    destinationNpi: 1,
    destination: '821012345678',
    esmClass: 0,
    protocolId: 0,
    priorityFlag: 0,
    scheduleDeliveryTime: '',
    validityPeriod: '',
    registeredDelivery: 1,
    replaceIfPresent: 0,
    dataCoding: 0,
    defaultMessageId: 0,
    shortMessage: Buffer.from('hello'),
    ...changes,
  }
}

function read(changes: Partial<PduOf<'submit_sm'>> = {}): SubmitRequest {
  const request = parseSubmit(submit(changes), now)
  assert.ok(!('status' in request), JSON.stringify(request))
  return request
}

function refusal(changes: Partial<PduOf<'submit_sm'>>): number {
  const request = parseSubmit(submit(changes), now)
  assert.ok('status' in request)
  return request.status
}

for (const [ton, address, number, form] of [
  [1, '821012345678', '01012345678', 'i'],
  [0, '821012345678', '01012345678', 'i'],
  [0, '+821012345678', '01012345678', 'p'],
  [1, '4915112345678', '+4915112345678', 'i'],
  [0, '+4915112345678', '+4915112345678', 'p'],
  [2, '01012345678', '01012345678', 'd'],
  [0, '01012345678', '01012345678', 'd'],
  [1, '01012345678', '01012345678', 'd'],
  [1, '8215881588', '15881588', 'i'],
] as const)
  test(`the recipient ${address} of type ${ton} is ${number}, and is written back as it came`, () => {
    const recipient = parseSmppRecipient(ton, 1, address)
    assert.deepEqual([recipient.number, recipient.form], [number, form])
    assert.equal(formatSmppNumber(recipient.number, recipient.form), address)
  })

for (const [ton, address, number] of [
  [0, '15881234', '15881234'],
  [1, '15881234', '15881234'],
  [1, '82234567890', '0234567890'],
  [1, '8215881234', '15881234'],
  [1, '12025550123', '+12025550123'],
  [0, '+12025550123', '+12025550123'],
  [0, '+82234567890', '0234567890'],
  [5, 'Postern', 'Postern'],
] as const)
  test(`the sender ${address} of type ${ton} is ${number}, and is written back as it came`, () => {
    const sender = parseSmppSender(ton, 0, address)
    assert.equal(sender.number, number)
    assert.equal(formatSmppNumber(sender.number, sender.form), address)
  })

for (const [text, at] of [
  ['261116130000000+', '2026-11-16T13:00:00.000Z'],
  ['261116220000536+', '2026-11-16T13:00:00.500Z'],
  ['261116050000032-', '2026-11-16T13:00:00.000Z'],
  ['000000010000000R', '2026-11-16T13:00:00.000Z'],
  ['000002000000000R', '2026-11-18T12:00:00.000Z'],
  ['261131000000000+', null],
  ['261116240000000+', null],
  ['tomorrow', null],
] as const)
  test(`the time ${text} is ${at ?? 'none'}`, () => {
    const time = parseSmppTime(text, now)
    assert.equal(time === null ? null : new Date(time).toISOString(), at)
  })

test('a validity becomes the time limit, and a very urgent message without one has five minutes', () => {
  const limit = (changes: Partial<PduOf<'submit_sm'>>, after = 0) => {
    const request = read(changes)
    return computeTimeLimit(request, request.sendAt, now + after)
  }
  assert.equal(limit({ validityPeriod: '000000000130000R' }), 90)
  assert.equal(limit({ validityPeriod: '000000000130000R' }, 30_000), 60, 'parts that come later')
  assert.equal(limit({ validityPeriod: '000030000000000R' }), 259_200)
  assert.equal(limit({ priorityFlag: 3 }), 300)
  assert.equal(limit({ priorityFlag: 1 }), null)
  assert.equal(refusal({ validityPeriod: '260101000000000+' }), statuses.ESME_RINVEXPIRY)
  assert.equal(refusal({ scheduleDeliveryTime: 'soon' }), statuses.ESME_RINVSCHED)
})

test('a scheduled message ends at its validity period', () => {
  const scheduleDeliveryTime = '000000010000000R'
  const scheduled = read({ scheduleDeliveryTime, validityPeriod: '000000011000000R' })
  assert.equal(computeTimeLimit(scheduled, scheduled.sendAt, now), 600)
  const late = { scheduleDeliveryTime, validityPeriod: '000000010000000R' }
  assert.equal(refusal(late), statuses.ESME_RINVEXPIRY)
})

test('violations of the protocol are refused with their status', () => {
  assert.equal(refusal({ dataCoding: 4 }), statuses.ESME_RINVDCS)
  assert.equal(refusal({ esmClass: 0x04 }), statuses.ESME_RINVESMCLASS)
  assert.equal(refusal({ replaceIfPresent: 1 }), statuses.ESME_RREPLACEFAIL)
  const payload: Tlv = { tag: known.messagePayload.tag, value: Buffer.from('x') }
  assert.equal(refusal({ tlvs: [payload] }), statuses.ESME_ROPTPARNOTALLWD)
  const header = writeHeader('udh8', { reference: 1, part: 1, parts: maxParts + 1 })
  assert.equal(refusal({ esmClass: 0x40, shortMessage: header }), statuses.ESME_RINVMSGLEN)
})

for (const [coding, alphabet, text] of [
  [0, 'gsm7', 'Grüße {€} ~ @'],
  [3, 'latin1', 'déjà vu'],
  [8, 'ucs2', '안녕 😀'],
  [0x0e, 'cp949', '안녕하세요'],
  [1, 'ascii', 'plain'],
] as const)
  test(`a text with data_coding ${coding} is decoded correctly`, () => {
    const { body } = read({ dataCoding: coding, shortMessage: encodeText(text, alphabet) })
    assert.equal(joinText([body]), text)
    const payload: Tlv = { tag: known.messagePayload.tag, value: encodeText(text, alphabet) }
    const inPayload = read({ dataCoding: coding, shortMessage: Buffer.alloc(0), tlvs: [payload] })
    assert.equal(joinText([inPayload.body]), text)
  })

test('a text cut anywhere, in any of the three ways, is joined to the same text', () => {
  const alphabets: readonly (readonly [Alphabet, number])[] = [
    ['gsm7', 0],
    ['latin1', 3],
    ['ucs2', 8],
    ['cp949', 0x0e],
  ]
  const gsmText = fc.array(fc.constantFrom(...Array.from('abc XYZ0189@£é€{}[]~^|\\')), {
    minLength: 2,
    maxLength: 200,
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...alphabets),
      gsmText,
      fc.constantFrom('udh8' as const, 'udh16' as const, 'sar' as const),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 0xffff }),
      ([alphabet, dataCoding], letters, way, size, reference) => {
        const text = letters
          .join('')
          .replace(/[^a-zA-Z0-9 @]/g, alphabet === 'gsm7' || alphabet === 'ucs2' ? '$&' : '')
        const octets = encodeText(text, alphabet)
        const cuts = Array.from({ length: Math.ceil(octets.length / size) }, (_, index) =>
          octets.subarray(index * size, (index + 1) * size),
        )
        if (cuts.length < 2 || cuts.length > maxParts) return
        const requests = cuts.map((cut, index) => {
          const segment = { reference, part: index + 1, parts: cuts.length }
          const header = writeHeader(way, segment)
          return read({
            dataCoding,
            esmClass: header.length > 0 ? 0x40 : 0,
            shortMessage: Buffer.concat([header, cut]),
            ...(way === 'sar' ? { tlvs: writeParameters(segment) } : {}),
          })
        })
        for (const [index, { segment }] of requests.entries()) {
          assert.equal(segment?.part, index + 1)
          assert.equal(segment.parts, cuts.length)
          assert.equal(segment.reference, way === 'udh8' ? reference & 0xff : reference)
        }
        assert.equal(joinText(requests.map(({ body }) => body)), text)
      },
    ),
    { numRuns: 500 },
  )
})

test('a ref restores how a message was submitted; other refs are ignored', () => {
  const address = fc.record({
    ton: fc.integer({ min: 0, max: 255 }),
    npi: fc.integer({ min: 0, max: 255 }),
    form: fc.constantFrom('i' as const, 'p' as const, 'd' as const),
  })
  const ref = fc.record({
    registered: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: maxParts }),
    recipient: address,
    sender: address,
    reference: fc.option(fc.integer({ min: 0, max: 0xffff })),
  })
  fc.assert(
    fc.property(ref, (given) => {
      const text = formatSubmitRef(given)
      assert.ok(text.length <= 200)
      assert.equal(JSON.stringify(parseSubmitRef(text)), JSON.stringify(given))
    }),
  )
  for (const text of [null, '', 'order 7', 'smpp/2/1/1.1.i/0.0.d/-', 'smpp/1//1.1.i/0.0.d/-'])
    assert.equal(parseSubmitRef(text), null)
  assert.deepEqual([partId('KEY', 1), partId('KEY', 3)], ['KEY', 'KEY-3'])
})
