import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../shared/unique-numbers.ts'
import { submitRequest } from '../testing/mm7-client.ts'
import { mutate, rounds } from '../testing/mutate.ts'
import { dialectNames } from './dialect.ts'
import { dialects } from './dialects.ts'
import { decodeEucKr } from './euc-kr.ts'
import { parseMm7Request } from './submission.ts'

const count = rounds(4000)

test(`parses or refuses ${count} mutated requests with a reason`, () => {
  const random = seededRandom(2)
  const samples = dialectNames.map((dialect) => ({
    dialect,
    ...submitRequest({ dialect, to: '01012340001' }),
  }))
  const kinds = new Map<string, number>()
  for (let round = 0; round < count; round++) {
    const { dialect, contentType, body } = samples[round % samples.length]!
    const changedType =
      random() < 0.1 ? mutate(Buffer.from(contentType), random).toString('latin1') : contentType
    const read = parseMm7Request(dialects[dialect], changedType, mutate(body, random), 1000)
    const kind = read.kind === 'refused' ? read.refusal : read.kind
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  for (const kind of ['submit', 'mime', 'xml'])
    assert.ok((kinds.get(kind) ?? 0) > count / 40, `${kind}: ${kinds.get(kind)}`)
})

test('accepts any prefix, and white space around values', () => {
  const { contentType, body } = submitRequest({ dialect: 'kt', to: '01012340001' })
  const text = body
    .toString('latin1')
    .replaceAll('mm7:', 'p:')
    .replace(':mm7=', ':p=')
    .replace('xmlns:mm7', 'xmlns:p')
  const read = parseMm7Request(dialects.kt, contentType, Buffer.from(text, 'latin1'), 1000)
  assert.equal(read.kind, 'submit')
})

test('refuses a TransactionID beyond the length limit', () => {
  const { contentType, body } = submitRequest({
    dialect: 'kt',
    to: '01012340001',
    transactionId: 'x'.repeat(201),
  })
  const read = parseMm7Request(dialects.kt, contentType, body, 1000)
  assert.ok(read.kind === 'refused' && read.refusal === 'xml')
})

test('decodes EUC-KR strictly', () => {
  assert.deepEqual(decodeEucKr(Buffer.from([0xb0, 0xa1, 0x41])), { text: '가A', strict: true })
  assert.deepEqual(decodeEucKr(Buffer.from([0x8c, 0x63, 0x41])), { text: '\ufffdA', strict: false })
  assert.deepEqual(decodeEucKr(Buffer.from([0xfe, 0xfe])), { text: '\ufffd', strict: false })
  assert.deepEqual(decodeEucKr(Buffer.from([0x41, 0xb0])), { text: 'A\ufffd', strict: false })
})
