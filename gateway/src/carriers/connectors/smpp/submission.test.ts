import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextPart } from '../../../channels/text/parts.ts'
import type { Submission } from '../connector.ts'
import type { SubmitBody } from './submission.ts'
import { submitBodyWriter, validityPeriod } from './submission.ts'
import { submission, testOptions } from '../../../../test/support/smpp/fixtures.ts'

const now = Date.UTC(2026, 0, 1)
const valid = new Date(now + 3_600_000)

function body(overrides: Partial<Submission> = {}, options: object = {}): SubmitBody {
  const result = submitBodyWriter(testOptions(options))(submission({ validUntil: valid, ...overrides }), now)
  assert.ok(!('kind' in result))
  return result
}

function refused(overrides: Partial<Submission>): string[] {
  const result = submitBodyWriter(testOptions())(submission({ validUntil: valid, ...overrides }), now)
  assert.ok('kind' in result)
  return [result.cause, result.code]
}

const part = (text: string, encoding: TextPart['encoding'], number = 1, parts = 1): TextPart => ({
  kind: 'text',
  text,
  encoding,
  part: number,
  parts,
  concatReference: 0xab,
})

test('sets data_coding for each alphabet and encodes the text', () => {
  const cases = [
    ['gsm7', '@€', 0, '001b65'],
    ['ucs2', '한😀', 8, 'd55cd83dde00'],
    ['cp949', '가A', 14, 'b0a141'],
  ] as const
  for (const [encoding, text, dataCoding, octets] of cases) {
    const result = body({ part: part(text, encoding) })
    assert.deepEqual(
      [result.dataCoding, result.esmClass, Buffer.from(result.shortMessage).toString('hex')],
      [dataCoding, 0, octets],
    )
  }
  assert.equal(body({}, { dataCoding: { gsm7: 1 } }).dataCoding, 1)
})

test('writes data_coding 0 in the default alphabet of the carrier', () => {
  const octets = (text: string, defaultAlphabet: string): string => {
    const { dataCoding, shortMessage } = body({ part: part(text, 'gsm7') }, { defaultAlphabet })
    assert.equal(dataCoding, 0)
    return Buffer.from(shortMessage).toString('hex')
  }
  assert.equal(octets('@[é', 'gsm7'), '001b3c05')
  assert.equal(octets('@[é', 'latin1'), '405be9')
  assert.equal(octets('@[', 'ascii'), '405b')
  for (const [text, defaultAlphabet] of [
    ['€', 'latin1'],
    ['é', 'ascii'],
  ] as const) {
    const submitted = submission({ validUntil: valid, part: part(text, 'gsm7') })
    const result = submitBodyWriter(testOptions({ defaultAlphabet }))(submitted, now)
    assert.ok('kind' in result && result.code === 'smpp:unencodable')
  }
})

test('sends the origin code only in the configured parameter', () => {
  const given = { originCid: '123456789' }
  assert.equal(body(given).tlvs, undefined)
  assert.equal(body({}, { originCidTag: 0x1401 }).tlvs, undefined)
  assert.deepEqual(body(given, { originCidTag: 0x1401 }).tlvs, [
    { tag: 0x1401, value: Buffer.from('123456789') },
  ])
})

test('puts the concatenation header before each part of a long text', () => {
  const result = body({ part: part('hi', 'gsm7', 2, 3) })
  assert.equal(result.esmClass, 0x40)
  assert.equal(Buffer.from(result.shortMessage).toString('hex'), '050003ab03026869')
})

test('sets type of number and numbering plan as the carrier expects', () => {
  const table = [
    ['01012345678', '0215880000', [2, 1, '01012345678'], [2, 1, '0215880000']],
    ['+14155550100', '+8215880000', [1, 1, '14155550100'], [1, 1, '8215880000']],
    ['01012345678', 'POSTERN', [2, 1, '01012345678'], [5, 0, 'POSTERN']],
    ['01012345678', '1+1 Shop', [2, 1, '01012345678'], [5, 0, '1+1 Shop']],
  ] as const
  for (const [to, from, destination, source] of table) {
    const result = body({ to, from })
    assert.deepEqual([result.destinationTon, result.destinationNpi, result.destination], destination)
    assert.deepEqual([result.sourceTon, result.sourceNpi, result.source], source)
  }
  const result = body({}, { source: { ton: 3, npi: 0 }, destination: { ton: 0 } })
  assert.deepEqual(
    [result.sourceTon, result.sourceNpi, result.destinationTon, result.destinationNpi],
    [3, 0, 0, 1],
  )
})

test('requests a final receipt', () => assert.equal(body().registeredDelivery, 1))

test('refuses a submission that cannot be sent, with the cause', () => {
  assert.deepEqual(refused({ to: '010-1234-5678' }), ['bad-number', 'smpp:destination'])
  assert.deepEqual(refused({ to: '' }), ['bad-number', 'smpp:destination'])
  assert.deepEqual(refused({ to: '1'.repeat(21) }), ['bad-number', 'smpp:destination'])
  assert.deepEqual(refused({ from: '가게' }), ['unregistered-sender', 'smpp:source'])
  assert.deepEqual(refused({ from: '' }), ['unregistered-sender', 'smpp:source'])
  assert.deepEqual(refused({ part: part('한글', 'gsm7') }), ['unsupported', 'smpp:unencodable'])
  assert.deepEqual(refused({ part: part('😀', 'cp949') }), ['unsupported', 'smpp:unencodable'])
  assert.deepEqual(refused({ part: part('x'.repeat(255), 'gsm7') }), ['unsupported', 'smpp:too-long'])
})

test('sets validity_period as a relative time, empty above the maximum', () => {
  const day = 86_400
  assert.equal(validityPeriod(-1, 3 * day), '000000000001000R')
  assert.equal(validityPeriod(1, 3 * day), '000000000001000R')
  assert.equal(validityPeriod(3_600_000, 3 * day), '000000010000000R')
  assert.equal(validityPeriod((2 * day + 3 * 3600 + 4 * 60 + 5) * 1000, 3 * day), '000002030405000R')
  assert.equal(validityPeriod(3 * day * 1000, 3 * day), '000003000000000R')
  assert.equal(validityPeriod(3 * day * 1000 + 1, 3 * day), '')
  assert.equal(validityPeriod(1000, 0), '')
  assert.equal(body().validityPeriod, '000000010000000R')
})
