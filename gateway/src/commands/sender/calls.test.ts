/** Over the admin API, a sender that changes between the reading of the command and its approval is not approved. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdminClient } from '../client/client.ts'
import { FailedError } from '../errors.ts'
import { changeState } from './calls.ts'

test('an approval names the sender as the command has read it', async () => {
  const updatedAt = '2026-11-16T09:00:00.123Z'
  const asked: unknown[] = []
  const admin = {
    reason: {},
    call: (operation: string, input: unknown) => {
      asked.push([operation, input])
      return operation === 'findSender'
        ? Promise.resolve({ id: '7', updatedAt })
        : Promise.reject(new FailedError('the sender has changed since it was shown'))
    },
  } as unknown as AdminClient
  await assert.rejects(changeState(admin, 'shop', '0212345678', 'approve', { kind: 'number' }), /has changed/)
  assert.deepEqual(asked[1], [
    'approveSender',
    { params: { clientId: 'shop', senderId: '7' }, body: { validUntil: undefined, updatedAt } },
  ])
})
