import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../../test/support/silent-log.ts'
import { assertWithin, waitFor } from '../../../test/support/wait.ts'
import { ProcessStopping, retryTransient } from './retry.ts'

const failure = (code: string): Error => Object.assign(new Error(`SQLSTATE ${code}`), { code })
const context = (signal = new AbortController().signal) => ({ what: 'a test', log: silentLog, signal })

test('retries until the work succeeds, and returns its result', async () => {
  let tries = 0
  const work = (): Promise<string> =>
    ++tries < 3 ? Promise.reject(failure('ECONNREFUSED')) : Promise.resolve('done')
  assert.equal(await retryTransient(work, context()), 'done')
  assert.equal(tries, 3)
})

test('never retries work that cannot succeed', async () => {
  let tries = 0
  const work = (): Promise<never> => {
    tries++
    return Promise.reject(Object.assign(failure('22021'), { severity: 'ERROR' }))
  }
  await assert.rejects(retryTransient(work, context()), { code: '22021' })
  assert.equal(tries, 1)
})

test('rejects with ProcessStopping on a stop without waiting for the delay', async () => {
  const stopping = new AbortController()
  let tries = 0
  const work = (): Promise<never> => {
    tries++
    return Promise.reject(failure('57P01'))
  }
  const result = retryTransient(work, context(stopping.signal))
  const started = performance.now()
  await waitFor('three tries', () => tries >= 3)
  stopping.abort()
  await assert.rejects(
    result,
    (error: Error) => error instanceof ProcessStopping && error.cause instanceof Error,
  )
  assertWithin('the stop', performance.now() - started, 5_000)
})

test('finishes running work on a stop', async () => {
  const stopping = new AbortController()
  const work = (): Promise<string> => {
    stopping.abort()
    return Promise.resolve('done')
  }
  assert.equal(await retryTransient(work, context(stopping.signal)), 'done')
})
