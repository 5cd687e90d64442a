/** Of a group of jobs, those are added again that an unavailable engine failed, and no others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addRepeatedly, type Run } from './add-repeatedly.ts'
import { Batcher } from './batcher.ts'
import { isTransient, scopeOf } from './transient.ts'

const unavailable = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const badRow = Object.assign(new Error('invalid byte sequence'), { code: '22021', severity: 'ERROR' })

const untilDone: Run = async (_what, work) => {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
    }
  }
}
const once: Run = (_what, work) => work()

/** Of two batches of two, the first fails once, and the bad item always. */
function failingOnce(bad: string) {
  const flushed: string[] = []
  let failures = 1
  const batcher = new Batcher<string, string>({ maxItems: 2, concurrency: 1, scopeOf }, (items) => {
    if (failures-- > 0) return Promise.reject(unavailable)
    if (items.includes(bad)) return Promise.reject(badRow)
    flushed.push(...items)
    return Promise.resolve(items.map((item) => item.toUpperCase()))
  })
  return { batcher, flushed }
}

test('what failed for an engine is added again, what succeeded is not, and a bad item fails alone', async () => {
  const { batcher, flushed } = failingOnce('d')
  const results = await addRepeatedly(batcher, ['a', 'b', 'c', 'd'], 'testing', untilDone)
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason === badRow)),
    ['A', 'B', 'C', true],
  )
  assert.deepEqual(flushed.toSorted(), ['a', 'b', 'c'])
})

test('without a repetition the transient error reaches the caller', async () => {
  const { batcher } = failingOnce('')
  await assert.rejects(addRepeatedly(batcher, ['a', 'b', 'c'], 'testing', once), unavailable)
})
