import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareCall } from './share-call.ts'

test('calls for the same share one result, also a failure; a later one begins again', async () => {
  const pending = new Map<string, Promise<number>>()
  let calls = 0
  const count = (): Promise<number> => Promise.resolve(++calls)
  const fail = (): Promise<number> => Promise.reject(new Error(`failed ${++calls}`))
  const same = [
    shareCall(pending, 'a', count),
    shareCall(pending, 'a', count),
    shareCall(pending, 'b', count),
  ]
  assert.deepEqual(await Promise.all(same), [1, 1, 2])
  const failures = await Promise.allSettled([shareCall(pending, 'a', fail), shareCall(pending, 'a', fail)])
  assert.deepEqual(
    failures.map((result) => result.status === 'rejected' && (result.reason as Error).message),
    ['failed 3', 'failed 3'],
  )
  assert.equal(pending.size, 0)
  assert.equal(await shareCall(pending, 'a', count), 4)
})
