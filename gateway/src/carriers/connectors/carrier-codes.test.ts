/** Tests which report code clients get for a code of a carrier, so that no code blames the wrong party. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPeerReport } from '../../../test/contract/connector-conformance/omni-peer.ts'
import { kakaoOptions } from '../../../test/support/carriers/kakao-messages.ts'
import { maapOptions, webhookToken } from '../../../test/support/carriers/maap.ts'
import { mm7Options } from '../../../test/support/carriers/mm7.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import { createInbound } from './registry.ts'
import { toKakaoReceipt } from './kakao/result.ts'
import { parseOmniOutcome } from './omni/outcome.ts'

const secret = 'a-secret-in-the-path'
const omni = {
  url: 'https://api.example.net',
  clientId: 'acme',
  password: 'secret08',
  results: 'webhook',
  webhookSignature: 'path',
  webhookSecret: secret,
}

/** Returns the report code for the first receipt in the body of a carrier's request. */
function reportedAs(
  channel: ChannelName,
  kind: string,
  options: object,
  path: string,
  body: unknown,
): string {
  const isText = typeof body === 'string'
  const { receipts } = createInbound(kind, { ...options })!({
    method: 'POST',
    path,
    query: new URLSearchParams(),
    headers: { 'content-type': isText ? 'text/xml; charset="utf-8"' : 'application/json' },
    body: Buffer.from(isText ? body : JSON.stringify(body)),
  })
  const { cause, reportCode } = receipts[0]!
  return channels[channel].reportCode(cause, reportCode).code
}

const overOmni = (channel: ChannelName, code: string) =>
  reportedAs(channel, 'omni', omni, `/report/${secret}`, createPeerReport('M1', '', code))
function overKakao(code: string, options: object = {}): string {
  const { cause, reportCode } = toKakaoReceipt(kakaoOptions(options), '20261115-1', code, null)
  return channels.alimtalk.reportCode(cause, reportCode).code
}
const overMaap = (code: string) =>
  reportedAs('rcs', 'maap', { ...maapOptions() }, `/${webhookToken}`, [
    { clientMsgId: '1', status: 'fail', error: { code } },
  ])
const overMm7 = (dialect: string, code: string) =>
  reportedAs(
    'mms',
    'mm7',
    mm7Options({ dialect, partnerId: 'p' }),
    '/token-of-the-reports',
    '<e:Envelope xmlns:e="x"><e:Header><TransactionID>1</TransactionID></e:Header><e:Body><DeliveryReportReq>' +
      `<MessageID>9</MessageID><MMStatus>${code}</MMStatus></DeliveryReportReq></e:Body></e:Envelope>`,
  )

function assertReported(report: (code: string) => string, expected: Readonly<Record<string, string>>): void {
  const found = Object.fromEntries(Object.keys(expected).map((code) => [code, report(code)]))
  assert.deepEqual(found, expected)
}

test('Kakao: template, length, account and handset faults have their own codes', () => {
  assertReported(overKakao, {
    1011: '61011',
    1025: '61025',
    3013: '63013',
    3014: '63014',
    3015: '63015',
    3016: '63016',
    3018: '63018',
    3020: '63020',
    3021: '63021',
    3027: '63027',
    3029: '63029',
    3032: '63032',
    4133: '64133',
    1003: '61003',
    3008: '63008',
    3019: '63019',
    3022: '63022',
    3024: '63024',
    // These codes have no report code of their own.
    3058: '69999',
    4144: '69999',
    abcd: '69999',
  })
  // A code whose meaning the operator has changed has the report code of the new meaning.
  assert.equal(overKakao('3016', { codes: { 3016: 'night-hours' } }), '63022')
})

test('report codes over OMNI keep their meaning, and other codes become general ones', () => {
  assertReported((code) => overOmni('alimtalk', code), {
    63014: '63014',
    63015: '63015',
    63016: '63016',
    63020: '63020',
    63027: '63027',
    63029: '63029',
    61003: '61003',
    61011: '61011',
    64008: '64008',
    63019: '63019',
    69999: '69999',
    99999: '99999',
    33102: '69999',
    61234: '69999',
  })
  assertReported((code) => overOmni('rcs', code), {
    33102: '33102',
    33103: '33103',
    33107: '33107',
    33109: '33109',
    33110: '33110',
    33111: '33111',
    33121: '33121',
    33200: '33200',
    33101: '33101',
    33012: '33012',
    32007: '32006',
    63016: '33006',
    54001: '33001',
    54002: '33101',
    54003: '32003',
    41200: '33101',
    50201: '32006',
    50202: '32006',
    // Possibly delivered.
    54004: '99999',
    55806: '99999',
    55820: '99999',
    55821: '99999',
    56002: '99999',
    79998: '99999',
  })
  assertReported((code) => overOmni('mms', code), { 23034: '23034', 23016: '23016', 22007: '22006' })
})

test('over OMNI a refused message is not reported as blocked by the recipient', () => {
  const reported = (channel: ChannelName, code: string): string => {
    const answer = {
      kind: 'answer',
      status: 400,
      code,
      result: '',
      retryAfterMs: null,
      isNotAccepted: false,
      body: {},
    } as const
    const { outcome } = parseOmniOutcome(answer, 1_000)
    assert.ok(outcome.kind === 'refused')
    return channels[channel].reportCode(outcome.cause, outcome.reportCode).code
  }
  assertReported((code) => reported('alimtalk', code), {
    A503: '69999',
    A505: '63015',
    A328: '63014',
    A513: '63024',
    A502: '61003',
    A300: '69999',
  })
  assertReported((code) => reported('rcs', code), {
    A404: '33121',
    A406: '33111',
    A430: '33111',
    A420: '33200',
    A300: '33006',
    A220: '33120',
  })
})

test('MaaP: faults of header, footer, title, text, buttons, messagebase and brand have their own codes', () => {
  assertReported(overMaap, {
    55701: '33102',
    55704: '33105',
    55706: '33107',
    55708: '33109',
    55709: '33110',
    55710: '33111',
    55502: '33121',
    55603: '33121',
    55818: '33121',
    55210: '33200',
    51104: '33200',
    55303: '33023',
    55821: '99999',
    54002: '33101',
    55712: '33120',
  })
})

test('MM7: the status Indeterminate is unknown, and every 44xx of KT is spam', () => {
  assert.equal(overMm7('3gpp', 'Indeterminate'), '99999')
  assertReported((code) => overMm7('kt', code), {
    4400: '23012',
    4405: '23012',
    4499: '23012',
    4307: '23006',
  })
})
