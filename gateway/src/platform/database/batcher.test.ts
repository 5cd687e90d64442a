import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSettled, waitFor } from '../../../test/support/wait.ts'
import type { ErrorScope } from './transient.ts'
import { Batcher } from './batcher.ts'

/** A flush that the test resolves manually. */
function manualFlush() {
  const flushes: { items: number[]; end: PromiseWithResolvers<number[]> }[] = []
  const flush = (items: number[]): Promise<number[]> => {
    const end = Promise.withResolvers<number[]>()
    flushes.push({ items, end })
    return end.promise
  }
  return { flushes, flush }
}

const double = (items: number[]): Promise<number[]> => Promise.resolve(items.map((item) => item * 2))

test('every caller gets the result of its own item', async () => {
  const batcher = new Batcher<number, number>({ maxItems: 7, concurrency: 3 }, double)
  const items = Array.from({ length: 100 }, (_, index) => index)
  assert.deepEqual(await Promise.all(items.map((item) => batcher.add(item))), await double(items))
})

test('items of one event loop turn share a batch', async () => {
  const { flushes, flush } = manualFlush()
  const batcher = new Batcher<number, number>({ maxItems: 100, concurrency: 1 }, flush)
  const results = [1, 2, 3].map((item) => batcher.add(item))
  await waitFor('a flush', () => flushes.length === 1)
  assert.deepEqual(flushes[0]!.items, [1, 2, 3])
  flushes[0]!.end.resolve([10, 20, 30])
  assert.deepEqual(await Promise.all(results), [10, 20, 30])
})

test('never makes a batch larger than maxItems', async () => {
  const sizes: number[] = []
  const batcher = new Batcher<number, number>({ maxItems: 10, concurrency: 2 }, (items) => {
    sizes.push(items.length)
    return double(items)
  })
  await Promise.all(Array.from({ length: 95 }, (_, index) => batcher.add(index)))
  assert.ok(sizes.every((size) => size <= 10))
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    95,
  )
})

test('runs at most `concurrency` flushes and starts the next when one ends', async () => {
  const { flushes, flush } = manualFlush()
  const batcher = new Batcher<number, number>({ maxItems: 1, concurrency: 2 }, flush)
  const results = [1, 2, 3].map((item) => batcher.add(item))
  await waitFor('two flushes', () => flushes.length === 2)
  assert.equal(await isSettled(results[0]!), false)
  assert.equal(flushes.length, 2)
  assert.equal(batcher.pending, 1)
  flushes[0]!.end.resolve([10])
  await waitFor('the third flush', () => flushes.length === 3)
  flushes[1]!.end.resolve([20])
  flushes[2]!.end.resolve([30])
  assert.deepEqual(await Promise.all(results), [10, 20, 30])
})

test('items added during a flush form one batch after it', async () => {
  const { flushes, flush } = manualFlush()
  const batcher = new Batcher<number, number>({ maxItems: 100, concurrency: 1 }, flush)
  const first = batcher.add(0)
  await waitFor('a flush', () => flushes.length === 1)
  const others = [1, 2, 3, 4].map((item) => batcher.add(item))
  flushes[0]!.end.resolve([0])
  await first
  await waitFor('the second flush', () => flushes.length === 2)
  assert.deepEqual(flushes[1]!.items, [1, 2, 3, 4])
  flushes[1]!.end.resolve([1, 2, 3, 4])
  await Promise.all(others)
})

test('a failed flush rejects its own callers, and the next batch is flushed', async () => {
  let failing = true
  const batcher = new Batcher<number, number>({ maxItems: 2, concurrency: 1 }, (items) => {
    if (!failing) return double(items)
    failing = false
    return Promise.reject(new Error('the database is unavailable'))
  })
  const results = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)))
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'rejected')),
    ['rejected', 'rejected', 6, 8],
  )
})

class BadItem extends Error {
  override readonly name = 'BadItem'
}

