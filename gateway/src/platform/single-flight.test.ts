import assert from 'node:assert/strict'
import { test } from 'node:test'
import { singleFlight } from './single-flight.ts'

test('concurrent calls share one result or failure; a later one starts again', async () => {
  const pending = new Map<string, Promise<number>>()
  let calls = 0
  const count = (): Promise<number> => Promise.resolve(++calls)
  const fail = (): Promise<number> => Promise.reject(new Error(`failed ${++calls}`))
  const same = [
    singleFlight(pending, 'a', count),
    singleFlight(pending, 'a', count),
    singleFlight(pending, 'b', count),
  ]
  assert.deepEqual(await Promise.all(same), [1, 1, 2])
  const failures = await Promise.allSettled([
    singleFlight(pending, 'a', fail),
    singleFlight(pending, 'a', fail),
  ])
  assert.deepEqual(
    failures.map((result) => result.status === 'rejected' && (result.reason as Error).message),
    ['failed 3', 'failed 3'],
  )
  assert.equal(pending.size, 0)
  assert.equal(await singleFlight(pending, 'a', count), 4)
})
