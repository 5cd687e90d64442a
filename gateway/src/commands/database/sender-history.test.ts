/** The history of senders with the database user of commands: it is added to, and nothing of it is erased. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testAct } from '../../../test/support/act.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { openRolePools, setNothing } from '../../../test/support/use-database-users.ts'
import { changeSender } from '../../trust/senders/changes.ts'
import { formerProofs } from '../../trust/senders/proofs.ts'
import { findSender, readSenderChanges } from '../../trust/senders/queries.ts'
import { registerSenders } from '../../trust/senders/register.ts'

const { url, database } = await createTestDatabase()
const { pools, denied } = await openRolePools(url)

test('commands register senders, encrypt their proofs again, and erase nothing of their history', async () => {
  const accountId = await createAccount(database, 'kept')
  const proof = { kind: 'consent', reference: 'doc-1', issued: null } as const
  const sender = { accountId, kind: 'number', value: '0212345678' } as const
  const registration = { ...sender, state: 'pending', proof, validUntil: null } as const
  await registerSenders(pools.cli, [registration], testAct())
  await changeSender(pools.cli, sender, { act: testAct(), to: 'active', today: '2026-11-16' })
  const [first] = await formerProofs.page(pools.cli, '', 1)
  assert.equal(await formerProofs.replace(pools.cli, [{ key: first!.key, from: 'doc-1', to: 'doc-2' }]), 1)
  const { id } = (await findSender(pools.cli, sender))!
  assert.deepEqual(
    (await readSenderChanges(pools.cli, id)).map(({ to, proof: by }) => [to, by?.reference]),
    [
      ['pending', 'doc-2'],
      ['active', 'doc-1'],
    ],
  )
  await denied(
    'cli',
    ...['delete from sender_changes', 'delete from senders', 'truncate sender_changes'],
    ...['at', 'by', 'to_state', 'reason', 'proof_kind', 'proof_issued', 'sender_id'].map((column) =>
      setNothing('sender_changes', column),
    ),
  )
})
