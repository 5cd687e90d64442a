import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitFor } from '../../../test/support/wait.ts'
import { BackgroundReading } from './background-reading.ts'

const limits = { keepMs: 0, maxAgeMs: 60_000, waitMs: 60_000 }
const never = new Promise<string>(() => undefined)

test('the last value is returned while the next is being read, and if that fails', async () => {
  const errors: unknown[] = []
  const reading = new BackgroundReading({
    ...limits,
    nothing: 'nothing',
    onError: (error) => errors.push(error),
  })
  assert.equal(await reading.read(() => Promise.resolve('first')), 'first')
  assert.equal(await reading.read(() => Promise.reject(new Error('cancelled'))), 'first')
  await waitFor('the error', () => errors.length === 1)
  assert.equal(await reading.read(() => Promise.resolve('second')), 'first')
  await waitFor('the second', async () => (await reading.read(() => Promise.resolve('second'))) === 'second')
  let loads = 0
  const slowly = (): Promise<string> => {
    loads++
    return never
  }
  await waitFor('a slow reading', async () => (await reading.read(slowly)) === 'second' && loads === 1)
  assert.equal(await reading.read(slowly), 'second')
  assert.equal(loads, 1, 'one at a time')
})

test('the first reading is awaited up to a limit, and its failure is not an error', async () => {
  const onError = (): void => undefined
  const failing = new BackgroundReading({ ...limits, nothing: 'nothing', onError })
  assert.equal(await failing.read(() => Promise.reject(new Error('cancelled'))), 'nothing')
  const slow = new BackgroundReading({ ...limits, waitMs: 10, nothing: 'nothing', onError })
  assert.equal(await slow.read(() => never), 'nothing')
})

test('a value that has not been refreshed for too long is not returned', async () => {
  const reading = new BackgroundReading({
    ...limits,
    maxAgeMs: -1,
    waitMs: 10,
    nothing: 'nothing',
    onError: () => undefined,
  })
  await reading.read(() => Promise.resolve('old'))
  assert.equal(await reading.read(() => never), 'nothing')
})
