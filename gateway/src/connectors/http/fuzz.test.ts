/**
 * Whatever a carrier sends as an answer or a callback ends in an outcome within bounds: no crash, no long computation.
 * `POSTERN_FUZZ_RUNS` is the number of inputs of each profile, `POSTERN_FUZZ_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FuzzedParser, fuzzRuns, fuzzSeed as seed, mutate } from '../../../test/support/fuzz.ts'
import { seeded, type Random } from '../../../test/support/smpp/mutate.ts'
import { boundOutcome } from '../bounds.ts'
import type { InboundRequest } from '../kind.ts'
import { createInbound, readOptions } from '../registry.ts'
import { compile } from './compile.ts'
import type { HttpOptions } from './options.ts'
import { profileNames } from './profiles.ts'

const count = fuzzRuns(1_000)

interface Golden {
  readonly account: object
  readonly answers: readonly { readonly json?: unknown; readonly text?: string }[]
  readonly receipts: readonly { readonly request: Partial<Record<'json' | 'form' | 'query', unknown>> }[]
}

const pieces = [
  ...['{', '}', '[', ']', '"', ':', ',', '\\', '\\u0000', '\\ud800', 'null', 'true', '1e999', '-0', '\0'],
  ...['\xff', '"__proto__":', '"constructor":', '%', '%00', '&', '=', '+', '9'.repeat(400)],
]

/** Another value in the place of one, so that the JSON stays valid. */
function swapValue(octets: Buffer, random: Random): Buffer {
  const others = ['null', '7', '""', '{}', '[]', '[{}]', '"x"', '1e400', '12345678901234567890']
  const values = [...octets.toString().matchAll(/"[^"]*"(?!:)|\b\d+\b/g)]
  const value = values[random(values.length || 1)]
  if (value === undefined) return octets
  const text = octets.toString()
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
      return mutate(random, texts[random(texts.length)]!, pieces, [swapValue, swapValue])
  }
}

for (const name of profileNames) {
  const golden = JSON.parse(
    readFileSync(join(import.meta.dirname, `../../../test/http-profiles/${name}.json`), 'utf8'),
  ) as Golden
  const options = { profile: name, verify: { by: 'none' }, ...golden.account }
  const { answer } = compile(readOptions('http', options) as unknown as HttpOptions)
  const inbound = createInbound('http', options)!

  test(`${name}: any of ${count} answers has an outcome (seed ${seed})`, () => {
    const random = seeded(seed)
    const parser = new FuzzedParser(`http: answers of ${name}`)
    const bodies = golden.answers.map(({ json, text = '' }) =>
      Buffer.from(json === undefined ? text : JSON.stringify(json)),
    )
    const kinds = new Map<string, number>()
    for (let round = 0; round < count; round++) {
      const body = changed(random, bodies).toString()
      const status = random(2) === 0 ? 200 : random(1_000)
      const outcome = parser.read(() => answer({ status, body, retryAfterMs: null }, 'ref'))
      kinds.set(outcome.kind, (kinds.get(outcome.kind) ?? 0) + 1)
      if (outcome.kind === 'login') continue
      assert.ok(JSON.stringify(boundOutcome(outcome)).length < 2_500)
      // Never a success without a status of success, and never a refusal of what may be one.
      if (outcome.kind === 'accepted' && name !== 'vonage') assert.ok(status >= 200 && status < 300)
    }
    parser.end()
    // Results of each kind must occur often, otherwise the test proves nothing.
    for (const kind of ['accepted', 'refused', 'unknown'])
      assert.ok((kinds.get(kind) ?? 0) > count / 50, `${kind}: ${JSON.stringify([...kinds])}`)
  })

  test(`${name}: any of ${count} callbacks is answered (seed ${seed})`, () => {
    const random = seeded(seed)
    const parser = new FuzzedParser(`http: callbacks of ${name}`)
    const bodies = golden.receipts.map(({ request: { json, form, query } }) =>
      Buffer.from(
        json === undefined ? new URLSearchParams((form ?? query) as never).toString() : JSON.stringify(json),
      ),
    )
    let read = 0
    for (let round = 0; round < count; round++) {
      const text = changed(random, bodies)
      const inQuery = random(2) === 0
      const request: InboundRequest = {
        ...{ method: 'POST', path: '/', headers: {} },
        query: new URLSearchParams(inQuery ? text.toString() : ''),
        body: inQuery ? Buffer.alloc(0) : text,
      }
      const { receipts, answer: given } = parser.read(() => inbound(request))
      assert.ok([200, 204, 400].includes(given.status))
      assert.ok(JSON.stringify(receipts).length < 1_000 * (receipts.length + 1))
      for (const receipt of receipts)
        assert.equal(receipt.cause === 'delivered', receipt.result === 'delivered')
      read += receipts.length
    }
    parser.end()
    assert.ok(read > count / 50, `${read} receipts`)
  })
}
