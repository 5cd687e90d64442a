/**
 * Malformed responses, token responses and webhooks lead to an outcome or a receipt within bounds, or to a refusal, without
 * an exception and in linear time. `POSTERN_FUZZ_RUNS` is the number of inputs, `POSTERN_FUZZ_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { cpuMs } from '../../../../test/support/measure/cpu-time.ts'
import { rbmOptions } from '../../../../test/support/carriers/rbm.ts'
import { FuzzedParser, fuzzRuns, fuzzSeed as seed, mutateOctets } from '../../../../test/support/fuzz.ts'
import { seeded, type Random } from '../../../../test/support/smpp/mutate.ts'
import { boundOutcome } from '../options/bounds.ts'
import { createInbound } from '../registry.ts'
import { parseTokenResponse } from './login.ts'
import { toRbmOutcome } from './outcome.ts'

const count = fuzzRuns(5_000)
const maxMs = 500

const id = '670236e2-2927-5f63-86d5-d1f7bb1434fa'
const about = {
  senderPhoneNumber: '+821012345678',
  agentId: 'a',
  sendTime: '2026-11-15T04:04:27Z',
  messageId: id,
}
const answers = [
  [200, { name: `phones/+821012345678/agentMessages/${id}`, sendTime: '2026-11-15T04:04:27Z' }],
  [404, { error: { code: 404, status: 'NOT_FOUND', message: 'no RCS' } }],
  [429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'quota', details: [{}] } }],
  [409, { error: { code: 409, status: 'ALREADY_EXISTS', message: 'known' } }],
  [503, { error: { code: 503, status: 'UNAVAILABLE', message: 'later' } }],
] as const
const token = {
  access_token: 'ya29.c.b0AXv0zTP',
  expires_in: 3599,
  token_type: 'Bearer',
  error: 'invalid_grant',
}
const events = [
  { ...about, eventType: 'DELIVERED', eventId: 'e' },
  { ...about, eventType: 'TTL_EXPIRATION_REVOKED', eventId: 'e' },
  { ...about, suggestionResponse: { postbackData: 'p', text: 't', type: 'REPLY' } },
  { ...about, userFile: { payload: { mimeType: 'image/jpeg', fileSizeBytes: 1, fileUri: 'https://a' } } },
]
const pieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\u0000',
  '\\ud800',
  'null',
  '1e999',
  '-0',
  '\0',
  '\xff',
  '__proto__',
]
const long = [
  '['.repeat(50),
  '{"a":'.repeat(50),
  '"'.repeat(50),
  '\\'.repeat(51),
  '9'.repeat(400),
  '/'.repeat(100),
]
const statuses = [200, 200, 200, 204, 302, 400, 403, 404, 409, 429, 500, 503, 0, 999]

function changed(random: Random, text: string): Buffer {
  return mutateOctets(random, Buffer.from(text), [...pieces, ...long])
}

test(`${count} malformed answers and webhooks are read or refused (seed ${seed})`, () => {
  const random = seeded(seed)
  const options = rbmOptions()
  const inbound = createInbound('rbm', options)!
  const query = new URLSearchParams()
  const seen = {
    accepted: 0,
    refused: 0,
    unknown: 0,
    throttled: 0,
    unreachable: 0,
    receipts: 0,
    rejected: 0,
    tokens: 0,
  }
  const parser = new FuzzedParser('rbm: answers, token answers and webhooks')
  for (let round = 0; round < count; round++) {
    const [sampleStatus, sample] = answers[random(answers.length)]!
    const status = random(4) === 0 ? statuses[random(statuses.length)]! : sampleStatus
    const body = changed(random, JSON.stringify(sample))
    const data = changed(random, JSON.stringify(events[random(events.length)]))
    const signature = createHmac('sha512', 'client-token').update(data).digest('base64')
    // Half of the rounds also change the envelope; few of those keep data that matches the signature.
    const envelope = JSON.stringify({ message: { data: data.toString('base64'), messageId: '1' } })
    const webhook = random(2) === 0 ? changed(random, envelope) : Buffer.from(envelope)
    const tokenBody = changed(random, JSON.stringify(token))
    const tokenStatus = random(2) === 0 ? 200 : status
    const headers = { 'x-goog-signature': signature }
    const { outcome, issued, result } = parser.read(() => ({
      outcome: boundOutcome(toRbmOutcome(options, { status, body, retryAfterMs: null }, id)),
      issued: parseTokenResponse(tokenStatus, tokenBody),
      result: inbound({ method: 'POST', path: '/', query, headers, body: webhook }),
    }))
    assert.ok(JSON.stringify(outcome).length < 1_000)
    assert.ok(JSON.stringify(result).length < 2_000)
    assert.ok([200, 400, 401].includes(result.response.status))
    assert.ok(result.response.status === 200 || result.receipts.length === 0)
    if (issued.kind === 'token') {
      assert.match(issued.authorization, /^Bearer [\x21-\x7e]{1,8192}$/)
      assert.ok(issued.lifetimeMs === null || issued.lifetimeMs > 0)
      seen.tokens++
    }
    seen[outcome.kind]++
    seen.receipts += result.receipts.length
    if (result.response.status !== 200) seen.rejected++
  }
  parser.end()
  // All results must occur often, otherwise the test proves nothing.
  for (const [name, times] of Object.entries(seen)) assert.ok(times > count / 200, `${name}: ${times}`)
})

test('inputs of the largest size take linear time', () => {
  const options = rbmOptions()
  const inbound = createInbound('rbm', options)!
  for (const pattern of [
    '[',
    '{"a":',
    '{"message":{"data":"',
    '"',
    '\\',
    ' ',
    '{"error":',
    'A',
    '=',
    '\xff',
  ]) {
    const body = Buffer.alloc(1024 * 1024, pattern, 'latin1')
    const took = cpuMs(() => {
      toRbmOutcome(options, { status: 400, body: body.subarray(0, 512 * 1024), retryAfterMs: null }, id)
      inbound({ method: 'POST', path: '/', query: new URLSearchParams(), headers: {}, body })
    })
    assert.ok(took < 2 * maxMs, JSON.stringify(pattern))
  }
})
