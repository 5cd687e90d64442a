/**
 * A message text never changes a request: whatever it holds, the carrier parses exactly that text, and every other field
 * is as the profile says. `POSTERN_FUZZ_RUNS` sets the number of texts.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { fuzzRuns } from '../../../test/support/fuzz.ts'
import fc from 'fast-check'
import { submission } from '../../../test/support/smpp/fixtures.ts'
import { readOptions } from '../registry.ts'
import { compile } from './compile.ts'
import type { HttpOptions } from './options.ts'
import type { HttpRequest } from './request.ts'

const numRuns = fuzzRuns(500)
const dangerous = [
  '{from}',
  '{secret}',
  '{{',
  '{',
  '}',
  '"',
  '\\',
  '\r\n',
  '\0',
  '&text=',
  '%00',
  '\u2028',
  '=',
]
const texts = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...dangerous)), { maxLength: 8 })
  .map((pieces) => pieces.join('').toWellFormed())
  .filter((text) => text !== '')

const read: Readonly<Record<string, (request: HttpRequest) => Readonly<Record<string, string>>>> = {
  json: ({ body }) => JSON.parse(body!) as Record<string, string>,
  form: ({ body }) => Object.fromEntries(new URLSearchParams(body!)),
  query: ({ url }) => Object.fromEntries(new URL(url).searchParams),
}

suite('the carrier parses exactly the text', () => {
  for (const [encoding, parse] of Object.entries(read))
    test(encoding, () => {
      const options = readOptions('http', {
        secrets: { secret: 'hush {text}' },
        send: {
          url: 'https://api.example/send?fixed=1',
          encoding,
          headers: { 'idempotency-key': '{reference}' },
          fields: { before: '{from}', text: '{text}', around: '<{text}>{to}', key: '{secret}' },
        },
        answer: { rules: [{ if: { status: '2..' }, outcome: 'accepted' }], id: 'ours' },
      }) as unknown as HttpOptions
      const { request } = compile(options)
      fc.assert(
        fc.property(texts, (text) => {
          const made = request(submission({ part: null }), text, 0)
          const fixed = encoding === 'query' ? { fixed: '1' } : {}
          assert.deepEqual(
            { ...parse(made) },
            { ...fixed, before: '0215880000', text, around: `<${text}>01012345678`, key: 'hush {text}' },
          )
          assert.equal(new URL(made.url).origin, 'https://api.example')
          assert.doesNotMatch(Object.values(made.headers).join(''), /[\r\n]/)
        }),
        { numRuns },
      )
    })
})

test('the origin code and the mark of an advertisement have a place in the request', () => {
  const fields = {
    code: '{originCid}',
    ad: '{advertisement}',
    kind: { $advertisement: 'AD', $other: 'COMM' },
    seconds: '{ttl|max60}',
  }
  const compiled = compile(
    readOptions('http', {
      send: { url: 'https://api.example/send', encoding: 'form', fields },
      answer: { rules: [{ if: { status: '2..' }, outcome: 'accepted' }], id: { pointer: '/id' } },
    }) as unknown as HttpOptions,
  )
  const sent = (overrides: object): object => {
    const { body } = compiled.request(submission(overrides), 'Hi', Date.now())
    return Object.fromEntries(new URLSearchParams(body!))
  }
  assert.deepEqual(sent({ originCid: '123456789', isAdvertisement: true }), {
    ...{ code: '123456789', ad: 'true', kind: 'AD', seconds: '60' },
  })
  assert.deepEqual(sent({}), { ad: 'false', kind: 'COMM', seconds: '60' })
})
