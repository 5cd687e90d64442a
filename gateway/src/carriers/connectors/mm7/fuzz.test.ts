/**
 * Malformed responses and reports lead to an outcome or a receipt within limits, or to a refusal, without an exception and
 * in linear time. `POSTERN_FUZZ_RUNS` is the number of inputs, `POSTERN_FUZZ_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../../test/support/measure/cpu-time.ts'
import { mm7Options } from '../../../../test/support/carriers/mm7.ts'
import { FuzzedParser, fuzzRuns, fuzzSeed as seed, mutateOctets } from '../../../../test/support/fuzz.ts'
import { seeded, type Random } from '../../../../test/support/smpp/mutate.ts'
import { boundOutcome } from '../options/bounds.ts'
import { createInbound } from '../registry.ts'
import { toMm7Outcome } from './outcome.ts'

const count = fuzzRuns(5_000)
const maxMs = 500

const soap = (operation: string, content: string): string =>
  '<?xml version="1.0" encoding="euc-kr"?>\n<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header>' +
  '<mm7:TransactionID xmlns:mm7="x" env:mustUnderstand="1"> 7 </mm7:TransactionID></env:Header><env:Body>' +
  `<mm7:${operation} xmlns:mm7="x"><!-- c -->${content}</mm7:${operation}></env:Body></env:Envelope>`
const status =
  '<Status><StatusCode>1000</StatusCode><StatusText><![CDATA[OK]]>&#44032;\xb0\xa1</StatusText></Status>'
const report =
  '<Recipient><Number>01012345678</Number></Recipient><TimeStamp>2026-11-15T13:04:27+09:00</TimeStamp>'
const inMultipart = (xml: string): string =>
  `--b  \r\nContent-Type: text/xml; charset="euc-kr"\r\nContent-ID: <a>\r\n\r\n${xml}\r\n--b\r\nContent-Type: image/jpeg\r\n\r\nx\r\n--b--\r\n`
const valid = [
  soap('SubmitRsp', `${status}<MessageID>01210006_20051215103126269</MessageID>`),
  soap('RSErrorRsp', status.replace('1000', '2007')),
  soap('Fault', `<detail><RSErrorRsp>${status.replace('1000', '4006')}</RSErrorRsp></detail>`),
  soap('DeliveryReportReq', `<MessageID>1</MessageID>${report}<MMStatus>1000</MMStatus>`),
  soap('DeliverReportReq', `<MessageID>1</MessageID>${report}<CalledNet>SKT</CalledNet>${status}`),
]
const samples = [...valid, ...valid.map(inMultipart)].map((text) => Buffer.from(text, 'latin1'))
const pieces = [
  '<',
  '>',
  '</',
  '/>',
  '&',
  '&#',
  ';',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE a [',
  '<?',
  '?>',
  '"',
  "'",
]
const more = [
  '--b',
  '\r\n',
  '\r\n\r\n',
  '\0',
  '<a>'.repeat(40),
  ' a="'.repeat(50),
  '&amp;'.repeat(50),
  '\n'.repeat(200),
]
const types = [
  'text/xml; charset="euc-kr"',
  'text/xml',
  'multipart/related; boundary=b',
  'multipart/related; boundary="',
  '',
]

interface Input {
  readonly contentType: string
  readonly body: Buffer
}

function changed(random: Random): Input {
  const sample = random(samples.length)
  const correctType = sample < valid.length ? types[0]! : types[2]!
  const contentType = random(4) === 0 ? types[random(types.length)]! : correctType
  return { contentType, body: mutateOctets(random, samples[sample]!, [...pieces, ...more]) }
}

const ok = { kind: 'answer', status: 200, retryAfterMs: null } as const

test(`${count} malformed answers and reports are read or refused (seed ${seed})`, () => {
  const random = seeded(seed)
  const options = mm7Options({ dialect: 'kt', partnerId: 'p' })
  const inbound = createInbound('mm7', options)!
  const query = new URLSearchParams()
  let accepted = 0
  let unread = 0
  let receipts = 0
  const parser = new FuzzedParser('mm7: answers and delivery reports, also in multipart')
  for (let round = 0; round < count; round++) {
    const { contentType, body } = changed(random)
    const headers = { 'content-type': contentType }
    const { outcome, result } = parser.read(() => ({
      outcome: boundOutcome(toMm7Outcome(options, { ...ok, headers, body })),
      result: inbound({ method: 'POST', path: '/token-of-the-reports', query, headers, body }),
    }))
    assert.ok(JSON.stringify(outcome).length < 1_000)
    assert.ok(JSON.stringify(result.receipts).length < 2_000)
    // An unreadable response can mean an acceptance.
    if (outcome.kind === 'unknown') unread++
    if (outcome.kind === 'accepted') accepted++
    receipts += result.receipts.length
  }
  parser.end()
  // All results must occur often, otherwise the test proves nothing.
  const least = count / 100
  assert.ok(accepted > least && unread > least && receipts > least, `${accepted} ${unread} ${receipts}`)
})

test('inputs of the largest size take linear time', () => {
  const options = mm7Options({ dialect: 'kt', partnerId: 'p' })
  const size = 262_144
  const patterns = [
    '<',
    '<a>',
    '<a ',
    '<a b="',
    '&',
    '&#1',
    '<!--',
    '\n',
    '\r\n ',
    '--b\r\n',
    '--b',
    ' ',
    ';charset=',
    '<a/>',
    '</',
  ]
  for (const pattern of patterns)
    for (const contentType of types) {
      const body = Buffer.alloc(size, pattern)
      const headers = { 'content-type': contentType }
      const headed = Buffer.concat([Buffer.from('--b\r\nContent-Type:'), body])
      const took = cpuMs(() => {
        assert.equal(toMm7Outcome(options, { ...ok, headers, body }).kind, 'unknown')
        toMm7Outcome(options, { ...ok, headers, body: headed })
      })
      assert.ok(took < 2 * maxMs, JSON.stringify([pattern, contentType]))
    }
})
