/** The migration that adds proofs to the history of senders: a proof is copied where it belongs for certain, and none is lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '../../../test/support/fixtures.ts'
import { createEmptyDatabase } from '../../../test/support/database.ts'
import { migrate } from '../../platform/migrate.ts'
import { findSender, readSenderChanges, type SenderChange } from './queries.ts'
import type { StoredState } from './sender.ts'

const { database } = await createEmptyDatabase()
await migrate(database)
// As the version before has left it.
await database.query(`
  alter table sender_changes drop column proof_kind, drop column proof_reference, drop column proof_issued;
  delete from migrations where name = '0074_sender_change_proofs.sql'`)
const accountId = await createAccount(database, 'shop')

/** Its value says what happened; every one but `unproven` has a proof. */
async function addSender(value: string, states: readonly StoredState[], reference: string | null = 'KT-1') {
  const { rows } = await database.query<{ id: string }>(
    `insert into senders (account_id, kind, value, state, version, proof_kind, proof_reference, proof_issued)
     values ($1, 'brand', $2, $3, 1, case when $4::text is not null then 'consent' end, $4, '2026-11-02') returning id::text`,
    [accountId, value, states.at(-1), reference],
  )
  for (const [n, to] of states.entries())
    await database.query(
      `insert into sender_changes (sender_id, by, from_state, to_state, reason) values ($1, 'kim', $2, $3, 'asked for')`,
      [rows[0]!.id, states[n - 1] ?? null, to],
    )
}

await addSender('registered', ['active'])
await addSender('blocked-first', ['blocked', 'active', 'blocked'])
await addSender('renewed-pending', ['pending', 'pending', 'rejected'])
await addSender('approved', ['pending', 'active'])
await addSender('unproven', ['pending', 'active'], null)
await database.query(`
  create table planned (hash_joins text);
  create function note_planning() returns trigger language plpgsql as
    $$ begin insert into planned values (current_setting('enable_hashjoin')); return null; end $$;
  create trigger planning after update on sender_changes for each statement execute function note_planning()`)
await migrate(database)

const historyOf = async (value: string): Promise<SenderChange[]> =>
  readSenderChanges(database, (await findSender(database, { accountId, kind: 'brand', value }))!.id)
const proofsOf = async (value: string): Promise<unknown[]> =>
  (await historyOf(value)).map(({ by, proof }) => [by, proof?.reference ?? null])

test('a proof is copied to the only change that can have given it', async () => {
  const proof = { kind: 'consent', reference: 'KT-1', issued: '2026-11-02' }
  assert.deepEqual(
    (await historyOf('registered')).map((change) => change.proof),
    [proof],
  )
  assert.deepEqual(await proofsOf('blocked-first'), [
    ['kim', null],
    ['kim', 'KT-1'],
    ['kim', null],
  ])
  assert.deepEqual(await proofsOf('renewed-pending'), [
    ['kim', null],
    ['kim', 'KT-1'],
    ['kim', null],
  ])
})

test('where several changes can have given it, a row of its own keeps it', async () => {
  assert.deepEqual(await proofsOf('approved'), [
    ['kim', null],
    ['kim', null],
    ['migration', 'KT-1'],
  ])
  const { from, to } = (await historyOf('approved')).at(-1)!
  assert.deepEqual([from, to], ['active', 'active'])
  assert.deepEqual(await proofsOf('unproven'), [
    ['kim', null],
    ['kim', null],
  ])
})

test('whole tables may be joined by a hash: by nested loops alone the time grows with the square of the senders', async () => {
  const { rows } = await database.query('select distinct hash_joins from planned')
  assert.deepEqual(rows, [{ hash_joins: 'on' }])
})

test('processes of the version before write their history without proofs', async () => {
  await database.query(
    `insert into sender_changes (sender_id, by, from_state, to_state, valid_until, reason)
     select id, 'lee', state, 'blocked', null, 'stolen' from senders where value = 'approved'`,
  )
  assert.deepEqual((await proofsOf('approved')).at(-1), ['lee', null])
})
