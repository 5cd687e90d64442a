/** A file shares a process only with those that it cannot disturb. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectRoot } from './services/paths.ts'
import { divideTests } from './test-groups.ts'

test('tests are divided by what they reach, also over the modules that they share', () => {
  const { together, groups, alone } = divideTests(projectRoot, [
    'gateway/src/channels/lane.test.ts',
    'gateway/src/commands/every-command.test.ts',
    'gateway/src/connectors/access-token.test.ts',
    'gateway/src/files/quota.test.ts',
    'gateway/src/records/messages/sealed.test.ts',
    'gateway/src/roles/start.test.ts',
    'gateway/src/trust/senders/senders.test.ts',
  ])
  assert.deepEqual(together, ['gateway/src/channels/lane.test.ts'])
  assert.deepEqual(groups, [['gateway/src/files/quota.test.ts', 'gateway/src/trust/senders/senders.test.ts']])
  assert.deepEqual(alone, [
    'gateway/src/commands/every-command.test.ts',
    'gateway/src/connectors/access-token.test.ts',
    'gateway/src/records/messages/sealed.test.ts',
    'gateway/src/roles/start.test.ts',
  ])
})
