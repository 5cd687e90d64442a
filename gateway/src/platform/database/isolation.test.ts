/**
 * Which items of a failed batch are at fault: after an unclear error, one that fails alone while others succeed, and none if
 * most fail.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flushIsolated } from './isolation.ts'
import { isTransient, classifyError } from './transient.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const internal = (): Error => Object.assign(new Error('internal'), { code: 'XX000', severity: 'ERROR' })
const tooLong = (): Error => Object.assign(new Error('too long'), { code: '22001', severity: 'ERROR' })

/** Returns a flush that fails while the batch contains an item with an error. */
function failing(errorOf: (item: number) => Error | undefined) {
  const sizes: number[] = []
  const flush = (items: number[]): Promise<number[]> => {
    sizes.push(items.length)
    const error = items.map(errorOf).find((found) => found !== undefined)
    return error === undefined ? Promise.resolve(items) : Promise.reject(error)
  }
  return { sizes, flush }
}

/** Counts the items that succeeded, must be retried, and are at fault. */
async function outcome(count: number, flush: (items: number[]) => Promise<number[]>) {
  const results = await flushIsolated(numbers(count), flush, classifyError)
  assert.equal(results.length, count)
  const counts = { succeeded: 0, repeated: 0, blamed: 0 }
  for (const result of results) {
    if (result.status === 'fulfilled') counts.succeeded++
    else counts[isTransient(result.reason) ? 'repeated' : 'blamed']++
  }
  return counts
}

for (const [description, error] of [
  ['an internal error of the server', internal],
  ['a TypeError', () => new TypeError('bug')],
  ['a plain error', () => new Error('something')],
] as const) {
  test(`${description} of every item is an error of the engine`, async () => {
    const { sizes, flush } = failing(error)
    assert.deepEqual(await outcome(400, flush), { succeeded: 0, repeated: 400, blamed: 0 })
    assert.ok(sizes.length <= 30, `${sizes.length} flushes`)
  })

  test(`${description} of one item of 200 is an error of that item`, async () => {
    const { sizes, flush } = failing((item) => (item === 77 ? error() : undefined))
    assert.deepEqual(await outcome(200, flush), { succeeded: 199, repeated: 0, blamed: 1 })
    assert.ok(sizes.length <= 18, `${sizes.length} flushes`)
  })
}

test('an unclear error of a single item is retried, and parked if others succeed', async () => {
  const { flush } = failing((item) => (item === 0 ? internal() : undefined))
  assert.deepEqual(await outcome(1, flush), { succeeded: 0, repeated: 1, blamed: 0 })
  assert.deepEqual(await outcome(2, flush), { succeeded: 1, repeated: 0, blamed: 1 })
})

test('an item that fails while the engine recovers is not at fault', async () => {
  let failures = 5
  const flush = (items: number[]): Promise<number[]> =>
    failures-- > 0 ? Promise.reject(internal()) : Promise.resolve(items)
  assert.deepEqual(await outcome(8, flush), { succeeded: 8, repeated: 0, blamed: 0 })
})

test('items that fail because the engine stops during the division are not at fault', async () => {
  let flushes = 0
  const flush = (items: number[]): Promise<number[]> =>
    ++flushes === 4 ? Promise.resolve(items) : Promise.reject(internal())
  const { succeeded, blamed } = await outcome(100, flush)
  assert.ok(succeeded > 0)
  assert.equal(blamed, 0)
})

test('errors that only items can cause are attributed to items even if all fail', async () => {
  const { flush } = failing(tooLong)
  assert.deepEqual(await outcome(50, flush), { succeeded: 0, repeated: 0, blamed: 50 })
})

test('good items behind several bad ones succeed', async () => {
  const { flush } = failing((item) => (item < 6 ? internal() : undefined))
  const { succeeded, blamed } = await outcome(100, flush)
  assert.deepEqual({ succeeded, blamed }, { succeeded: 94, blamed: 6 })
})

test('the reason of a bad item names the error and its code', async () => {
  const { flush } = failing((item) => (item === 1 ? internal() : undefined))
  const [, result] = await flushIsolated(numbers(2), flush, classifyError)
  assert.ok(result?.status === 'rejected')
  assert.equal((result.reason as { code: string }).code, 'Error XX000')
})
