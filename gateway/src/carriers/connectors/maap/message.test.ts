import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maapOptions, rcsSubmission, relayOptions, smsBody } from '../../../../test/support/carriers/maap.ts'
import type { ExpiryOption } from '../../../channels/rcs/limits.ts'
import type { Submission } from '../connector.ts'
import { previewRequest } from '../registry.ts'
import { carrierBody } from './carrier-request.ts'
import { selectExpiryOption } from './expiry.ts'
import { checkMaapSubmission } from './message.ts'
import { toMaapMessageId } from './message-id.ts'
import { relayBody } from './relay-request.ts'

const now = Date.UTC(2026, 10, 15)
const after = (seconds: number): Date => new Date(now + seconds * 1_000)

function bodyOf(options: ReturnType<typeof maapOptions>, submission: Submission): Record<string, unknown> {
  assert.ok(submission.message.channel === 'rcs')
  const body = carrierBody(options, submission, submission.message.content, new Map(), now)
  return JSON.parse(body) as Record<string, unknown>
}

test('the expiry option ends with the step, within the tolerance', () => {
  const optionOf = (asked: ExpiryOption, leftSeconds: number) =>
    selectExpiryOption(asked, after(leftSeconds), now, 10_000)
  const chosen: readonly (readonly [ExpiryOption, number, ExpiryOption])[] = [
    ['1', 86_400, '1'],
    // The message waited briefly before its submission.
    ['1', 86_391, '1'],
    ['4', 3_591, '4'],
    ['3', 181, '3'],
    ['2', 31, '2'],
    // The message waited longer, or has a shorter time limit: delivery attempts must not outlast the step.
    ['1', 86_389, '4'],
    ['1', 82_800, '4'],
    ['1', 43_200, '4'],
    ['1', 3_599, '3'],
    ['4', 3_300, '3'],
    ['1', 600, '3'],
    ['3', 190, '3'],
    ['3', 179, '2'],
    ['4', 165, '2'],
    // The shortest option of the carriers.
    ['2', 1, '2'],
    // Never longer than the client's option.
    ['2', 86_400, '2'],
  ]
  for (const [asked, left, option] of chosen)
    assert.equal(optionOf(asked, left), option, `${asked}, ${left} s left`)
  // The tolerance for messages that waited is an option of the route.
  assert.equal(selectExpiryOption('1', after(86_300), now, 120_000), '1')
})

test('the message id is the reference, or a digest if the reference is too long', () => {
  const msgKey = '20261115000000000C00A00000000001'
  assert.equal(toMaapMessageId(`${msgKey}-99-99-1`), `${msgKey}-99-99-1`)
  const long = toMaapMessageId(`${msgKey}-100-10-1`)
  assert.match(long, /^[0-9a-f]{40}$/)
  assert.notEqual(long, toMaapMessageId(`${msgKey}-100-11-1`))
})

test('a Korean number is written in domestic form, and others are refused', () => {
  const options = maapOptions()
  assert.equal(bodyOf(options, rcsSubmission(smsBody, { to: '+821012345678' })).userContact, '01012345678')
  assert.equal(
    checkMaapSubmission(options, rcsSubmission(smsBody, { to: '+819012345678' }))?.cause,
    'bad-number',
  )
})

test('refuses messages of another agency without its key, and without a brand', () => {
  const options = maapOptions()
  const { from, formatId, content } = smsBody
  const flow = (fields: object) => rcsSubmission({ from, formatId, content, groupId: 'g', ...fields })
  assert.equal(
    checkMaapSubmission(options, flow({ brandKey: 'BK.a', agencyId: 'other' }))?.code,
    'maap:agency-key',
  )
  assert.equal(checkMaapSubmission(options, flow({}))?.code, 'maap:brand-key')
  assert.equal(checkMaapSubmission(maapOptions({ brandKey: 'BK.route' }), flow({})), null)
  const { agencyId, agencyKey } = bodyOf(
    options,
    flow({ brandKey: 'BK.a', agencyId: 'other', agencyKey: 'AK.x' }),
  )
  assert.deepEqual([agencyId, agencyKey], ['other', 'AK.x'])
})

test('options change the ids of formats, the product and the service type of templates', () => {
  const standalone = { title: 'a', text: 'b', media: 'maapfile://a' }
  const thumbnail = rcsSubmission({ ...smsBody, formatId: 'OMTBNH0001', content: { standalone } })
  const renamed = bodyOf(
    maapOptions({ messagebaseIds: { OMTBNH0001: 'OMTBNS0001' }, productCode: false }),
    thumbnail,
  )
  assert.deepEqual([renamed.messagebaseId, renamed.productCode], ['OMTBNS0001', undefined])
  const template = rcsSubmission({
    ...smsBody,
    formatId: 'UBR.a',
    content: { template: { description: 'a' } },
  })
  assert.ok(template.message.channel === 'rcs')
  const relay = relayBody(
    relayOptions({ imageTemplates: ['UBR.a'] }),
    template,
    template.message.content,
    new Map(),
    now,
  )
  assert.match(relay, /"serviceType":"RCSITMPL"/)
})

test('the preview shows the request with its keys masked', () => {
  for (const [kind, options, url] of [
    ['maap', maapOptions({ order: ['lgu'] }), 'http://127.0.0.1:3/ag/1.2/message'],
    ['maap-kt', relayOptions(), 'http://127.0.0.1:4/corp/v1/message'],
  ] as const) {
    const preview = previewRequest(kind, { ...options }, rcsSubmission(smsBody))
    assert.equal(preview?.url, url)
    assert.equal(preview.headers.authorization, 'Bearer ***')
    assert.match(preview.body!, /"agencyKey":"\*\*\*","brandKey":"\*\*\*"/)
    assert.match(preview.body!, /안녕하세요/)
  }
})

test('contradictory options are refused', () => {
  assert.throws(() => maapOptions({ carriers: {} }), /at least one of skt, kt and lgu/)
  assert.throws(() => maapOptions({ order: ['skt', 'skt'] }), /must not list a carrier twice/)
  assert.throws(() => maapOptions({ webhookToken: 'short' }), /webhookToken/)
  assert.throws(() => relayOptions({ webhookToken: undefined }), /webhookToken is required/)
  assert.doesNotThrow(() => relayOptions({ webhookToken: undefined, results: 'polling' }))
  assert.throws(() => relayOptions({ tls: { cert: 'not PEM' } }), /tls\.cert must be valid PEM/)
  assert.throws(() => relayOptions({ codes: { '50202': 'never' } }), /codes/)
})
