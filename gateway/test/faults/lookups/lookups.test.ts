import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLookups, measureLookups } from './measure.ts'

test('lost responses and receipts are resolved by lookups, and nothing is sent twice', async () => {
  const result = await measureLookups({ lost: 10, ttlSeconds: 60 })
  assert.deepEqual(checkLookups(result), [])
  const byId = result.cases.find(({ carrier, missing }) => carrier === 'asked-by-id' && missing === 'receipt')
  assert.deepEqual(byId?.resolved, byId?.submitted)
})
