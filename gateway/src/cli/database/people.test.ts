/**
 * Database roles of people: commands, viewers and auditors have the rights they need, and cannot change the
 * log and operators.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  forgedAuditRow,
  openRolePools,
  createNoOpUpdate,
} from '../../../test/support/engines/use-database-users.ts'
import { appendAudit, listAudit, readTail } from '../../identity/audit/queries.ts'
import { verifyAudit } from '../../identity/audit/verify.ts'

const { url, database } = await createTestDatabase()
const { prefix, urlOf, pools, denied } = await openRolePools(url)
const none = { POSTERN_BROKER_URLS: '', POSTERN_TOKEN_SECRET: '' }
const run = (as: string, ...args: string[]) => runCommand({ ...none, POSTERN_DATABASE_URL: as }, ...args)

test('the role of commands cannot change the audit log, operators or tables', async () => {
  const created = await run(urlOf('cli'), 'account', 'create', '--name', 'Shop', '--client-id', 'shop')
  assert.equal(created.exitCode, 0, created.stderr)
  assert.equal((await run(urlOf('cli'), 'audit', 'verify')).exitCode, 0)
  await denied(
    'cli',
    ...['update audit_log set reason = reason', 'delete from audit_log', 'truncate audit_log'],
    ...['update audit_tail set seq = 0', 'alter table audit_log disable trigger all', 'drop table accounts'],
    createNoOpUpdate('operators', 'role'),
    'delete from operators',
    'delete from operator_keys',
    'select hash from operator_keys',
    'select password_hash from operator_logins',
    createNoOpUpdate('operator_logins', 'totp_at'),
    'select from operator_recovery_codes',
    `insert into operator_sessions select 'x', 'x', id, 'password', '', '', now(), now(), now() from operators`,
    createNoOpUpdate('operator_sessions', 'ends_at'),
    `select start_provider_session('https://idp', 'me', 'me', 'admin', 'x', 'x', 60, '', '')`,
    `select add_operator_session(1, 'oidc', 'x', 'x', 60, '', '')`,
    'create table more (id int)',
  )
  const refused = await run(urlOf('cli'), 'operator', 'recover', 'kim', '--reason', 'x')
  assert.match(refused.stderr, /only the owner of the tables/)
})

test('an audit row names the database user that wrote it', async () => {
  await pools.cli.query(
    forgedAuditRow.replace('details)', 'details, database_user)').replace(`'{}')`, `'{}', 'kim')`),
  )
  const [row] = await listAudit(database, { limit: 1 })
  assert.equal(row!.databaseUser, `${prefix}_cli`)
  assert.equal((await verifyAudit(database, [])).broken, null)
})

test('a temporary table instead of the tail neither forges a row nor runs as owner', async () => {
  const client = await pools.cli.connect()
  try {
    await client.query(`create temp table audit_tail (only_row boolean, seq bigint, hash bytea);
      insert into pg_temp.audit_tail values (true, 1000000, '\\x00');
      grant all on pg_temp.audit_tail to public`)
    const before = (await readTail(database)).seq
    await appendAudit(client, createTestAuditContext(), { action: 'x', result: 'done', target: 'x' })
    assert.equal((await readTail(database)).seq, before + 1)
  } finally {
    client.release(true)
  }
})

test('a function in the schema of the tables does not replace one of PostgreSQL', async () => {
  // Its second parameter matches a literal better than that of pg_catalog.convert_to.
  await database.query(
    `create function convert_to(text, text) returns bytea language sql as $$ select '\\x00'::bytea $$`,
  )
  await appendAudit(pools.cli, createTestAuditContext(), { action: 'x', result: 'done', target: 'x' })
  await database.query('drop function convert_to(text, text)')
  assert.equal((await verifyAudit(database, [])).broken, null)
})

test('the database requires an admin key to change existing operators', async () => {
  const command = async (key: string, ...args: string[]): Promise<Record<string, string>> => {
    const environment = { ...none, POSTERN_DATABASE_URL: urlOf('cli'), POSTERN_OPERATOR_KEY: key }
    const output = await runCommand(environment, ...args, '--json')
    assert.equal(output.exitCode, 0, output.stderr)
    return JSON.parse(output.stdout) as Record<string, string>
  }
  const add = async (by: string, name: string, role: string): Promise<string> => {
    const { key } = await command(by, 'operator', 'add', name, '--role', role)
    return (await command(key!, 'operator', 'key', 'rotate')).key!
  }
  const kim = await add('', 'kim', 'admin')
  const lee = await add(kim, 'lee', 'support')
  await command(kim, 'operator', 'role', 'lee', 'operator', '--reason', 'x')
  await command(kim, 'operator', 'key', 'add', 'lee', '--replace')
  const [keyId, hash] = await signatureOf('lee')
  for (const statement of [
    `select change_operator(null, null, (select id from operators where name = 'lee'), 'admin', false)`,
    `select change_operator('${keyId}', '${hash}', (select id from operators where name = 'lee'), 'admin', false)`,
    `select add_operator(null, null, 'eve', 'admin', 'eve', 'K', 'h', null)`,
    `select add_operator_key('${keyId}', '${hash}', 'K', (select id from operators where name = 'kim'), 'h', false, 'eve', null)`,
    `select add_operator_key('${keyId}', '${hash}', 'K', (select id from operators where name = 'lee'), 'h', true, 'eve', null)`,
    `select revoke_operator_key('${keyId}', '${hash}', (select key_id from operator_keys k join operators o on o.id = k.operator_id
                                                         where o.name = 'kim' and not k.initial and k.revoked_at is null))`,
    `select signing_operator('${keyId}', '${hash}', false)`,
    `select set_operator_password(null, null, (select id from operators where name = 'lee'), 'h', true)`,
    `select set_operator_password('${keyId}', '${hash}', (select id from operators where name = 'kim'), 'h', false)`,
    `select set_operator_password('${keyId}', '${hash}', (select id from operators where name = 'lee'), 'h', true)`,
    `select reset_operator_totp('${keyId}', '${hash}', (select id from operators where name = 'kim'))`,
    `select replace_totp_secret(1, 'x', 'in clear')`,
  ])
    await assert.rejects(pools.cli.query(statement), { code: '42501' }, statement)
  assert.ok(lee.startsWith('postern_op_'))
})

async function signatureOf(name: string): Promise<[string, string]> {
  const found = await database.query<{ keyId: string; hash: string }>(
    `select key_id as "keyId", hash from operator_keys k join operators o on o.id = k.operator_id
      where o.name = $1 and revoked_at is null`,
    [name],
  )
  return [found.rows[0]!.keyId, found.rows[0]!.hash]
}

test('a viewer reads no personal data and no secrets', async () => {
  await database.query('delete from operator_keys; delete from operators')
  for (const command of [
    ...['account list', 'account show shop', 'account key list shop', 'trust list'],
    ...['route list', 'route templates list', 'worker list', 'token-key list', 'ledger check', 'held list'],
  ]) {
    const output = await run(urlOf('viewer'), ...command.split(' '))
    assert.equal(output.exitCode, 0, `${command}: ${output.stderr}`)
  }
  await denied(
    'viewer',
    ...[
      'select from messages',
      'select from attempts',
      'select from reports',
      'select from parked',
      forgedAuditRow,
    ],
    ...['select hash from credentials', 'select options from routes'],
    ...[
      'select from webhooks',
      'select from senders',
      'select from data_keys',
      'select salt from token_keys',
    ],
    ...['select safe_numbers from account_protection', createNoOpUpdate('accounts', 'blocked')],
  )
  const refused = await run(urlOf('viewer'), 'account', 'revoke-tokens', 'shop')
  assert.match(refused.stderr, /the database user of this command lacks the privilege/)
})

test('an auditor reads only the log, even once operators exist', async () => {
  await appendAudit(database, createTestAuditContext(), { action: 'x', result: 'done', target: 'x' })
  await database.query(`insert into operators (name, role, created_by) values ('kim', 'admin', 'x')`)
  assert.ok((await readTail(pools.auditor)).seq > 0)
  for (const command of ['verify', 'list', 'checkpoint']) {
    const output = await run(urlOf('auditor'), 'audit', command)
    assert.equal(output.exitCode, 0, output.stderr)
  }
  assert.match((await run(urlOf('cli'), 'audit', 'verify')).stderr, /POSTERN_OPERATOR_KEY is required/)
  await denied(
    'auditor',
    ...['select from accounts', 'select from messages', 'select from operator_keys', 'delete from audit_log'],
    forgedAuditRow,
  )
})
