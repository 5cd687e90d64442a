/**
 * Every provider makes the request, and reads the answers, callbacks and lookups, that the public documentation of its API
 * shows. `gateway/test/providers/vectors` holds them with their source. `gateway/test/providers/simulated.test.ts` tries the others.
 */
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { submission } from '../../../test/support/smpp/fixtures.ts'
import { contentOf } from '../../channels/content.ts'
import { international } from '../../channels/international/international.ts'
import { requireValid } from '../../channels/issues.ts'
import { asText } from '../../channels/text-channel.ts'
import type { AskedSubmission, Submission } from '../connector.ts'
import type { InboundRequest } from '../kind.ts'
import { createInbound, readOptions } from '../registry.ts'
import { providers } from './index.ts'
import { toProviderAnswer, type ProviderAnswer } from './kit/answer.ts'
import type { LinkOptions } from './kit/options.ts'
import type { ProviderRequest } from './kit/request.ts'
import { createMessage, createRoute } from './kit/route.ts'

interface Vectors {
  readonly source: string
  readonly options: Record<string, string>
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
  readonly callbacks: readonly {
    readonly request: Content & { readonly method?: string; readonly path?: string }
    readonly receipts: readonly object[]
    readonly replies?: readonly object[]
    readonly answer?: object
  }[]
  readonly lookups?: readonly (Content & {
    readonly asked: Partial<AskedSubmission>
    readonly url: string
    readonly status: number
    readonly found: object | string
  })[]
}

/** The content in one of these forms. */
interface Content {
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly query?: string | Readonly<Record<string, string>>
  readonly text?: string
}

/** The key of a provider that signs its callbacks with one of its own. */
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const publicKeyText = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64')

for (const provider of providers.filter(({ name }) => existsSync(pathOf(name)))) {
  const vectors = readVectors(provider.name)
  if (vectors.options['publicKey'] !== undefined) vectors.options['publicKey'] = publicKeyText
  const options = readOptions(provider.name, vectors.options) as LinkOptions
  const route = createRoute(options)

  suite(provider.name, () => {
    test('names its sources', () => {
      for (const source of provider.sources) assert.match(source, /^https:\/\//)
      assert.match(provider.checked, /^\d{4}-\d\d-\d\d$/)
    })

    test('makes the documented request', () => {
      const message = createMessage(acceptedSubmission(vectors))
      const request = provider.send(message, route, []) as ProviderRequest
      const url = new URL(request.url)
      const headers = { ...request.headers, ...provider.authorize?.(request, route, 'a-token') }
      assert.equal(request.method, vectors.request.method)
      assert.equal(url.origin + url.pathname, vectors.request.url)
      for (const [header, value] of Object.entries(vectors.request.headers))
        assert.equal(headers[header], value, header)
      const { json, form, query } = vectors.request
      const body = request.body as string
      const deadline = message.validUntil.toISOString()
      if (json !== undefined) assert.deepEqual(JSON.parse(body.replace(deadline, '<validUntil>')), json)
      if (form !== undefined) assert.deepEqual(fieldsOf(body), form)
      if (query !== undefined) assert.deepEqual(Object.fromEntries(url.searchParams), query)
    })

    test('sends an alphanumeric sender id as it is', () => {
      const message = createMessage(acceptedSubmission(vectors, 'AD-Acme'))
      const { url, body } = provider.send(message, route, []) as ProviderRequest
      assert.ok(`${url} ${body?.toString()}`.includes('AD-Acme'))
    })

    for (const { outcome, ...answer } of vectors.answers)
      test(`reads the answer ${answer.status} ${JSON.stringify(outcome).slice(0, 60)}`, () => {
        const message = createMessage(acceptedSubmission(vectors))
        assert.deepEqual(provider.readAnswer(toAnswer(answer), message), outcome)
      })

    for (const [index, given] of vectors.callbacks.entries())
      test(`reads the callback ${index + 1}`, () => {
        const inbound = createInbound(provider.name, vectors.options)!
        const request = toInboundRequest(given.request, vectors.options)
        const { receipts, replies, answer } = inbound(request)
        assert.deepEqual(JSON.parse(JSON.stringify(receipts)), given.receipts.map(withoutSender))
        assert.deepEqual(JSON.parse(JSON.stringify(replies)), given.replies ?? [])
        assert.deepEqual({ ...answer }, given.answer ?? { status: 200 })
        const forged = inbound({ ...request, path: '/guess', headers: {} })
        assert.deepEqual([forged.receipts, forged.answer], [[], { status: 401 }])
      })

    for (const { asked: given, url, found, ...answer } of vectors.lookups ?? [])
      test(`looks up: ${JSON.stringify(found).slice(0, 60)}`, () => {
        const { reference, from, to } = vectors.submission
        const step = acceptedSubmission(vectors).given
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
  })
}

/** No provider names the sender in a receipt. */
function withoutSender(receipt: object): object {
  return { ...receipt, sender: '' }
}

/** Builds the submission of an accepted send, so no documented request has a sender or recipient that accept refuses. */
function acceptedSubmission({ submission: given }: Vectors, from = given.from): Submission {
  const { reference, to, text } = given
  const draft = requireValid((issues) => international.draft({ from, to, text }, issues))
  const step = asText(draft.steps[0]!)
  // An hour and the moment until the request is made.
  const validUntil = new Date(Date.now() + 3_600_900)
  return submission({
    reference,
    from: step.from,
    to: draft.to,
    given: step,
    message: contentOf(step),
    validUntil,
    part: null,
  })
}

function toAnswer({
  status,
  retryAfterMs = null,
  ...content
}: Content & { readonly status: number; readonly retryAfterMs?: number | null }): ProviderAnswer {
  return toProviderAnswer({ kind: 'answer', status, headers: {}, body: toBody(content), retryAfterMs })
}

function toBody({ json, form, text = '' }: Content): Buffer {
  if (json !== undefined) return Buffer.from(JSON.stringify(json))
  return Buffer.from(form === undefined ? text : new URLSearchParams(form).toString())
}

function fieldsOf(body: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(body))
}

function pathOf(name: string): string {
  return join(import.meta.dirname, `../../../test/providers/vectors/${name}.json`)
}

function readVectors(name: string): Vectors {
  return JSON.parse(readFileSync(pathOf(name), 'utf8')) as Vectors
}

/** Signed as the provider would; one that does not sign ignores the headers. */
function toInboundRequest(
  given: Vectors['callbacks'][number]['request'],
  options: Vectors['options'],
): InboundRequest {
  const { method = 'POST', path = '/', query = '', form = {} } = given
  const fields = Object.entries(form).sort(([left], [right]) => (left < right ? -1 : 1))
  const signature = createHmac('sha1', options['authToken'] ?? '')
    .update((options['callbackUrl'] ?? '') + fields.flat().join(''))
    .digest('base64')
  const body = toBody(given)
  const ed25519 = sign(null, Buffer.concat([Buffer.from('7|'), body]), privateKey).toString('base64')
  const contentType = given.json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    method,
    path,
    query: new URLSearchParams(query as string),
    headers: {
      'x-twilio-signature': signature,
      'telnyx-timestamp': '7',
      'telnyx-signature-ed25519': ed25519,
      ...(method === 'POST' ? { 'content-type': contentType } : {}),
    },
    body,
  }
}
