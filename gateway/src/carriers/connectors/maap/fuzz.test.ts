/**
 * Malformed responses and webhooks lead to an outcome, a token, a batch or a receipt within limits, or to a refusal, without
 * an exception and in linear time. `POSTERN_FUZZ_RUNS` is the number of inputs, `POSTERN_FUZZ_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../../test/support/measure/cpu-time.ts'
import { maapOptions, relayOptions, webhookToken } from '../../../../test/support/carriers/maap.ts'
import { FuzzedParser, fuzzRuns, fuzzSeed as seed, mutateOctets } from '../../../../test/support/fuzz.ts'
import { seeded, type Random } from '../../../../test/support/smpp/mutate.ts'
import { boundOutcome, boundReceipt } from '../options/bounds.ts'
import { createInbound } from '../registry.ts'
import { parseMaapResponse } from './response.ts'
import { readFileInfo } from './files.ts'
import { readToken } from './login.ts'
import { toMaapOutcome } from './outcome.ts'
import { parseQueryResponse } from './query-response.ts'
import { readElement } from './status.ts'

const count = fuzzRuns(5_000)
const maxMs = 500

const reference = '20261115000000000C00A00000000001-1-1-1'
const time = '2026-11-15T13:04:27.123+09'
const carrierStatus = {
  clientMsgId: reference,
  chatbotId: '15881588',
  userContact: '01012345678',
  status: 'fail',
  mnoInfo: 'SKT',
  sentTime: time,
  timestamp: time,
  error: { code: '54002', message: '단말' },
}
const relayStatus = {
  rcsId: 'client',
  msgId: reference,
  userContact: '01012345678',
  status: 'success',
  bill: 1,
  serviceType: 'RCSSMS',
  mnoInfo: 'KT',
  timestamp: time,
  reason: {},
  legacyError: {},
}
const reply = {
  replyId: 'r',
  eventType: 'message',
  messageBody: { textMessage: '안녕' },
  userContact: '01012345678',
  chatbotId: '15881588',
  timestamp: time,
}
const answers = [
  { status: '200', data: { clientMsgId: reference }, reason: { code: '51104', message: 'm' } },
  { status: '200', data: { tokenInfo: { accessToken: 'a.b.c', expiresIn: '6000' } } },
  { status: '200', data: { fileInfo: { fileId: 'BR.a', status: 'ready', expiryDate: time, size: 9 } } },
  { status: '200', data: { statusInfo: [relayStatus, carrierStatus], queryId: 'q', moreToSend: 1 } },
  { status: '429', error: { code: '50201', message: 'TPS' } },
  { status: '400', error: { code: 55806, message: 'used' } },
]
const webhooks = [[carrierStatus], [relayStatus], [reply], [carrierStatus, relayStatus, reply]]
const samples = [...answers, ...webhooks].map((value) => Buffer.from(JSON.stringify(value)))
const pieces = [
  ...['{', '}', '[', ']', '"', ':', ',', 'null', 'true', '-1e999', '{}', '[]', '""', '\\u0000', '\\ud800'],
  ...['"__proto__":', '"constructor"', '['.repeat(3_000), '9'.repeat(300), 'x'.repeat(3_000), '\0', '\xff'],
]

function changed(random: Random): Buffer {
  return mutateOctets(random, samples[random(samples.length)]!, pieces, [swapValue, swapValue])
}

/** Replaces one value, so that the JSON stays valid. */
function swapValue(octets: Buffer, random: Random): Buffer {
  const text = octets.toString()
  const values = [...text.matchAll(/"[^"]*"(?!:)|\b\d+\b/g)]
  const value = values[random(values.length || 1)]
  if (value === undefined) return octets
  const others = ['null', '7', '""', '{}', '[]', '"fail"', '"55821"', '1e400', `"${'y'.repeat(500)}"`]
  const other = others[random(others.length)]!
  return Buffer.from(text.slice(0, value.index) + other + text.slice(value.index + value[0].length))
}

test(`${count} malformed answers and webhooks are read or refused (seed ${seed})`, () => {
  const random = seeded(seed)
  const options = maapOptions()
  const inbounds = [createInbound('maap', { ...options })!, createInbound('maap-kt', { ...relayOptions() })!]
  const submitted = { id: reference, carrier: '10001', hasOwnAgencyKey: false } as const
  const query = new URLSearchParams()
  const seen = {
    accepted: 0,
    unknown: 0,
    refused: 0,
    receipts: 0,
    events: 0,
    tokens: 0,
    batches: 0,
    files: 0,
  }
  const parser = new FuzzedParser('maap, maap-kt: answers, webhooks and polled results')
  for (let round = 0; round < count; round++) {
    const body = changed(random)
    const status = [200, 200, 200, 400, 401, 429, 500][random(7)]!
    const path = `/${webhookToken}${['', '/SKT', '/__proto__'][random(3)]!}`
    const inbound = inbounds[random(2)]!
    const again = random(2) === 0
    const read = () => {
      const answer = parseMaapResponse({ kind: 'answer', status, headers: {}, body, retryAfterMs: null })
      const polled = parseQueryResponse(answer, again, options.codes)
      const batch = typeof polled === 'object' && 'statuses' in polled ? polled : null
      return {
        batch,
        token: readToken(answer),
        file: readFileInfo(answer.data),
        outcome: boundOutcome(toMaapOutcome(options, submitted, { kind: 'answer', answer })),
        result: inbound({ method: 'POST', path, query, headers: {}, body }),
        polled: (batch?.statuses ?? []).flatMap((element) => {
          const found = readElement(options, element, undefined)
          return found !== null && 'receipt' in found ? [boundReceipt(found.receipt)] : []
        }),
      }
    }
    const { outcome, token, batch, file, result, polled } = parser.read(read)
    assert.ok(JSON.stringify(outcome).length < 1_000)
    assert.ok(token === null || /^[\x21-\x7e]{1,8192}$/.test(token.token))
    assert.ok(file.fileId === null || file.fileId.length <= 64)
    for (const receipt of [...result.receipts, ...polled]) {
      assert.ok(JSON.stringify(receipt).length < 1_000)
      assert.equal(receipt.result === 'delivered', receipt.cause === 'delivered')
    }
    assert.ok([200, 400].includes(result.response.status))
    if (outcome.kind === 'accepted' || outcome.kind === 'unknown' || outcome.kind === 'refused')
      seen[outcome.kind]++
    seen.receipts += result.receipts.length
    seen.events += result.events?.length ?? 0
    if (token !== null) seen.tokens++
    if (batch !== null) seen.batches++
    if (file.fileId !== null) seen.files++
  }
  parser.end()
  // All results must occur often, otherwise the test proves nothing.
  for (const [name, times] of Object.entries(seen)) assert.ok(times > count / 200, `${name}: ${times}`)
})

test('inputs of the largest size take linear time', () => {
  const inbound = createInbound('maap', { ...maapOptions() })!
  const query = new URLSearchParams()
  for (const pattern of ['[', '{"a":', '"', '\\', '0', '[{}],', ' ', '{"status":"fail"},', '"msgId":']) {
    for (const body of [Buffer.alloc(1_048_576, pattern), Buffer.from(`[${pattern.repeat(50_000)}{}]`)]) {
      const read = () => {
        inbound({ method: 'POST', path: `/${webhookToken}`, query, headers: {}, body })
        parseMaapResponse({ kind: 'answer', status: 200, headers: {}, body, retryAfterMs: null })
      }
      assert.ok(cpuMs(read) < maxMs, pattern)
    }
  }
})
