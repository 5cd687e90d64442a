import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IdSource } from './ids.ts'
import type { IdFormat } from './ids.ts'

function ids(source: IdSource, count: number, format: IdFormat = 'the same'): string[] {
  return Array.from({ length: count }, () => source.next(format).inResponse)
}

test('returns the same ids for the same seed', () => {
  assert.deepEqual(ids(new IdSource(7, 0), 100), ids(new IdSource(7, 0), 100))
  assert.notDeepEqual(ids(new IdSource(7, 0), 100), ids(new IdSource(8, 0), 100))
})

test('never repeats an id within a run or in a continued one', () => {
  const first = ids(new IdSource(7, 0), 10_000)
  const second = ids(new IdSource(7, 10_000), 10_000)
  assert.equal(new Set([...first, ...second]).size, 20_000)
})

test('starts after the ids of an earlier unseeded run', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) })
  const first = ids(new IdSource(undefined, 0), 10_000)
  t.mock.timers.tick(1000)
  const second = ids(new IdSource(undefined, 0), 10_000)
  assert.equal(new Set([...first, ...second]).size, 20_000)
})

test('formats one number for the response and for the receipt in every format', () => {
  const source = new IdSource(7, 0)
  for (let round = 0; round < 200; round++) {
    const decimal = source.next('decimal receipt')
    assert.equal(BigInt(`0x${decimal.inResponse}`), BigInt(decimal.inReceipt))
    const hex = source.next('hex receipt')
    assert.equal(BigInt(hex.inResponse), BigInt(`0x${hex.inReceipt}`))
    const upper = source.next('upper receipt')
    assert.notEqual(upper.inResponse, upper.inReceipt)
    assert.equal(upper.inResponse.toUpperCase(), upper.inReceipt)
    const padded = source.next('padded receipt')
    assert.equal(`000${padded.inResponse}`, padded.inReceipt)
    const paddedResponse = source.next('padded response')
    assert.equal(paddedResponse.inResponse, `000${paddedResponse.inReceipt}`)
    const uuid = source.next('uuid')
    assert.match(uuid.inResponse, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(uuid.inReceipt, uuid.inResponse)
  }
})
