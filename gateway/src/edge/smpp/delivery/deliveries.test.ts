import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { SmppClient } from '../../../../test/support/smpp/client.ts'
import { openSmppServers, smppPassword } from '../../../../test/support/smpp/server.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { insertCredential } from '../../../identity/accounts/credential-queries.ts'
import { createKeyId } from '../../../identity/accounts/key.ts'
import { hashPassword } from '../../../identity/accounts/password.ts'
import type { BindKind } from '../../../carriers/smpp/pdu.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import { beat, claimExactly } from '../../../platform/membership/tables.ts'
import { formatSubmitRef } from './submit-ref.ts'

const { database, start, addAccount, record, report } = await openSmppServers()
const [server, other] = [
  await start({ smppServerDeliverWindow: 10 }),
  await start({ smppServerDeliverWindow: 10 }),
]

async function client(port: number, systemId: string, kind: BindKind, password = smppPassword) {
  const connected = await SmppClient.connect(port)
  addCleanup(() => connected.close())
  assert.equal(await connected.bind(systemId, password, kind), statuses.ESME_ROK)
  return connected
}

test('a bind for replies does not withhold receipts from another process', async () => {
  const accountId = await addAccount('split', { smppBinds: 4, smppReplies: true }, { scopes: ['replies'] })
  await insertCredential(database, {
    accountId,
    keyId: createKeyId(),
    kind: 'smpp',
    hash: await hashPassword('secret88'),
    name: '',
    createdBy: 'test',
    endsAt: null,
    scopes: ['send', 'report'],
    networks: null,
  })
  await client(other.port, 'split', 'bind_receiver')
  await waitFor('the claim of the replies', async () => {
    const { rowCount } = await database.query(`select from owned where kind = 'delivery' and key = $1`, [
      `${accountId}/reply`,
    ])
    return rowCount === 1
  })
  const sending = await client(server.port, 'split', 'bind_transceiver', 'secret88')
  const { id } = await sending.submit()
  await report(await record(1))
  await waitFor('the receipt', () => sending.deliveries.some(({ text }) => text.startsWith(`id:${id} `)))
})

test('a process that renews its claims writes nothing', async () => {
  for (const id of ['first', 'second'])
    await beat(database, {
      id,
      role: 'smpp-server',
      host: 'elsewhere:1',
      takes: [],
      clockAgrees: true,
      oldestReceiptAt: null,
    })
  const keys = [`${await addAccount('claimed')}/receipt`]
  const claims = await claimExactly(database, 'first', 'delivery', keys)
  assert.equal(claims.length, 1)
  await inTransaction(database, async (transaction) => {
    assert.deepEqual(await claimExactly(transaction, 'first', 'delivery', keys), claims)
    assert.deepEqual(await claimExactly(transaction, 'second', 'delivery', keys), [])
    const { rows } = await transaction.query('select pg_current_xact_id_if_assigned() as id')
    assert.deepEqual(rows, [{ id: null }])
  })
})

test('stored receipts of an account with full binds do not delay those of others', async () => {
  const form = { ton: 0, npi: 0, form: 'd' } as const
  const ref = formatSubmitRef({ registered: [1], recipient: form, sender: form, reference: null })
  const store = (accountId: number, count: number) =>
    database.query(
      `insert into smpp_receipts (account_id, message_id, ref, state, error, sent_at, done_at)
       select $1, 'stored' || n, $3, 5, '998', now(), now() from generate_series(1, $2::int) n`,
      [accountId, count, ref],
    )
  const full = await addAccount('full')
  const calm = await addAccount('calm')
  await store(full, 5_000)
  await store(calm, 1)
  const deaf = await client(server.port, 'full', 'bind_receiver')
  deaf.answer = () => null
  const bound = await client(server.port, 'calm', 'bind_receiver')
  await waitFor('the receipt of the other account', () => bound.deliveries.length === 1)
  await waitFor('the window of the first one to be full', () => deaf.deliveries.length === 10)
  const { rows } = await database.query<{ due: number }>(
    'select count(*) as due from smpp_receipts where account_id = $1 and due_at <= now()',
    [full],
  )
  assert.equal(rows[0]!.due, 4_990, 'what was not delivered stays due')
})
