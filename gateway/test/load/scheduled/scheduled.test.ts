/** The small form of `npm run suite -- scheduled`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceUrl } from '../../support/engines/services.ts'
import { checkScheduled } from './scheduled-report.ts'
import { measureScheduled } from './scheduled-steps.ts'

test('messages for later cost nothing, and due codes leave before advertisements', async () => {
  const result = await measureScheduled(serviceUrl('POSTERN_DATABASE_URL'), {
    messages: 20_000,
    accounts: 2_000,
  })
  assert.deepEqual(checkScheduled(result), [])
})
