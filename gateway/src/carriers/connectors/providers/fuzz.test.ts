/**
 * For the module of every provider: each response ends in an outcome, each callback gets a response, and no text of a client
 * changes the structure of a request. `POSTERN_FUZZ_RUNS` is the number of inputs of each provider and `POSTERN_FUZZ_SEED`
 * repeats a run.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { FuzzedParser, fuzzRuns, fuzzSeed as seed, mutateOctets } from '../../../../test/support/fuzz.ts'
import { submission } from '../../../../test/support/smpp/fixtures.ts'
import { seeded, type Random } from '../../../../test/support/smpp/mutate.ts'
import { boundOutcome } from '../options/bounds.ts'
import type { InboundRequest } from '../options/kind.ts'
import { readOptions } from '../registry.ts'
import { providers } from './index.ts'
import { toProviderResponse } from './kit/response.ts'
import { createCallbacks } from './kit/callbacks.ts'
import type { ProviderLinkOptions } from './kit/options.ts'
import type { ProviderRequest } from './kit/request.ts'
import { createMessage, createRoute } from './kit/route.ts'

const count = fuzzRuns(1_000)
/** Providers whose HTTP status is always 200; the body states whether a message was accepted. */
const alwaysSuccess = new Set(['nhn', 'nhn-kakao', 'vonage'])
const publicKey = Buffer.alloc(32, 1).toString('base64')

interface Vectors {
  readonly options: Readonly<Record<string, unknown>>
  readonly answers?: readonly { readonly status: number; readonly json?: unknown; readonly text?: string }[]
  readonly callbacks?: readonly { readonly request: Partial<Record<'json' | 'form' | 'query', unknown>> }[]
}

const pieces = [
  ...['{', '}', '[', ']', '"', ':', ',', '\\', '\\u0000', '\\ud800', 'null', 'true', '1e999', '-0', '\0'],
  ...['\xff', '"__proto__":', '"constructor":', '%', '%00', '&', '=', '+', '9'.repeat(400)],
]

/** Replaces one value, so that the JSON stays valid. */
function swapValue(octets: Buffer, random: Random): Buffer {
  const others = ['null', '7', '""', '{}', '[]', '[{}]', '"x"', '1e400', '12345678901234567890']
  const text = octets.toString()
  const values = [...text.matchAll(/"[^"]*"(?!:)|\b\d+\b/g)]
  const value = values[random(values.length || 1)]
  if (value === undefined) return octets
  const other = others[random(others.length)]!
  return Buffer.from(text.slice(0, value.index) + other + text.slice(value.index + value[0].length))
}

/** A documented text with a few changes; some are random octets or deeply nested. */
function changed(random: Random, texts: readonly Buffer[]): Buffer {
  switch (random(50)) {
    case 0:
      return Buffer.from(Array.from({ length: random(200) }, () => random(256)))
    case 1:
      return Buffer.alloc(random(5_000), '[')
    case 2: {
      const depth = random(2_500)
      return Buffer.from(`{"results":${'['.repeat(depth)}${']'.repeat(depth)}}`)
    }
    default:
      return mutateOctets(random, texts[random(texts.length)]!, pieces, [swapValue, swapValue])
  }
}

const dangerous = ['{from}', '{', '}', '"', '\\', '\r\n', '\0', '&to=', '%00', '\u2028', '=', '</text>']
const texts = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...dangerous)), { maxLength: 8 })
  .map((parts) => parts.join('').toWellFormed())
  .filter((text) => text !== '')

