/**
 * Every provider sends the requests, and reads the responses, callbacks and lookups, that the public documentation of its
 * API shows. `gateway/test/contract/providers/vectors` has them with their sources.
 */
import assert from 'node:assert/strict'
import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock, suite, test } from 'node:test'
import { submission } from '../../../../test/support/smpp/fixtures.ts'
import type { ChannelName } from '../../../channels/channel.ts'
import { toChannelContent } from '../../../channels/content.ts'
import { international } from '../../../channels/international/international.ts'
import { requireValid } from '../../../channels/issues.ts'
import { channels } from '../../../channels/registry.ts'
import type { RecordedSubmission, Submission } from '../connector.ts'
import type { InboundRequest } from '../options/kind.ts'
import { createInbound, readOptions } from '../registry.ts'
import { providers } from './index.ts'
import { toProviderResponse, type ProviderResponse, type ProviderRefusal } from './kit/response.ts'
import type { ProviderLinkOptions } from './kit/options.ts'
import type { ProviderRequest } from './kit/request.ts'
import { createMessage, createRoute } from './kit/route.ts'

interface Vectors {
  readonly source: string
  readonly options: Record<string, string>
  readonly submission: VectorSubmission
  readonly request: VectorRequest
  /** Further requests, of other channels or contents. `files` are the references of uploaded files. */
  readonly requests?: readonly {
    readonly submission: VectorSubmission
    readonly files?: readonly string[]
    readonly request: VectorRequest
  }[]
  /** Contents that the provider cannot express. */
  readonly refusals?: readonly { readonly submission: VectorSubmission; readonly refusal: object }[]
  readonly answers: readonly (Content & {
    readonly status: number
    readonly retryAfterMs?: number
    readonly outcome: object
    /** The case of `npm run suite -- providers` that this vector covers, if the outcome does not show it. */
    readonly case?: 'missing credit'
  })[]
  readonly callbacks: readonly {
    readonly request: Content & { readonly method?: string; readonly path?: string }
    readonly receipts: readonly object[]
    readonly replies?: readonly object[]
    readonly answer?: object
  }[]
  readonly lookups?: readonly (Content & {
    readonly asked: Partial<RecordedSubmission>
    readonly url: string
    readonly status: number
    readonly found: object | string
  })[]
  readonly polls?: readonly (Content & {
    readonly cursor: string
    readonly now: string
    readonly url: string
    readonly status: number
    readonly read: object
  })[]
}

