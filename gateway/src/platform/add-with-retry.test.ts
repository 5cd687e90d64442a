/** Only the jobs of a group that failed because of an unavailable engine are added again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addWithRetry, type RetryRunner } from './add-with-retry.ts'
import { Batcher } from './database/batcher.ts'
import { isTransient, classifyError } from './database/transient.ts'

const unavailable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const badRow = Object.assign(new Error('invalid byte sequence'), { code: '22021', severity: 'ERROR' })

const untilDone: RetryRunner = async (_what, work) => {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
    }
  }
}
const once: RetryRunner = (_what, work) => work()

/** Creates a batcher for batches of two: its first flush fails, and every flush with the bad item. */
function failingOnce(bad: string) {
  const flushed: string[] = []
  let failures = 1
  const batcher = new Batcher<string, string>(
    { maxItems: 2, concurrency: 1, scopeOf: classifyError },
    (items) => {
      if (failures-- > 0) return Promise.reject(unavailable)
      if (items.includes(bad)) return Promise.reject(badRow)
      flushed.push(...items)
      return Promise.resolve(items.map((item) => item.toUpperCase()))
    },
  )
  return { batcher, flushed }
}

test('items that failed because of an engine are retried; a bad item fails alone', async () => {
  const { batcher, flushed } = failingOnce('d')
  const results = await addWithRetry(batcher, ['a', 'b', 'c', 'd'], 'testing', untilDone)
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason === badRow)),
    ['A', 'B', 'C', true],
  )
  assert.deepEqual(flushed.toSorted(), ['a', 'b', 'c'])
})

test('a transient error reaches the caller if nothing is retried', async () => {
  const { batcher } = failingOnce('')
  await assert.rejects(addWithRetry(batcher, ['a', 'b', 'c'], 'testing', once), unavailable)
})
