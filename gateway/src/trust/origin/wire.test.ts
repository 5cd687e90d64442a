/**
 * For each protocol that can transmit the code: the submitted octets are those of the client's or the
 * account's code, and nothing else in the request depends on where the code comes from.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { acceptedJob, routeJob } from '../../../test/support/fixtures.ts'
import type { Step } from '../../channels/channel.ts'
import { supportsOriginCode, previewRequest, readOptions } from '../../carriers/connectors/registry.ts'
import type { SmppOptions } from '../../carriers/connectors/smpp/options.ts'
import { submitBodyWriter } from '../../carriers/connectors/smpp/submission.ts'
import { encodePdu } from '../../carriers/smpp/codec.ts'
import { StepSubmission, toParts } from '../../pipeline/dispatch/step/submission.ts'
import { createPolicy } from '../policy.ts'

const code = '200000001'
const accountId = 7
const policy = createPolicy({
  groups: [],
  originCode: '100000001',
  state: () => ({
    rules: new Set(),
    accounts: new Map([[accountId, { kind: 'reseller', sandbox: false, originCodes: [code] }]]),
  }),
})

/** The deadline is a day away, so that no part of a request depends on when the test runs. */
const [msgKey, dueAt] = ['2026111600ABCDEFGHIJKLMN', Date.now() + 86_400_000]

function submissionOf(content: Step, takes: 'parts' | 'message', step = 1): StepSubmission {
  const job = { ...routeJob(acceptedJob({ accountId, steps: [content] })), msgKey, dueAt, content, step }
  return new StepSubmission(job, toParts(job, takes)[0]!, policy.getOrigin)
}

const from = '0234567890'
const sms = (originCid?: string): Step => ({
  channel: 'sms',
  from,
  text: 'hello',
  ...(originCid === undefined ? {} : { originCid }),
})
const rich = (channel: 'mms' | 'brandmessage', content: object, originCID?: string): Step => ({
  channel,
  content: { ...content, ...(originCID === undefined ? {} : { originCID }) },
})
const mms = (given?: string): Step => rich('mms', { from, title: 't', text: 'hello' }, given)
const brand = (given?: string): Step =>
  rich('brandmessage', { senderKey: '@k', sendType: 'free', msgType: 'FT', text: 'x', targeting: 'M' }, given)

const mm7 = (dialect: string, more: object) => ({
  dialect,
  url: 'http://mmsc.example/',
  vaspId: 'v',
  vasId: 'v',
  webhookToken: 'token-token-token',
  ...more,
})
const omni = { url: 'https://api.example', clientId: 'c', password: 'p', results: 'stream' }
const kt = { partnerId: 'p', billingNumber: '0212345678' }
const skt = { partnerId: 'p', skt: { relayId: 'r' } }

const http: readonly (readonly [string, object, (given?: string) => Step, string])[] = [
  ['mm7', mm7('skt', skt), mms, `<X-SKT-ORIG-BPID>${code}</X-SKT-ORIG-BPID>`],
  ['mm7', mm7('kt', kt), mms, `<ResellerCode>${code}</ResellerCode>`],
  ['mm7', mm7('lgu', {}), mms, `<KisaOrigCode>${code}</KisaOrigCode>`],
  ['omni', omni, sms, `"originCID":"${code}"`],
  ['omni', omni, mms, `"originCID":"${code}"`],
  ['omni', omni, brand, `"originCID":"${code}"`],
  ['kakao', { partnerKey: 'k', channelKey: 'c', brandPath: 'b' }, brand, `"reseller_code":"${code}"`],
]

suite('over HTTP', () => {
  for (const [protocol, options, step, octets] of http)
    for (const nth of [1, 2])
      test(`${protocol} carries ${octets}, as step ${nth}`, () => {
        const bodyOf = (given?: string): string =>
          previewRequest(protocol, { ...options }, submissionOf(step(given), 'message', nth))!.body!
        const [given, byAccount] = [bodyOf(code), bodyOf()]
        assert.equal(given.split(octets).length, 2, given)
        assert.deepEqual(sorted(byAccount), sorted(given))
        assert.ok(!bodyOf('300000003').includes(code))
      })
})

/** Removes times and transaction IDs, and sorts the fields: they can appear in another order. */
function sorted(body: string): string[] {
  return body
    .replaceAll(/\d{2}:\d{2}:\d{2}(\.\d+)?|mm7-[0-9a-f-]+/g, '')
    .split(/[,{}\r\n>]/)
    .sort()
}

test('over SMPP the TLV that the route names carries it', () => {
  const tag = 0x1401
  const options = readOptions('smpp', {
    host: 'h',
    port: 2775,
    systemId: 'me',
    password: 'p',
    originCidTag: tag,
  }) as unknown as SmppOptions
  for (const given of [code, undefined]) {
    const body = submitBodyWriter(options)(submissionOf(sms(given), 'parts'), Date.now())
    assert.ok(!('kind' in body))
    const buffer = Buffer.alloc(512)
    const octets = buffer.subarray(0, encodePdu(buffer, 0, 'submit_sm', 0, 1, body))
    const tlv = Buffer.concat([Buffer.of(0x14, 0x01, 0, code.length), Buffer.from(code, 'latin1')])
    assert.deepEqual(octets.subarray(-tlv.length), tlv)
  }
})

test('a protocol reports whether its options can transmit the code', () => {
  assert.equal(supportsOriginCode('mm7', mm7('kt', kt)), true)
  assert.equal(supportsOriginCode('mm7', mm7('3gpp', {})), false)
  assert.equal(supportsOriginCode('omni', omni), true)
  assert.equal(supportsOriginCode('rbm', {}), false)
  assert.equal(supportsOriginCode('twilio', { accountSid: 'AC1', authToken: 'p' }), false)
  assert.equal(supportsOriginCode('unheard-of', {}), false)
})
