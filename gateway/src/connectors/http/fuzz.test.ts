/**
 * Whatever a carrier sends as an answer or a callback ends in an outcome within bounds: no crash, no long computation.
 * `POSTERN_FUZZ_RUNS` sets the number of inputs of each kind.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fuzzRuns } from '../../../test/support/fuzz.ts'
import fc from 'fast-check'
import { boundOutcome } from '../bounds.ts'
import type { InboundRequest } from '../kind.ts'
import { createInbound, readOptions } from '../registry.ts'
import { compile } from './compile.ts'
import type { HttpOptions } from './options.ts'
import { profileNames } from './profiles.ts'

const numRuns = fuzzRuns(100)

interface Golden {
  readonly account: object
  readonly answers: readonly { readonly json?: unknown; readonly text?: string }[]
  readonly receipts: readonly { readonly request: Partial<Record<'json' | 'form' | 'query', unknown>> }[]
}

/** A documented text with a few random changes, random JSON, or random bytes. */
const mutated = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...texts),
        fc.array(fc.tuple(fc.nat(), fc.string({ maxLength: 3 })), { maxLength: 4 }),
      )
      .map(([text, changes]) =>
        changes.reduce((result, [place, piece]) => {
          const at = place % (result.length + 1)
          return result.slice(0, at) + piece + result.slice(at + 1)
        }, text),
      ),
    fc.json(),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.nat(5_000).map((depth) => '['.repeat(depth)),
    fc.nat(5_000).map((depth) => `{"results":${'['.repeat(depth)}${']'.repeat(depth)}}`),
  )

for (const name of profileNames) {
  const golden = JSON.parse(
    readFileSync(join(import.meta.dirname, `../../../test/http-profiles/${name}.json`), 'utf8'),
  ) as Golden
  const options = { profile: name, verify: { by: 'none' }, ...golden.account }
  const { answer } = compile(readOptions('http', options) as unknown as HttpOptions)
  const inbound = createInbound('http', options)!

  test(`${name}: any answer has an outcome`, () => {
    const bodies = golden.answers.map(({ json, text = '' }) =>
      json === undefined ? text : JSON.stringify(json),
    )
    fc.assert(
      fc.property(mutated(bodies), fc.integer({ min: 0, max: 999 }), (body, status) => {
        const outcome = answer({ status, body, retryAfterMs: null }, 'ref')
        if (outcome.kind === 'login') return
        assert.ok(JSON.stringify(boundOutcome(outcome)).length < 2_500)
        // Never a success without a status of success, and never a refusal of what may be one.
        if (outcome.kind === 'accepted' && name !== 'vonage') assert.ok(status >= 200 && status < 300)
      }),
      { numRuns },
    )
  })

  test(`${name}: any callback is answered`, () => {
    const bodies = golden.receipts.map(({ request: { json, form, query } }) =>
      json === undefined ? new URLSearchParams((form ?? query) as never).toString() : JSON.stringify(json),
    )
    fc.assert(
      fc.property(mutated(bodies), fc.boolean(), (text, inQuery) => {
        const request: InboundRequest = {
          ...{ method: 'POST', path: '/', headers: {} },
          query: new URLSearchParams(inQuery ? text : ''),
          body: Buffer.from(inQuery ? '' : text),
        }
        const { receipts, answer: given } = inbound(request)
        assert.ok([200, 204, 400].includes(given.status))
        assert.ok(JSON.stringify(receipts).length < 1_000 * (receipts.length + 1))
        for (const receipt of receipts)
          assert.equal(receipt.cause === 'delivered', receipt.result === 'delivered')
      }),
      { numRuns },
    )
  })
}
