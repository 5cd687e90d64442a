import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatNumber, classifyNumber, numberFormats, toDomestic, toE164 } from './phone-number.ts'

const forms: readonly (readonly [given: string, ...formatted: readonly [string, string, string]])[] = [
  ['01012345678', '01012345678', '821012345678', '+821012345678'],
  ['0212345678', '0212345678', '82212345678', '+82212345678'],
  ['+821012345678', '01012345678', '821012345678', '+821012345678'],
  ['+8215881588', '15881588', '8215881588', '+8215881588'],
  ['+819012345678', '819012345678', '819012345678', '+819012345678'],
  // Numbers without an international form.
  ['15881588', '15881588', '15881588', '15881588'],
  ['112', '112', '112', '112'],
  ['00700123456', '00700123456', '00700123456', '00700123456'],
  // Text sender ids, including those that begin like a number.
  ['ACME', 'ACME', 'ACME', 'ACME'],
  ['0800CALL', '0800CALL', '0800CALL', '0800CALL'],
  ['+82CALL', '+82CALL', '+82CALL', '+82CALL'],
  ['', '', '', ''],
]

test('formats numbers for the carrier and leaves other values unchanged', () => {
  for (const [given, ...formatted] of forms)
    assert.deepEqual(
      numberFormats.map((format) => formatNumber(given, format, '82')),
      formatted,
      given,
    )
})

test('another country has its own code', () => {
  assert.equal(formatNumber('09012345678', 'e164', '81'), '+819012345678')
  assert.equal(formatNumber('+819012345678', 'domestic', '81'), '09012345678')
  assert.equal(toE164('0612345678', '33'), '+33612345678')
  assert.equal(toDomestic('+8115881588', '81'), '015881588')
})

test('representative numbers have an E.164 form, short numbers have none', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['01012345678', '+821012345678'],
    ['+819012345678', '+819012345678'],
    ['15881234', '+8215881234'],
    ['+14155550100', '+14155550100'],
    ['112', null],
    ['021366', null],
    ['0082101234567', null],
    ['+0821012345678', null],
    ['+82', null],
    ['+8210123456789012', null],
    ['ACME', null],
    ['', null],
  ]
  for (const [given, expected] of cases) assert.equal(toE164(given, '82'), expected, given)
})

test('only numbers of the country have a domestic form', () => {
  assert.equal(toDomestic('+821012345678', '82'), '01012345678')
  assert.equal(toDomestic('01012345678', '82'), '01012345678')
  assert.equal(toDomestic('+8215881588', '82'), '15881588')
  assert.equal(toDomestic('+819012345678', '82'), null)
})

test('a sender is a domestic number, a number with its country code, or a text', () => {
  assert.deepEqual(['0212345678', '15881588', '+82212345678', 'ACME', '1+2', '+', ''].map(classifyNumber), [
    ...['domestic', 'domestic', 'international', 'text', 'text', 'text', 'text'],
  ])
})

test('conversions between formats are reversible', () => {
  const national = fc.stringMatching(/^[1-9]\d{7,9}$/)
  const country = fc.constantFrom('82', '81', '44', '1242')
  fc.assert(
    fc.property(national, country, (digits, code) => {
      const e164 = `+${code}${digits}`
      const domestic = toDomestic(e164, code)!
      assert.equal(toE164(domestic, code), e164)
      assert.equal(toE164(e164, code), e164)
      assert.equal(formatNumber(e164, 'domestic', code), domestic)
      // A number without a zero can be a short code of the carrier, which no format changes.
      const other = domestic.startsWith('0') ? e164 : domestic
      assert.equal(formatNumber(domestic, 'e164', code), other)
      assert.equal(`+${formatNumber(e164, 'international', code)}`, e164)
    }),
  )
})
