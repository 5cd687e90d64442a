/**
 * Every ready-made profile makes the request, and reads the answers and receipts, that the public documentation of its API
 * shows. `gateway/test/http-profiles` holds them with their source.
 */
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { submission } from '../../../test/support/smpp/fixtures.ts'
import { international } from '../../channels/international/international.ts'
import { requireValid } from '../../channels/issues.ts'
import { asText } from '../../channels/text-channel.ts'
import type { Submission } from '../connector.ts'
import type { InboundRequest } from '../kind.ts'
import { createInbound, readOptions } from '../registry.ts'
import { compile } from './compile.ts'
import type { HttpOptions } from './options.ts'
import { profileNames, profileOf } from './profiles.ts'

interface Golden {
  readonly source: string
  readonly account: Pick<HttpOptions, 'callbackUrl' | 'secrets'> & Partial<Pick<HttpOptions, 'values'>>
  readonly submission: Readonly<Record<'from' | 'to' | 'text' | 'reference', string>>
  readonly request: Content & {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
  }
  readonly answers: readonly (Content & {
    readonly status: number
    readonly retryAfterMs?: number
    readonly outcome: object
  })[]
  readonly receipts: readonly {
    readonly request: Content & { readonly method?: string; readonly path?: string; readonly twilio?: true }
    readonly ack?: object
    readonly events?: readonly string[]
    readonly receipts: readonly object[]
  }[]
}

/** The content in one of these forms. */
interface Content {
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly query?: string | Readonly<Record<string, string>>
  readonly text?: string
}

const now = Date.UTC(2026, 10, 15)

/** For the profile with a key of the carrier's own. */
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const publicKeyText = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64')