for (const provider of providers) {
  const vectors = readVectors(provider.name)
  const options = readOptions(provider.name, vectors.options) as ProviderLinkOptions
  const route = createRoute(options)
  const { answers = [], callbacks = [] } = vectors

  suite(provider.name, () => {
    test(`each of ${count} responses has an outcome (seed ${seed})`, () => {
      const random = seeded(seed)
      const parser = new FuzzedParser(`provider: answers of ${provider.name}`)
      const bodies = answers.map(({ json, text = '' }) =>
        Buffer.from(json === undefined ? text : JSON.stringify(json)),
      )
      const message = createMessage(submission({ part: null }))
      const kinds = new Map<string, number>()
      for (let round = 0; round < count; round++) {
        const index = random(bodies.length)
        const body = changed(random, [bodies[index]!])
        const status = random(2) === 0 ? answers[index]!.status : random(1_000)
        const answer = toProviderResponse({ kind: 'answer', status, headers: {}, body, retryAfterMs: null })
        const outcome = parser.read(() => provider.parseResponse(answer, message))
        kinds.set(outcome.kind, (kinds.get(outcome.kind) ?? 0) + 1)
        if (outcome.kind === 'accepted' && !alwaysSuccess.has(provider.name)) assert.ok(answer.isSuccess)
        if (outcome.kind === 'account-refused' || outcome.kind === 'throttled') continue
        assert.ok(JSON.stringify(boundOutcome(outcome)).length < 2_500)
      }
      parser.end()
      // Each kind must occur often, otherwise the test proves nothing.
      for (const kind of ['accepted', 'refused', 'unknown'])
        assert.ok((kinds.get(kind) ?? 0) > count / 200, `${kind}: ${JSON.stringify([...kinds])}`)
    })

    test('an unreadable response, such as HTML, is neither an acceptance nor a refusal', () => {
      const message = createMessage(submission({ part: null }))
      for (const [status, text] of [
        [200, ''],
        [200, '<html>'],
        [200, '{}'],
        [200, '[]'],
        [200, '{"id":'],
        [204, ''],
        [500, '{}'],
        [502, '<html>'],
        [504, ''],
      ] as const) {
        const body = Buffer.from(text)
        const answer = toProviderResponse({ kind: 'answer', status, headers: {}, body, retryAfterMs: null })
        assert.equal(provider.parseResponse(answer, message).kind, 'unknown', `${status} ${text}`)
      }
    })

    if (provider.callback !== undefined && callbacks.length > 0)
      test(`each of ${count} callbacks gets a response (seed ${seed})`, () => {
        const random = seeded(seed)
        const parser = new FuzzedParser(`provider: callbacks of ${provider.name}`)
        const bodies = callbacks.map(({ request: { json, form, query } }) =>
          Buffer.from(
            json === undefined
              ? new URLSearchParams((form ?? query) as never).toString()
              : JSON.stringify(json),
          ),
        )
        const verified = { ...provider, callback: { ...provider.callback!, verify: () => true } }
        const inbound = createCallbacks(verified, options)
        let read = 0
        for (let round = 0; round < count; round++) {
          const text = changed(random, bodies)
          const inQuery = random(2) === 0
          const request: InboundRequest = {
            method: inQuery ? 'GET' : 'POST',
            path: '/',
            headers: {},
            query: new URLSearchParams(inQuery ? text.toString() : ''),
            body: inQuery ? Buffer.alloc(0) : text,
          }
          const { receipts, replies = [], response } = parser.read(() => inbound(request))
          assert.ok([200, 204, 400].includes(response.status), String(response.status))
          for (const receipt of receipts)
            assert.equal(receipt.cause === 'delivered', receipt.result === 'delivered')
          read += receipts.length + replies.length
        }
        parser.end()
        assert.ok(read > count / 50, `${read} receipts and replies`)
      })

    if (provider.channels.includes('sms'))
      test('no text of a client changes the structure of a request', () => {
        const makeRequest = (text: string): ProviderRequest =>
          provider.send(createMessage(submission({ part: null }, text)), route, []) as ProviderRequest
        const plain = makeRequest('Hello')
        fc.assert(
          fc.property(texts, (text) => {
            const request = makeRequest(text)
            assert.deepEqual(
              [request.method, withoutQuery(request.url), request.headers],
              [plain.method, withoutQuery(plain.url), plain.headers],
            )
            const fields = listFields(request)
            assert.deepEqual(
              fields.map(([name]) => name),
              listFields(plain).map(([name]) => name),
            )
            assert.ok(fields.some(([, value]) => value === text))
          }),
          { numRuns: Math.min(count, 200) },
        )
      })
  })
}

function withoutQuery(url: string): string {
  return url.split('?')[0]!
}

/** The paths of all values in the query and the body, as the provider would parse them. */
function listFields({ url, headers, body }: ProviderRequest): [path: string, value: unknown][] {
  const query = [...new URL(url).searchParams]
  if (body === null) return query
  const text = body.toString()
  if (headers['content-type']?.startsWith('application/json') === true)
    return [...query, ...listValues(JSON.parse(text))]
  return [...query, ...new URLSearchParams(text)]
}

function listValues(value: unknown, path = ''): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([name, inner]) => listValues(inner, `${path}/${name}`))
}

function vectorsPath(name: string): string {
  return join(import.meta.dirname, `../../../../test/contract/providers/vectors/${name}.json`)
}

function readVectors(name: string): Vectors {
  const vectors = JSON.parse(readFileSync(vectorsPath(name), 'utf8')) as Vectors
  return 'publicKey' in vectors.options ? { ...vectors, options: { ...vectors.options, publicKey } } : vectors
}
