/** Report codes: every cause has one in every family, and its first digit tells the family. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { causes } from './cause.ts'
import { kakaoReportCodes, rcsReportCodes, textReportCodes } from './report-codes.ts'

const families = [
  ['text', '2', textReportCodes],
  ['RCS', '3', rcsReportCodes],
  ['Kakao', '6', kakaoReportCodes],
] as const
const ours = ['no-route', 'outcome-unknown'] as const

for (const [name, digit, codes] of families) {
  suite(`the ${name} family`, () => {
    test('has five digits and words for every cause, and for nothing else', () => {
      assert.deepEqual(new Set(Object.keys(codes)), new Set(causes))
      for (const cause of causes) {
        assert.match(codes[cause].code, /^\d{5}$/, cause)
        assert.notEqual(codes[cause].text, '', cause)
      }
    })

    test('says 10000 of a delivery and of nothing else', () => {
      assert.deepEqual(
        causes.filter((cause) => codes[cause].code === '10000'),
        ['delivered'],
      )
    })

    test(`begins every failure of a carrier with ${digit}`, () => {
      for (const cause of causes) {
        if (cause === 'delivered' || ours.some((own) => own === cause)) continue
        assert.equal(codes[cause].code[0], digit, cause)
      }
    })

    test("gives the gateway's own failures the same code as any other family", () => {
      assert.deepEqual([codes['no-route'].code, codes['outcome-unknown'].code], ['90000', '99999'])
    })
  })
}

for (const [name, codes] of [
  ['text', textReportCodes],
  ['RCS', rcsReportCodes],
] as const) {
  test(`no two causes share a code in the ${name} family`, () => {
    assert.equal(new Set(causes.map((cause) => codes[cause].code)).size, causes.length)
  })
}

test('temporary failures are 22xxx and 32xxx, final ones 23xxx and 33xxx', () => {
  const temporary = [
    'timeout',
    'radio-failure',
    'phone-off',
    'buffer-full',
    'shadow-area',
    'temporary-failure',
  ]
  for (const cause of causes) {
    if (cause === 'delivered' || ours.some((own) => own === cause)) continue
    const second = temporary.includes(cause) ? '2' : '3'
    assert.equal(textReportCodes[cause].code[1], second, cause)
    assert.equal(rcsReportCodes[cause].code[1], second, cause)
  }
})

test('what Kakao has no word for is 69999', () => {
  assert.deepEqual([kakaoReportCodes.spam.code, kakaoReportCodes['phone-off'].code], ['69999', '69999'])
  assert.deepEqual(
    [kakaoReportCodes['no-subscriber'].code, kakaoReportCodes.refused.code],
    ['63019', '63020'],
  )
})