for (const name of profileNames) {
  const golden = readGolden(name)
  if (golden.account.values?.['publicKey'] !== undefined) golden.account.values['publicKey'] = publicKeyText
  const options = readOptions('http', { profile: name, ...golden.account }) as unknown as HttpOptions
  const compiled = compile(options)

  suite(name, () => {
    test('names its sources', () => {
      assert.ok(golden.source.length > 10)
      for (const source of profileOf(name).source) assert.match(source, /^https:\/\//)
    })

    test('says where the meaning of each error code was read', () => {
      const { evidence, answer, receipt } = profileOf(name)
      for (const { source, checked } of evidence) {
        assert.match(source, /^https:\/\//)
        assert.match(checked, /^\d{4}-\d\d-\d\d$/)
      }
      const read = (table: 'answer' | 'receipt'): string[] => evidence.flatMap((each) => each[table]).sort()
      assert.deepEqual(read('answer'), Object.keys(answer.errors).sort())
      assert.deepEqual(read('receipt'), Object.keys(receipt?.errors ?? {}).sort())
    })

    test('makes the documented request', () => {
      const { text } = golden.submission
      const request = compiled.request(acceptedSubmission(golden), text, now)
      const url = new URL(request.url)
      assert.equal(request.method, golden.request.method)
      assert.equal(url.origin + url.pathname, golden.request.url)
      for (const [header, value] of Object.entries(golden.request.headers))
        assert.equal(request.headers[header], value, header)
      const { json, form, query } = golden.request
      if (json !== undefined) assert.deepEqual(JSON.parse(request.body!), json)
      if (form !== undefined) assert.deepEqual(Object.fromEntries(new URLSearchParams(request.body!)), form)
      if (query !== undefined) assert.deepEqual(Object.fromEntries(url.searchParams), query)
    })

    test('sends an alphanumeric sender ID as it is', () => {
      const { url, body } = compiled.request(acceptedSubmission(golden, 'AD-Acme'), 'Hello', now)
      assert.ok(`${url} ${body}`.includes('AD-Acme'))
    })

    for (const { status, retryAfterMs = null, outcome, ...content } of golden.answers)
      test(`reads the answer ${status} ${JSON.stringify(outcome).slice(0, 60)}`, () => {
        const body = bodyOf(content).toString()
        assert.deepEqual(
          compiled.answer({ status, body, retryAfterMs }, golden.submission.reference),
          outcome,
        )
      })

    for (const [index, given] of golden.receipts.entries())
      test(`reads the receipt ${index + 1}`, () => {
        const inbound = createInbound('http', { profile: name, ...golden.account })!
        const request = inboundRequest(given.request, golden.account)
        const { receipts, answer, events } = inbound(request)
        assert.deepEqual(JSON.parse(JSON.stringify(receipts)), given.receipts)
        assert.deepEqual({ ...answer }, { ...profileOf(name).receipt!.ack, ...given.ack })
        if (given.events !== undefined) assert.deepEqual(events, given.events)
        const forged = inbound({ ...request, path: '/guess', headers: {} })
        assert.deepEqual(forged, { receipts: [], answer: { status: 401 } })
      })
  })
}

test('twilio names the messaging service instead of the sender where the account has one', () => {
  const values = { accountSid: 'AC1', messagingServiceSid: 'MG1' }
  const callbackUrl = 'https://sms.example.com/inbound/r1'
  const account = { profile: 'twilio', values, secrets: { authToken: 'token' }, callbackUrl }
  const { request } = compile(readOptions('http', account) as unknown as HttpOptions)
  const golden = { submission: { from: '+15551230000', to: '+447700900123', text: 'x', reference: 'r' } }
  const fields = new URLSearchParams(request(acceptedSubmission(golden), 'x', now).body!)
  assert.deepEqual([fields.get('MessagingServiceSid'), fields.get('From')], ['MG1', null])
})

for (const [name, contentType, text, expected] of [
  ['vonage', 'application/xml', '<status>delivered</status>', 'application/x-www-form-urlencoded'],
  ['infobip', 'application/x-www-form-urlencoded', 'results=1', 'application/json'],
] as const)
  test(`${name} refuses a callback of the type ${contentType}, and names the type to set`, () => {
    const { account } = readGolden(name)
    const request = inboundRequest({ path: '/s3cret', text }, account)
    const headers = { ...request.headers, 'content-type': contentType }
    const { receipts, answer } = createInbound('http', { profile: name, ...account })!({
      ...request,
      headers,
    })
    assert.deepEqual([receipts, answer.status], [[], 415])
    assert.ok(answer.body!.includes(expected))
  })

/** Builds the submission of an accepted send, so no documented request has a sender or recipient that accept refuses. */
function acceptedSubmission(
  { submission: given }: Pick<Golden, 'submission'>,
  from = given.from,
): Submission {
  const { reference, to, text } = given
  const draft = requireValid((issues) => international.draft({ from, to, text }, issues))
  const step = asText(draft.steps[0]!)
  const validUntil = new Date(now + 3_600_000)
  return submission({ reference, from: step.from, to: draft.to, given: step, validUntil, part: null })
}

function bodyOf({ json, form, text = '' }: Content): Buffer {
  if (json !== undefined) return Buffer.from(JSON.stringify(json))
  return Buffer.from(form === undefined ? text : new URLSearchParams(form).toString())
}

function readGolden(name: string): Golden {
  const path = join(import.meta.dirname, `../../../test/http-profiles/${name}.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as Golden
}

function inboundRequest(
  given: Golden['receipts'][number]['request'],
  account: Golden['account'],
): InboundRequest {
  const { method = 'POST', path = '/', query = '', form = {}, twilio } = given
  const fields = Object.entries(form).sort(([left], [right]) => (left < right ? -1 : 1))
  const signature = createHmac('sha1', account.secrets['authToken'] ?? '')
    .update((account.callbackUrl ?? '') + fields.flat().join(''))
    .digest('base64')
  const body = bodyOf(given)
  const ed25519 = sign(null, Buffer.concat([Buffer.from('7|'), body]), privateKey).toString('base64')
  const signed =
    twilio === true
      ? { 'x-twilio-signature': signature }
      : { 'telnyx-timestamp': '7', 'telnyx-signature-ed25519': ed25519 }
  const contentType = given.json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const headers = { ...signed, ...(method === 'POST' && { 'content-type': contentType }) }
  return { method, path, query: new URLSearchParams(query as string), headers, body }
}
