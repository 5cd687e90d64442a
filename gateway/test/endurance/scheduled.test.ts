/** The small form of `npm run scheduled`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceUrl } from '../support/services.ts'
import { judgeScheduled } from './scheduled-report.ts'
import { measureScheduled } from './scheduled-steps.ts'

test('messages for later cost nothing, and codes that are due leave before advertisements', async () => {
  const result = await measureScheduled(serviceUrl('POSTERN_DATABASE_URL'), {
    messages: 20_000,
    accounts: 2_000,
  })
  assert.deepEqual(judgeScheduled(result), [])
})
