/**
 * Every response of Kakao leads to an outcome or to receipts within limits, without an exception and in linear
 * time. `POSTERN_FUZZ_RUNS` is the number of inputs, `POSTERN_FUZZ_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../../test/support/measure/cpu-time.ts'
import { kakaoOptions } from '../../../../test/support/carriers/kakao-messages.ts'
import { FuzzedParser, fuzzRuns, fuzzSeed as seed, mutateOctets } from '../../../../test/support/fuzz.ts'
import { seeded, type Random } from '../../../../test/support/smpp/mutate.ts'
import { causes } from '../../../channels/cause.ts'
import { boundOutcome, boundReceipt } from '../options/bounds.ts'
import type { Receipt } from '../connector.ts'
import { parseKakaoResponse } from './response.ts'
import { codeTable } from './codes.ts'
import { parseKakaoOutcome } from './outcome.ts'
import { polledReceipts } from './result.ts'
import { serialBase } from './serial.ts'

const count = fuzzRuns(5_000)
const maxMs = 500

const serial = serialBase('20261115000000000C00A00000000001-1-1-1')
const at = '2026-11-15 13:04:27'
const entry = (status: string) => ({ serial_number: serial, status, received_at: at })
const samples = [
  { code: '0000', received_at: at, message: '' },
  { code: '3016', received_at: at, message: 'NoMatchedTemplateException' },
  { code: '9999', message: '시스템' },
  {
    code: '0000',
    response_id: 7,
    response: { success: [entry('0000')], fail: [entry('3005')] },
    responsed_at: at,
  },
].map((sample) => Buffer.from(JSON.stringify(sample)))
const codes = codeTable.flatMap((row) => row.codes)
const pieces = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    '\\',
    '\\u0000',
    '\\ud800',
    'null',
    'true',
    '1e999',
    '-1',
    '0',
    '\0',
    '\xff',
  ],
  ...['"code":', '"serial_number":', '"__proto__":', '"constructor":', '[['.repeat(50), ' '.repeat(100)],
]
const statuses = [200, 200, 200, 201, 204, 301, 400, 401, 404, 413, 429, 500, 502, 503]

function changed(random: Random): Buffer {
  return mutateOctets(random, samples[random(samples.length)]!, pieces, [swapCode])
}

function swapCode(octets: Buffer, random: Random): Buffer {
  const text = octets.toString('latin1').replace(/"\d{4}"/, `"${codes[random(codes.length)]!}"`)
  return Buffer.from(text, 'latin1')
}

function checkReceipt(receipt: Receipt): void {
  const bounded = boundReceipt(receipt)
  assert.ok(JSON.stringify(bounded).length < 1_000)
  assert.ok(
    causes.includes(bounded.cause) && (bounded.result === 'delivered') === (bounded.cause === 'delivered'),
  )
}

test(`${count} malformed answers and results are read or refused (seed ${seed})`, () => {
  const random = seeded(seed)
  const options = kakaoOptions({ codes: { 3018: 'accepted', 1021: 'throttled' } })
  const kinds = new Map<string, number>()
  const seen = (kind: string): void => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  const parser = new FuzzedParser('kakao: responses and polled results')
  for (let round = 0; round < count; round++) {
    const body = changed(random)
    const status = statuses[random(statuses.length)]!
    const answer = { kind: 'answer', status, headers: {}, body, retryAfterMs: null } as const
    const { outcome, polled } = parser.read(() => ({
      outcome: parseKakaoOutcome(options, answer, serial).outcome,
      polled: polledReceipts(options, parseKakaoResponse(body).body),
    }))
    assert.ok(JSON.stringify(boundOutcome(outcome)).length < 1_000)
    // Only a successful response accepts a message.
    if (outcome.kind === 'accepted') assert.ok(status < 300)
    seen(outcome.kind)
    for (const receipt of polled) if (receipt !== null) checkReceipt(receipt)
    if (polled.length > 0) seen('polled')
  }
  parser.end()
  // All results must occur often, otherwise the test proves nothing.
  for (const kind of ['accepted', 'throttled', 'refused', 'unreachable', 'unknown', 'polled'])
    assert.ok((kinds.get(kind) ?? 0) > count / 200, `${kind}: ${kinds.get(kind)} of ${count}`)
})

test('inputs of the largest size take linear time', () => {
  const options = kakaoOptions()
  const patterns = ['[', '{"a":', '"', '{"code":"0000"},', ' ', '0', '\\', '[[],', '{"serial_number":"']
  for (const pattern of patterns) {
    const body = Buffer.alloc(1024 * 1024, pattern)
    const took = cpuMs(() => {
      parseKakaoOutcome(
        options,
        { kind: 'answer', status: 200, headers: {}, body, retryAfterMs: null },
        serial,
      )
      polledReceipts(options, parseKakaoResponse(body).body)
    })
    assert.ok(took < maxMs, `${pattern}: ${took} ms`)
  }
})
