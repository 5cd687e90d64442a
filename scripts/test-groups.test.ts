/** Files that need an engine, a socket or another process are never run in a common process. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectRoot } from './services/paths.ts'
import { divideTests } from './test-groups.ts'

test('tests are divided by what they reach, also over the modules that they share', () => {
  const { together, alone } = divideTests(projectRoot, [
    'gateway/src/channels/lane.test.ts',
    'gateway/src/files/quota.test.ts',
    'gateway/src/trust/senders/senders.test.ts',
  ])
  assert.deepEqual(together, ['gateway/src/channels/lane.test.ts'])
  assert.deepEqual(alone, ['gateway/src/files/quota.test.ts', 'gateway/src/trust/senders/senders.test.ts'])
})
