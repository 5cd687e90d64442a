import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { causes } from './cause.ts'
import {
  causeByCode,
  kakaoReportCodes,
  explainReportCode,
  rcsReportCodes,
  getReportCode,
  reportCodes,
  textReportCodes,
  toReportOutcome,
  type ReportOutcome,
} from './report-codes.ts'
import { reportDetails } from './report-details.ts'

const families = [
  ['text', '2', textReportCodes],
  ['RCS', '3', rcsReportCodes],
  ['Kakao', '6', kakaoReportCodes],
] as const
const gatewayCauses = [
  ...(['no-route', 'cancelled', 'account-stopped', 'suppressed', 'cap', 'advertisement-form'] as const),
  'outcome-unknown' as const,
]

for (const [name, digit, codes] of families) {
  suite(`the ${name} family`, () => {
    test('has five digits and a text for every cause, and for nothing else', () => {
      assert.deepEqual(new Set(Object.keys(codes)), new Set(causes))
      for (const cause of causes) {
        assert.match(codes[cause].code, /^\d{5}$/, cause)
        assert.notEqual(codes[cause].text, '', cause)
      }
    })

    test('has 10000 for a delivery and for nothing else', () => {
      assert.deepEqual(
        causes.filter((cause) => codes[cause].code === '10000'),
        ['delivered'],
      )
    })

    test(`has codes that begin with ${digit} for every failure of a carrier`, () => {
      for (const cause of causes) {
        if (cause === 'delivered' || gatewayCauses.some((gatewayCause) => gatewayCause === cause)) continue
        assert.equal(codes[cause].code[0], digit, cause)
      }
    })

    test('has the same codes as every other family for failures of the gateway', () => {
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
    if (cause === 'delivered' || gatewayCauses.some((gatewayCause) => gatewayCause === cause)) continue
    const second = temporary.includes(cause) ? '2' : '3'
    assert.equal(textReportCodes[cause].code[1], second, cause)
    assert.equal(rcsReportCodes[cause].code[1], second, cause)
  }
})

test('a cause without a Kakao code is 69999', () => {
  assert.deepEqual([kakaoReportCodes.spam.code, kakaoReportCodes['phone-off'].code], ['69999', '69999'])
  assert.deepEqual(
    // A refusal does not imply that the recipient has blocked anything.
    [kakaoReportCodes['no-subscriber'].code, kakaoReportCodes.refused.code],
    ['63019', '69999'],
  )
})

test('a message that was not delivered in time is 22000, over RCS 32000', () => {
  assert.deepEqual([textReportCodes.timeout.code, rcsReportCodes.timeout.code], ['22000', '32000'])
})

test('a code maps to its cause, and a shared code to the general failure', () => {
  for (const codes of [textReportCodes, rcsReportCodes])
    for (const cause of causes) assert.equal(causeByCode.get(codes[cause].code), cause, codes[cause].code)
  const shared = causes.filter((cause) => kakaoReportCodes[cause].code === '69999')
  assert.ok(shared.length > 1)
  assert.equal(causeByCode.get('69999'), 'failed')
  assert.equal(causeByCode.get('63019'), 'no-subscriber')
})

test('a code whose message may have been delivered has the outcome unknown', () => {
  const withOutcome = (outcome: ReportOutcome): string[] =>
    reportCodes.filter((code) => toReportOutcome(code) === outcome)
  assert.deepEqual(withOutcome('delivered'), ['10000'])
  assert.deepEqual(withOutcome('unknown'), ['22000', '32000', '63005', '99999'])
  for (const language of ['en', 'ko'] as const) {
    const actions = withOutcome('unknown').map((code) => explainReportCode(code, language)!.action)
    assert.equal(new Set(actions).size, 1, 'the same warning')
  }
})

test('every report code has a meaning, a cause and an action in both languages', () => {
  for (const code of reportCodes) {
    for (const language of ['en', 'ko'] as const) {
      const meaning = explainReportCode(code, language)
      assert.ok(
        meaning !== null && [meaning.text, meaning.cause, meaning.action].every((text) => text !== ''),
        code,
      )
      assert.equal(/[가-힣]/.test(meaning.text + meaning.cause + meaning.action), language === 'ko', code)
    }
  }
  assert.equal(explainReportCode('12345', 'en'), null)
})

test('the English meaning is the text of the report', () => {
  for (const codes of [textReportCodes, rcsReportCodes]) {
    for (const cause of causes) {
      // 33120 has its own text, but the meaning of its cause.
      if (codes[cause].code === '33120') continue
      assert.equal(explainReportCode(codes[cause].code, 'en')?.text, codes[cause].text, codes[cause].code)
    }
  }
})

test('a detail replaces only the code of its own cause and family', () => {
  for (const [detail, { cause: detailCause, text }] of reportDetails) {
    for (const [, digit, codes] of families) {
      for (const cause of causes) {
        const applies = cause === detailCause && detail[0] === digit
        const expected = applies ? { code: detail, text: text.en } : codes[cause]
        assert.deepEqual(getReportCode(codes, cause, detail), expected, `${detail} ${cause}`)
      }
    }
  }
  assert.deepEqual(getReportCode(kakaoReportCodes, 'refused', '63999'), kakaoReportCodes.refused)
})
