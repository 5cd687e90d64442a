/** Database roles: each can do its work with its own user, and cannot do what it has no business with. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testAct } from '../../../test/support/act.ts'
import { createTestBroker } from '../../../test/support/broker.ts'
import { atEnd } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { useDatabaseUsers } from '../../../test/support/use-database-users.ts'
import { temporaryFolder } from '../../../test/support/files/workspace.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { createTestServer } from '../../../test/support/server.ts'
import { createMemoryLog } from '../../../test/support/memory-log.ts'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { appendAudit, listAudit, readTail } from '../../audit/queries.ts'
import { verifyAudit } from '../../audit/verify.ts'
import {
  databaseRoles,
  functionRights,
  tableRights,
  type DatabaseRole,
} from '../../operators/table-rights.ts'
import { openDatabase, type Database } from '../../platform/database.ts'
import { ensureDay, maintainPartitions } from '../../records/partitions.ts'
import { maintainTraffic } from '../../records/traffic/months.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { startMaintenance } from '../../roles/maintenance.ts'
import type { Runtime } from '../../roles/runtime.ts'
import type { FileStore } from '../../files/store.ts'
import { findGranted } from './roles.ts'

const { url, database } = await createTestDatabase()
const { prefix, urlOf } = await useDatabaseUsers(url)
const none = { POSTERN_BROKER_URLS: '', POSTERN_TOKEN_SECRET: '' }
const run = (as: string, ...args: string[]) => runCommand({ ...none, POSTERN_DATABASE_URL: as }, ...args)

const pools = {} as Record<DatabaseRole, Database>
for (const role of databaseRoles) pools[role] = openDatabase(urlOf(role), quietLog, { connections: 4 })
atEnd(async () => {
  for (const pool of Object.values(pools)) await pool.end()
})

async function denied(role: DatabaseRole, ...statements: string[]): Promise<void> {
  for (const statement of statements)
    await assert.rejects(pools[role].query(statement), /permission denied|must be owner/, statement)
}

const setNothing = (table: string, column: string): string => `update ${table} set ${column} = ${column}`
const anAct = `insert into audit_log (actor, role, source, request_id, action, result, target, reason, details)
               values ('kim', 'admin', 'x', 'x', 'x', 'done', 'x', 'x', '{}')`

test('the rights of every table and of every function of the owner are listed', async () => {
  const { tables, functions } = await findGranted(database, prefix)
  const partitions = await database.query<{ name: string }>(
    'select relname as name from pg_class where relispartition',
  )
  const isPartition = new Set(partitions.rows.map(({ name }) => name))
  const names = tables.map(({ name }) => name)
  const missing = names.filter((name) => !isPartition.has(name) && tableRights[name] === undefined)
  assert.deepEqual(missing, [], 'add them to gateway/src/operators/table-rights.ts')
  assert.deepEqual(
    Object.keys(tableRights).filter((name) => !names.includes(name)),
    [],
  )
  const called = functions.map((signature) => signature.slice(0, signature.indexOf('(')))
  assert.deepEqual(called.sort(), Object.keys(functionRights).sort())
  for (const [name, { hidden = [] }] of Object.entries(tableRights))
    for (const column of hidden)
      assert.ok(tables.find((table) => table.name === name)!.columns.includes(column))
})

test('applied again, also over what an earlier version granted, nothing fails', async () => {
  await database.query(`alter table messages owner to ${prefix}_worker`)
  await database.query(`grant ${prefix}_worker to ${prefix}_cli`)
  const again = await run(url, 'database', 'roles', '--prefix', prefix, '--json')
  assert.equal(again.exitCode, 0, again.stderr)
  await denied('worker', 'alter table messages add column x int')
  await denied('cli', `set role ${prefix}_worker`)
})

test('the API accepts a message, and decides nothing that operators decide', async () => {
  const { broker, topology } = await createTestBroker()
  await database.query('update trust_rules set enabled = false')
  const api = await createTestServer({ database: pools.api, owner: database, broker, topology, cell: 'A1' })
  const body = { from: '0212345678', to: '01012345678', text: 'hello' }
  const answer = await api.call(await api.account(), 'POST', '/v1/send/sms', body)
  assert.match(JSON.stringify(answer), /A000/)
  await denied(
    'api',
    ...['select from operators', 'select from operator_keys', 'select from audit_log', anAct],
    ...['update audit_tail set seq = 0', 'delete from senders', 'create table more (id int)'],
    ...['drop table messages', `select drop_day('20310304', 'messages')`, 'delete from data_keys'],
    setNothing('trust_rules', 'enabled'),
    setNothing('token_keys', 'retired_at'),
    setNothing('data_keys', 'wrapped'),
    setNothing('accounts', 'blocked'),
    setNothing('credentials', 'hash'),
    setNothing('routes', 'options'),
    setNothing('number_ranges', 'carrier'),
    setNothing('account_trust', 'sandbox'),
    setNothing('account_protection', 'links'),
    setNothing('account_caps', 'max'),
    setNothing('account_advertising', 'advertiser'),
    setNothing('account_stops', 'ended_at'),
    setNothing('quiet_hours', 'choice'),
    setNothing('messages', 'recipient'),
  )
})

test('a worker creates and drops its days and months, and decides nothing that operators decide', async () => {
  await ensureDay(pools.worker, new Date('2031-03-04T00:00:00Z'))
  await ensureDay(pools.worker, new Date('2020-03-04T00:00:00Z'))
  await maintainPartitions(pools.worker, 30, new Date(), { confirmed: true })
  const left = await database.query(`select from pg_class where relname ~ '_20200304$'`)
  assert.equal(left.rowCount, 0)
  await maintainTraffic(pools.worker, 30, new Date())
  await maintainTraffic(pools.worker, 0, new Date())
  await pools.api.query(`select from messages where msg_key = '20310304'`)
  await pools.worker.query('select from audit_tail')
  await denied(
    'worker',
    ...[
      'select from token_keys',
      'select from operator_keys',
      'select from audit_log',
      'delete from senders',
    ],
    ...['create table more (id int)', 'alter table messages add column x int', 'drop table traffic_records'],
    'create function more() returns int language sql as $$ select 1 $$',
    'create trigger more before insert on messages for each row execute function suppress_redundant_updates_trigger()',
    setNothing('accounts', 'blocked'),
    setNothing('routes', 'enabled'),
    setNothing('account_caps', 'max'),
    setNothing('account_protection', 'links'),
    setNothing('credentials', 'ends_at'),
  )
})

test('the maintenance of a worker does all its work with its user', async () => {
  const accountId = await createAccount(database, 'maintained', { eraseAfterDays: 0 })
  await database.query(`update credentials set ends_at = now() - interval '1 day' where account_id = $1`, [
    accountId,
  ])
  await database.query(
    `insert into routes (id, channels, protocol, options) values ('clear', '{sms}', 'smpp', '{"password": "x"}')`,
  )
  const keyFile = join(await temporaryFolder(), 'key')
  writeFileSync(keyFile, '7'.repeat(64))
  const { log, lines } = createMemoryLog()
  const runtime = {
    config: { retentionDays: 30, trafficDays: 30, timeZone: 'Asia/Seoul', paymentCodes: 100 },
    ...{ database: pools.worker, metrics: testMetrics(), log },
    encryption: openEncryption({ masterKey: `file:${keyFile}` }),
  } as unknown as Runtime
  await runtime.encryption.prepare(pools.worker)
  const store = {} as FileStore
  await startMaintenance(runtime, { store, horizon: { read: () => Promise.resolve(null) } }).stop()
  assert.deepEqual(
    lines.filter((line) => line.includes('failed')),
    [],
  )
  const left = await database.query(
    `select from credentials where account_id = $1 and hash is not null union all
     select from routes where id = 'clear' and options ? 'password'`,
    [accountId],
  )
  assert.equal(left.rowCount, 0)
})

test('a function of the owner makes no other table than those of its days', async () => {
  for (const call of [
    `select ensure_day('20310304', array['accounts'])`,
    `select ensure_day('20310304); drop table accounts; --', array['messages'])`,
    `select drop_day('20310304', 'accounts')`,
    `select drop_traffic_month('default')`,
  ])
    await assert.rejects(pools.worker.query(call), /not partitioned by day|not a|invalid value/, call)
})

test('commands run with their role, and cannot change the audit log, operators or tables', async () => {
  const created = await run(urlOf('cli'), 'account', 'create', '--name', 'Shop', '--client-id', 'shop')
  assert.equal(created.exitCode, 0, created.stderr)
  assert.equal((await run(urlOf('cli'), 'audit', 'verify')).exitCode, 0)
  await denied(
    'cli',
    ...['update audit_log set reason = reason', 'delete from audit_log', 'truncate audit_log'],
    ...['update audit_tail set seq = 0', 'alter table audit_log disable trigger all', 'drop table accounts'],
    setNothing('operators', 'role'),
    'delete from operators',
    'delete from operator_keys',
    'select hash from operator_keys',
    'create table more (id int)',
  )
  const refused = await run(urlOf('cli'), 'operator', 'recover', 'kim', '--reason', 'x')
  assert.match(refused.stderr, /only the owner of the tables/)
})

test('a row of the log names the database user that wrote it, whatever the writer says', async () => {
  await pools.cli.query(anAct.replace('details)', 'details, database_user)').replace(`'{}')`, `'{}', 'kim')`))
  const [row] = await listAudit(database, { limit: 1 })
  assert.equal(row!.databaseUser, `${prefix}_cli`)
  assert.equal((await verifyAudit(database, [])).broken, null)
})

test('a temporary table in place of the tail neither forges a row nor runs as the owner', async () => {
  const client = await pools.cli.connect()
  try {
    await client.query(`create temp table audit_tail (only_row boolean, seq bigint, hash bytea);
      insert into pg_temp.audit_tail values (true, 1000000, '\\x00');
      grant all on pg_temp.audit_tail to public`)
    const before = (await readTail(database)).seq
    await appendAudit(client, testAct(), { action: 'x', result: 'done', target: 'x' })
    assert.equal((await readTail(database)).seq, before + 1)
  } finally {
    client.release(true)
  }
})

test('a function in the schema of the tables is not called in place of one of PostgreSQL', async () => {
  // Its second parameter fits a literal better than that of pg_catalog.convert_to.
  await database.query(
    `create function convert_to(text, text) returns bytea language sql as $$ select '\\x00'::bytea $$`,
  )
  await appendAudit(pools.cli, testAct(), { action: 'x', result: 'done', target: 'x' })
  await database.query('drop function convert_to(text, text)')
  assert.equal((await verifyAudit(database, [])).broken, null)
})

test('where operators exist, the database demands the key of an admin to change them', async () => {
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
  ])
    await assert.rejects(
      pools.cli.query(statement),
      /with the key of an admin|made by its operator|permission denied/,
      statement,
    )
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

test('a viewer reads what is not about persons and holds no secret', async () => {
  await database.query('delete from operator_keys; delete from operators')
  for (const command of [
    ...['account list', 'account show shop', 'account key list shop', 'account stops shop', 'trust list'],
    ...['route list', 'route templates list', 'worker list', 'token-key list', 'ledger', 'held list'],
  ]) {
    const output = await run(urlOf('viewer'), ...command.split(' '))
    assert.equal(output.exitCode, 0, `${command}: ${output.stderr}`)
  }
  await denied(
    'viewer',
    ...['select from messages', 'select from attempts', 'select from reports', 'select from parked', anAct],
    ...['select password_hash from accounts', 'select hash from credentials', 'select options from routes'],
    ...[
      'select from webhooks',
      'select from senders',
      'select from data_keys',
      'select salt from token_keys',
    ],
    ...['select safe_numbers from account_protection', setNothing('accounts', 'blocked')],
  )
  const refused = await run(urlOf('viewer'), 'account', 'revoke-tokens', 'shop')
  assert.match(refused.stderr, /the database user of this command may not do this/)
})

test('an auditor reads the log and nothing else, also where operators exist', async () => {
  await appendAudit(database, testAct(), { action: 'x', result: 'done', target: 'x' })
  await database.query(`insert into operators (name, role, created_by) values ('kim', 'admin', 'x')`)
  assert.ok((await readTail(pools.auditor)).seq > 0)
  for (const command of ['verify', 'list', 'checkpoint']) {
    const output = await run(urlOf('auditor'), 'audit', command)
    assert.equal(output.exitCode, 0, output.stderr)
  }
  assert.match((await run(urlOf('cli'), 'audit', 'verify')).stderr, /has operators/)
  await denied(
    'auditor',
    ...['select from accounts', 'select from messages', 'select from operator_keys', 'delete from audit_log'],
    anAct,
  )
})
