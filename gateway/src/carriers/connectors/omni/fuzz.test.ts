/**
 * Every response and report of the service ends in one of the five outcomes or a limited receipt. `POSTERN_FUZZ_RUNS` is
 * the number of each, `POSTERN_FUZZ_SEED` repeats a run.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPeerReport } from '../../../../test/contract/connector-conformance/omni-peer.ts'
import { FuzzedParser, fuzzRuns, fuzzSeed as seed } from '../../../../test/support/fuzz.ts'
import { seeded, type Random } from '../../../../test/support/smpp/mutate.ts'
import { causes } from '../../../channels/cause.ts'
import { boundOutcome, boundReceipt } from '../options/bounds.ts'
import type { Receipt } from '../connector.ts'
import { createInbound } from '../registry.ts'
import { readBatch } from './batch.ts'
import { parseOmniOutcome } from './outcome.ts'
import { toOmniReceipt } from './report.ts'
import { parseOmniResponse } from './response.ts'

const rounds = fuzzRuns(20_000)

const success = { code: 'A000', result: 'Success' }
const originals = [
  { ...success, msgKey: '20261115000000000C00A00000000001', ref: 'r' },
  { ...success, data: { destinations: [{ to: '01012345678', msgKey: 'M', ...success }] } },
  { code: 'A020', result: 'Rate limit exceeded' },
  { code: 'A920', result: 'Service busy' },
  { code: 'A110', result: 'Blocked account' },
].map((body) => JSON.stringify(body))
const reports = ['10000', '23001', '69999', '6ME09'].map((code) =>
  JSON.stringify(createPeerReport('M', 'r', code)),
)
const values = ['null', '[]', '{}', '0', '-1e999', 'true', '""', '"\\u0000"', '"\\ud800"', '1e999', '[[[]]]']

/** Truncates or extends the text, changes octets, or replaces a value. */
function mutate(text: string, random: Random): string {
  switch (random(5)) {
    case 0:
      return text.slice(0, random(text.length + 1))
    case 1:
      return text + text.slice(random(text.length))
    case 2: {
      const at = random(text.length)
      return text.slice(0, at) + String.fromCharCode(random(0x250)) + text.slice(at + 1)
    }
    case 3: {
      const fields = text.split(/(?<=:)/)
      const at = random(fields.length)
      fields[at] = fields[at]!.replace(/^("[^"]*"|[^,}\]]+)/, values[random(values.length)]!)
      return fields.join('')
    }
    default:
      return text
  }
}

test(`${rounds} answers give an outcome within bounds (seed ${seed})`, () => {
  const random = seeded(seed)
  const parser = new FuzzedParser('omni: answers to sends')
  const kinds = new Map<string, number>()
  for (let round = 0; round < rounds; round++) {
    const body = mutate(mutate(originals[random(originals.length)]!, random), random)
    const status = [200, 200, 400, 401, 403, 429, 500, 503, 302, 0][random(10)]!
    const retryAfterMs = [null, 0, 3_000, 3_600_000][random(4)]!
    const headers = [{}, { 'message-accepted': 'no' }][random(2)]!
    const answer = { kind: 'answer', status, headers, retryAfterMs, body: Buffer.from(body) } as const
    const { outcome } = parser.read(() => parseOmniOutcome(parseOmniResponse(answer), 1_000))
    assert.ok(JSON.stringify(boundOutcome(outcome)).length < 1_000)
    kinds.set(outcome.kind, (kinds.get(outcome.kind) ?? 0) + 1)
  }
  parser.end()
  assert.equal(kinds.size, 5, `all outcomes occur: ${JSON.stringify([...kinds])}`)
})

test(`${rounds} reports give a receipt within bounds or none (seed ${seed})`, () => {
  const random = seeded(seed)
  const inbound = createInbound('omni', {
    url: 'https://api.example.net',
    clientId: 'acme',
    password: 'secret08',
    results: 'webhook',
    webhookSignature: 'path',
    webhookSecret: 'sixteen-letters-',
  })!
  const parser = new FuzzedParser('omni: reports by webhook')
  let read = 0
  for (let round = 0; round < rounds; round++) {
    const text = mutate(mutate(reports[random(reports.length)]!, random), random)
    const request = { method: 'POST', path: '/report/sixteen-letters-', query: new URLSearchParams() }
    const body = Buffer.from(text)
    const { receipts, response } = parser.read(() => inbound({ ...request, headers: {}, body }))
    assert.equal(response.status, receipts.length === 1 ? 200 : 400)
    for (const receipt of receipts) {
      checkReceipt(receipt)
      read++
    }
  }
  parser.end()
  assert.ok(read > rounds / 10 && read < rounds, `${read} of ${rounds} were read`)
  assert.equal(boundReceipt(toOmniReceipt(JSON.parse(reports[0]!), {})!).cause, 'delivered')
})

test(`${rounds} batches of reports are read or refused (seed ${seed})`, () => {
  const random = seeded(seed)
  const parser = new FuzzedParser('omni: reports by polling and by the stream')
  const batches = reports.map((report) => {
    const ids = '"reportId":"B1","cursor":"4-17"'
    return `{"code":"A000","result":"Success","data":{${ids},"report":[${report},${reports[0]!}]}}`
  })
  const seen = { batches: 0, problems: 0, receipts: 0, unread: 0 }
  for (let round = 0; round < rounds; round++) {
    const body = Buffer.from(mutate(mutate(batches[random(batches.length)]!, random), random))
    const status = [200, 200, 200, 403, 503][random(5)]!
    const polling = random(2) === 0
    const { batch, receipts } = parser.read(() => {
      const answer = parseOmniResponse({ kind: 'answer', status, headers: {}, retryAfterMs: null, body })
      const read = readBatch(answer, polling)
      return {
        batch: read,
        receipts: 'reports' in read ? read.reports.map((report) => toOmniReceipt(report, {})) : [],
      }
    })
    if ('link' in batch) seen.problems++
    else {
      seen.batches++
      assert.ok(batch.id.length <= 1_024 && (batch.id !== '' || batch.reports.length === 0))
    }
    for (const receipt of receipts) {
      if (receipt === null) seen.unread++
      else {
        checkReceipt(boundReceipt(receipt))
        seen.receipts++
      }
    }
  }
  parser.end()
  for (const [name, times] of Object.entries(seen)) assert.ok(times > rounds / 200, `${name}: ${times}`)
})

function checkReceipt(receipt: Receipt): void {
  assert.ok(causes.includes(receipt.cause))
  assert.equal(receipt.result === 'delivered', receipt.cause === 'delivered')
  assert.ok(JSON.stringify(receipt).length < 2_000)
}