interface VectorRequest extends Content {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** An international text, or the content of another channel as an entry of a flow. */
interface VectorSubmission {
  readonly reference: string
  readonly to: string
  readonly from?: string
  readonly text?: string
  readonly channel?: ChannelName
  readonly content?: object
  readonly originCid?: string
  readonly isAdvertisement?: boolean
}

/** The content in one of these forms. */
interface Content {
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly query?: string | Readonly<Record<string, string>>
  readonly text?: string
}

/** Keys of a provider that signs its callbacks with a private key. */
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const publicKeyText = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64')
// Requests contain the seconds until the deadline, so the clock stands still.
mock.timers.enable({ apis: ['Date'], now: Date.now() })
const validUntil = new Date(Date.now() + 3_600_500)

for (const provider of providers) {
  const vectors = readVectors(provider.name)
  if (vectors.options['publicKey'] !== undefined) vectors.options['publicKey'] = publicKeyText
  const options = readOptions(provider.name, vectors.options) as ProviderLinkOptions
  const route = createRoute(options)

  suite(provider.name, () => {
    test('names its sources', () => {
      for (const source of provider.sources) assert.match(source, /^https:\/\//)
      assert.match(provider.checked, /^\d{4}-\d\d-\d\d$/)
    })

    for (const { submission: given, files = [], request: expected } of [
      vectors,
      ...(vectors.requests ?? []),
    ] as NonNullable<Vectors['requests']>)
      test(`makes the documented request for ${given.reference}`, () => {
        const message = createMessage(acceptedSubmission(given))
        const request = provider.send(message, route, files) as ProviderRequest
        const url = new URL(request.url)
        const headers = { ...request.headers, ...provider.authorize?.(request, route, 'a-token') }
        assert.equal(request.method, expected.method)
        assert.equal(url.origin + url.pathname, expected.url)
        for (const [header, value] of Object.entries(expected.headers))
          assert.equal(headers[header], value, header)
        const { json, form, query } = expected
        if (json !== undefined) assert.deepEqual(JSON.parse(request.body as string), json)
        if (form !== undefined) assert.deepEqual(fieldsOf(request.body as string), form)
        if (query !== undefined) assert.deepEqual(Object.fromEntries(url.searchParams), query)
      })

    for (const { submission: given, refusal } of vectors.refusals ?? [])
      test(`refuses what the provider cannot express: ${given.reference}`, () => {
        const message = createMessage(acceptedSubmission(given))
        const { cause, code } = provider.send(message, route, []) as ProviderRefusal
        assert.deepEqual({ cause, code }, refusal)
      })

    if (vectors.submission.channel === undefined)
      test('sends an alphanumeric sender id unchanged', () => {
        const message = createMessage(acceptedSubmission({ ...vectors.submission, from: 'AD-Acme' }))
        const { url, body } = provider.send(message, route, []) as ProviderRequest
        assert.ok(`${url} ${body?.toString()}`.includes('AD-Acme'))
      })

    for (const { outcome, ...answer } of vectors.answers)
      test(`reads the response ${answer.status} ${JSON.stringify(outcome).slice(0, 60)}`, () => {
        const message = createMessage(acceptedSubmission(vectors.submission))
        assert.deepEqual(provider.parseResponse(toAnswer(answer), message), outcome)
      })

    for (const [index, given] of vectors.callbacks.entries())
      test(`reads the callback ${index + 1}`, () => {
        const inbound = createInbound(provider.name, vectors.options)!
        const request = toInboundRequest(given.request, vectors.options)
        const { receipts, replies, response } = inbound(request)
        assert.deepEqual(JSON.parse(JSON.stringify(receipts)), given.receipts.map(withEmptySender))
        assert.deepEqual(JSON.parse(JSON.stringify(replies)), given.replies ?? [])
        assert.deepEqual({ ...response }, given.answer ?? { status: 200 })
        const forged = inbound({ ...request, path: '/guess', headers: {} })
        assert.deepEqual([forged.receipts, forged.response], [[], { status: 401 }])
      })

    for (const { asked: given, url, found, ...answer } of vectors.lookups ?? [])
      test(`looks up: ${JSON.stringify(found).slice(0, 60)}`, () => {
        const { reference, from, to, given: step } = acceptedSubmission(vectors.submission)
        const asked = {
          reference,
          from,
          to,
          given: step,
          carrierId: null,
          submittedAt: new Date(0),
          ...given,
        }
        assert.equal(provider.lookup!.request(asked, route).url, url)
        const read = provider.lookup!.read(toAnswer(answer), asked)
        assert.deepEqual(JSON.parse(JSON.stringify(read)), found)
      })

    for (const { cursor, now: at, url, read, ...answer } of vectors.polls ?? [])
      test(`polls from ${cursor}`, () => {
        const now = new Date(at)
        assert.equal(provider.poll!.request(cursor, route, now).url, url)
        const page = provider.poll!.read(toAnswer(answer), cursor, now, route)
        assert.deepEqual(JSON.parse(JSON.stringify(page)), read)
      })
  })
}

test('a signed callback of Telnyx is refused long before or after its time', () => {
  const vectors = readVectors('telnyx')
  vectors.options['publicKey'] = publicKeyText
  const inbound = createInbound('telnyx', vectors.options)!
  const statusAfter = (ms: number): number => {
    const request = toInboundRequest(vectors.callbacks[0]!.request, vectors.options, Date.now() - ms)
    return inbound(request).response.status
  }
  assert.deepEqual([-330_000, -270_000, 270_000, 330_000].map(statusAfter), [401, 200, 200, 401])
})

/** No provider names the sender in a receipt. */
function withEmptySender(receipt: object): object {
  return { ...receipt, sender: '' }
}

/** Builds the submission of an accepted send, so no documented request has a sender, recipient or content that accept refuses. */
function acceptedSubmission(given: VectorSubmission): Submission {
  const { reference, channel = 'international', content, originCid, isAdvertisement = false } = given
  const { to, step } = requireValid((issues) => {
    if (content !== undefined) return { to: given.to, step: channels[channel].step(content, '', issues) }
    const { from, to, text } = given
    const draft = international.draft({ from, to, text }, issues)
    return { to: draft.to, step: draft.steps[0]! }
  })
  return submission({
    reference,
    from: channels[channel].sender(step),
    to,
    given: step,
    message: toChannelContent(step),
    files: channels[channel].files(step),
    originCid,
    isAdvertisement,
    validUntil,
    part: null,
  })
}

function toAnswer({
  status,
  retryAfterMs = null,
  ...content
}: Content & { readonly status: number; readonly retryAfterMs?: number | null }): ProviderResponse {
  return toProviderResponse({ kind: 'answer', status, headers: {}, body: toBody(content), retryAfterMs })
}

function toBody({ json, form, text = '' }: Content): Buffer {
  if (json !== undefined) return Buffer.from(JSON.stringify(json))
  return Buffer.from(form === undefined ? text : new URLSearchParams(form).toString())
}

function fieldsOf(body: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(body))
}

function pathOf(name: string): string {
  return join(import.meta.dirname, `../../../../test/contract/providers/vectors/${name}.json`)
}

function readVectors(name: string): Vectors {
  const text = readFileSync(pathOf(name), 'utf8').replaceAll('<validUntil>', validUntil.toISOString())
  return JSON.parse(text) as Vectors
}

/** Signed as the provider would; one that does not sign ignores the headers. */
function toInboundRequest(
  given: Vectors['callbacks'][number]['request'],
  options: Vectors['options'],
  signedAt = Date.now(),
): InboundRequest {
  const { method = 'POST', path = '/', query = '', form = {} } = given
  const fields = Object.entries(form).sort(([left], [right]) => (left < right ? -1 : 1))
  const signature = createHmac('sha1', options['authToken'] ?? '')
    .update((options['callbackUrl'] ?? '') + fields.flat().join(''))
    .digest('base64')
  const body = toBody(given)
  const timestamp = String(Math.floor(signedAt / 1_000))
  const ed25519 = sign(null, Buffer.concat([Buffer.from(`${timestamp}|`), body]), privateKey).toString(
    'base64',
  )
  const contentType = given.json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    method,
    path,
    query: new URLSearchParams(query as string),
    headers: {
      'x-twilio-signature': signature,
      'telnyx-timestamp': timestamp,
      'telnyx-signature-ed25519': ed25519,
      'x-solapi-event-name': 'SINGLE-REPORT',
      'x-solapi-secret': createHash('sha1')
        .update(options['webhookSecret'] ?? '')
        .digest('hex'),
      'x-toast-webhook-signature': options['webhookSignature'] ?? '',
      ...(method === 'POST' ? { 'content-type': contentType } : {}),
    },
    body,
  }
}
