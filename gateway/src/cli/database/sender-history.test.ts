/** With the database user of commands, the history of senders can only grow. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { openRolePools, createNoOpUpdate } from '../../../test/support/engines/use-database-users.ts'
import { changeSender } from '../../trust/senders/changes.ts'
import { proofHistory } from '../../trust/senders/proofs.ts'
import { findSender, readSenderChanges } from '../../trust/senders/queries.ts'
import { registerSenders } from '../../trust/senders/register.ts'

const { url, database } = await createTestDatabase()
const { pools, denied } = await openRolePools(url)

test('commands register senders and re-encrypt proofs, but erase no history', async () => {
  const accountId = await createAccount(database, 'kept')
  const proof = { kind: 'consent', reference: 'doc-1', issued: null } as const
  const sender = { accountId, kind: 'number', value: '0212345678' } as const
  const registration = { ...sender, state: 'pending', proof, validUntil: null } as const
  await registerSenders(pools.cli, [registration], createTestAuditContext())
  await changeSender(pools.cli, sender, { act: createTestAuditContext(), to: 'active', today: '2026-11-16' })
  const [first] = await proofHistory.page(pools.cli, '', 1)
  assert.equal(await proofHistory.replace(pools.cli, [{ key: first!.key, from: 'doc-1', to: 'doc-2' }]), 1)
  const { id } = (await findSender(pools.cli, sender))!
  assert.deepEqual(
    (await readSenderChanges(pools.cli, id)).map(({ to, proof: changed }) => [to, changed?.reference]),
    [
      ['pending', 'doc-2'],
      ['active', 'doc-1'],
    ],
  )
  await denied(
    'cli',
    ...['delete from sender_changes', 'delete from senders', 'truncate sender_changes'],
    ...['at', 'by', 'to_state', 'reason', 'proof_kind', 'proof_issued', 'sender_id'].map((column) =>
      createNoOpUpdate('sender_changes', column),
    ),
  )
})
