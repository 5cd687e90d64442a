/** Database roles: each can do its work with its own user, and cannot do what it has no business with. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { testAct } from '../../../test/support/act.ts'
import { createTestBroker } from '../../../test/support/broker.ts'
import { atEnd } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createTestServer } from '../../../test/support/server.ts'
import { quietLog } from '../../../test/support/silent-log.ts'
import { appendAudit, readTail } from '../../audit/queries.ts'
import { databaseRoles, type DatabaseRole } from '../../operators/database-grants.ts'
import { openDatabase, type Database } from '../../platform/database.ts'
import { ensureDay } from '../../records/partitions.ts'

const { url, database } = await createTestDatabase()
const prefix = `test_${randomBytes(5).toString('hex')}`
const none = { POSTERN_BROKER_URLS: '', POSTERN_TOKEN_SECRET: '' }
const run = (as: string, ...args: string[]) => runCommand({ ...none, POSTERN_DATABASE_URL: as }, ...args)

const applied = await run(url, 'database', 'roles', '--prefix', prefix, '--json')
assert.equal(applied.exitCode, 0, applied.stderr)

function urlOf(role: DatabaseRole): string {
  const own = new URL(url)
  own.username = `${prefix}_${role}`
  return own.href
}

const pools = {} as Record<DatabaseRole, Database>
for (const role of databaseRoles) {
  await database.query(`alter role ${prefix}_${role} login`)
  pools[role] = openDatabase(urlOf(role), quietLog, { connections: 4 })
}

atEnd(async () => {
  for (const pool of Object.values(pools)) await pool.end()
  const names = databaseRoles.map((role) => `${prefix}_${role}`).join(', ')
  await database.query(`reassign owned by ${names} to current_user`)
  await database.query(`drop owned by ${names}`)
  await database.query(`drop role ${names}`)
})

const denied = /permission denied/

test('applied again, nothing fails', async () => {
  const again = await run(url, 'database', 'roles', '--prefix', prefix)
  assert.equal(again.exitCode, 0, again.stderr)
})

test('the API accepts a message with its role, and sees neither operators nor the audit log', async () => {
  const { broker, topology } = await createTestBroker()
  await database.query('update trust_rules set enabled = false')
  const api = await createTestServer({ database: pools.api, broker, topology, cell: 'A1' })
  const body = { from: '0212345678', to: '01012345678', text: 'hello' }
  const answer = await api.call(await api.account(), 'POST', '/v1/send/sms', body)
  assert.match(JSON.stringify(answer), /A000/)
  for (const statement of [
    'select from operators',
    'select from operator_keys',
    'select from audit_log',
    `insert into audit_log (actor, role, source, request_id, action, result, target, reason, details)
     values ('x', 'x', 'x', 'x', 'x', 'done', 'x', 'x', '{}')`,
    'update audit_tail set seq = 0',
    'delete from senders',
    'update trust_rules set enabled = false',
    'update token_keys set retired_at = now()',
    'create table more (id int)',
    'drop table messages',
  ])
    await assert.rejects(pools.api.query(statement), /permission denied|must be owner/, statement)
})

test('a worker creates its days, and reads neither token keys nor operators', async () => {
  await ensureDay(pools.worker, new Date('2031-03-04T00:00:00Z'))
  await pools.api.query(`select from messages where msg_key = '20310304'`)
  await pools.worker.query('select from audit_tail')
  for (const statement of [
    'select from token_keys',
    'select from operator_keys',
    'select from audit_log',
    'delete from senders',
  ])
    await assert.rejects(pools.worker.query(statement), denied, statement)
})

test('commands run with their role, and cannot change the audit log or the tables', async () => {
  const created = await run(urlOf('cli'), 'account', 'create', '--name', 'Shop', '--client-id', 'shop')
  assert.equal(created.exitCode, 0, created.stderr)
  assert.equal((await run(urlOf('cli'), 'audit', 'verify')).exitCode, 0)
  for (const statement of [
    'update audit_log set reason = reason',
    'delete from audit_log',
    'truncate audit_log',
    'update audit_tail set seq = 0',
    'alter table audit_log disable trigger all',
    'drop table accounts',
  ])
    await assert.rejects(pools.cli.query(statement), /permission denied|must be owner/, statement)
  const refused = await run(urlOf('cli'), 'operator', 'recover', 'kim', '--reason', 'x')
  assert.match(refused.stderr, /only the owner of the tables/)
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

test('an auditor reads the log and nothing else', async () => {
  await appendAudit(database, testAct(), { action: 'x', result: 'done', target: 'x' })
  assert.ok((await readTail(pools.auditor)).seq > 0)
  const verified = await run(urlOf('auditor'), 'audit', 'verify')
  assert.equal(verified.exitCode, 0, verified.stderr)
  for (const statement of [
    'select from accounts',
    'select from messages',
    'select from operator_keys',
    'delete from audit_log',
  ])
    await assert.rejects(pools.auditor.query(statement), denied, statement)
})