function refusing(bad: ReadonlySet<number>) {
  const sizes: number[] = []
  const flush = (items: number[]): Promise<number[]> => {
    sizes.push(items.length)
    return items.some((item) => bad.has(item)) ? Promise.reject(new BadItem()) : double(items)
  }
  return { sizes, flush }
}

const scopeOf = (error: unknown): ErrorScope => (error instanceof BadItem ? 'item' : 'engine')

for (const bad of [[0], [199], [3, 4, 150], Array.from({ length: 200 }, (_, item) => item)]) {
  test(`${bad.length} bad items of 200 reject only their own callers`, async () => {
    const { flush } = refusing(new Set(bad))
    const batcher = new Batcher({ maxItems: 200, concurrency: 1, scopeOf }, flush)
    const results = await Promise.allSettled(Array.from({ length: 200 }, (_, item) => batcher.add(item)))
    results.forEach((result, item) => {
      if (bad.includes(item)) assert.ok(result.status === 'rejected' && result.reason instanceof BadItem)
      else assert.deepEqual(result, { status: 'fulfilled', value: item * 2 })
    })
  })
}

test('one bad item of 200 costs at most 16 more flushes', async () => {
  const { flush, sizes } = refusing(new Set([77]))
  const batcher = new Batcher({ maxItems: 200, concurrency: 1, scopeOf }, flush)
  await Promise.allSettled(Array.from({ length: 200 }, (_, item) => batcher.add(item)))
  assert.ok(sizes.length <= 17, `${sizes.length} flushes`)
})

test('an error of the engine never splits a batch', async () => {
  const flushed: number[][] = []
  const batcher = new Batcher<number, number>({ maxItems: 4, concurrency: 1, scopeOf }, (items) => {
    flushed.push(items)
    if (items.length === 4) return Promise.reject(new BadItem())
    return items.includes(1) ? Promise.reject(new Error('the database is unavailable')) : double(items)
  })
  const results = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(flushed, [
    [1, 2, 3, 4],
    [1, 2],
    [3, 4],
  ])
})

test('a group gets one result per item, in order; a bad item fails alone', async () => {
  const { flush, sizes } = refusing(new Set([3]))
  const batcher = new Batcher({ maxItems: 4, concurrency: 1, scopeOf }, flush)
  const [group, single, none] = await Promise.all([
    batcher.addAll([1, 2, 3, 4, 5]),
    batcher.add(6),
    batcher.addAll([]),
  ])
  assert.deepEqual(
    group.map((result) => (result.status === 'fulfilled' ? result.value : 'rejected')),
    [2, 4, 'rejected', 8, 10],
  )
  assert.equal(single, 12)
  assert.deepEqual(none, [])
  assert.ok(sizes.every((size) => size <= 4))
})

test('only a full batch is flushed next to a running flush if items may wait', async () => {
  const { flushes, flush } = manualFlush()
  const batcher = new Batcher<number, number>({ maxItems: 3, concurrency: 2, maxWaitMs: 60_000 }, flush)
  const results = [batcher.add(1)]
  await waitFor('the first flush', () => flushes.length === 1)
  results.push(batcher.add(2), batcher.add(3))
  assert.equal(await isSettled(results[0]!), false)
  assert.equal(flushes.length, 1)
  results.push(batcher.add(4))
  await waitFor('the second flush', () => flushes.length === 2)
  assert.deepEqual(flushes[1]!.items, [2, 3, 4])
  for (const { items, end } of flushes) end.resolve(items)
  assert.deepEqual(await Promise.all(results), [1, 2, 3, 4])
})

test('items do not wait for a slow flush', async () => {
  const { flushes, flush } = manualFlush()
  const batcher = new Batcher<number, number>({ maxItems: 100, concurrency: 2, maxWaitMs: 10 }, flush)
  const results = [batcher.add(1)]
  await waitFor('the first flush', () => flushes.length === 1)
  results.push(batcher.add(2))
  await waitFor('the second flush', () => flushes.length === 2)
  for (const { items, end } of flushes) end.resolve(items)
  assert.deepEqual(await Promise.all(results), [1, 2])
})
