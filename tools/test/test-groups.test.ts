import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectRoot } from '../engines/paths.ts'
import { divideTests } from './test-groups.ts'

test('tests are grouped by everything they import, directly or through shared modules', () => {
  const { together, groups, alone } = divideTests(projectRoot, [
    'gateway/src/channels/lane.test.ts',
    'gateway/src/cli/every-command.test.ts',
    'gateway/src/carriers/connectors/http/access-token.test.ts',
    'gateway/src/records/files/quota.test.ts',
    'gateway/src/records/messages/sealed.test.ts',
    'gateway/src/roles/start.test.ts',
    'gateway/src/trust/senders/senders.test.ts',
  ])
  assert.deepEqual(together, ['gateway/src/channels/lane.test.ts'])
  assert.deepEqual(groups, [
    ['gateway/src/records/files/quota.test.ts', 'gateway/src/trust/senders/senders.test.ts'],
  ])
  assert.deepEqual(alone, [
    'gateway/src/carriers/connectors/http/access-token.test.ts',
    'gateway/src/cli/every-command.test.ts',
    'gateway/src/records/messages/sealed.test.ts',
    'gateway/src/roles/start.test.ts',
  ])
})
