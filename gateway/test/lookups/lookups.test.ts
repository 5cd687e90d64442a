/** Lost responses and receipts with real processes, small: they are resolved where the carrier can be asked, and sent once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWrong, measureLookups } from './measure.ts'

test('lost responses and receipts are found at carriers that can be asked, and none is sent twice', async () => {
  const result = await measureLookups({ lost: 10, ttlSeconds: 60 })
  assert.deepEqual(findWrong(result), [])
  const byId = result.cases.find(({ carrier, missing }) => carrier === 'asked-by-id' && missing === 'receipt')
  assert.deepEqual(byId?.resolved, byId?.submitted)
})
