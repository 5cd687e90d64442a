/**
 * Database roles of processes: each process can work with its own user, and cannot make decisions of
 * operators.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  forgedAuditRow,
  openRolePools,
  createNoOpUpdate,
} from '../../../test/support/engines/use-database-users.ts'
import { temporaryFolder } from '../../../test/support/files/test-bed.ts'
import { acceptedJob, createAccount, recordOne } from '../../../test/support/fixtures.ts'
import { joinMembers } from '../../../test/support/membership.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import { createMemoryLog } from '../../../test/support/memory-log.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { grantStatements } from '../../identity/operators/database-grants.ts'
import { functionRights, tableRights } from '../../identity/operators/table-rights.ts'
import { toKeyDay, ensureDay, maintainPartitions } from '../../records/partitions.ts'
import { maintainTraffic, toMonthPrefix } from '../../records/traffic/months.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  beat,
  claimExactly,
  removeMember,
  retireMembers,
  type MemberRow,
  type OwnedKind,
} from '../../platform/membership/tables.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { incrementSuppressionVersion } from '../../trust/versions.ts'
import { checkDatabaseUser } from '../../roles/check-database-user.ts'
import { startMaintenance } from '../../roles/maintenance.ts'
import type { RoleName } from '../../roles/role.ts'
import type { Runtime } from '../../roles/runtime.ts'
import type { FileStore } from '../../records/files/storage/store.ts'
import { findGrantTargets } from '../grant-roles.ts'

const { url, database } = await createTestDatabase()
const { prefix, pools, denied } = await openRolePools(url)
const none = { POSTERN_BROKER_URLS: '', POSTERN_TOKEN_SECRET: '' }
const run = (as: string, ...args: string[]) => runCommand({ ...none, POSTERN_DATABASE_URL: as }, ...args)

test('the rights on every table and owner function are listed', async () => {
  const { tables, functions } = await findGrantTargets(database)
  const partitions = await database.query<{ name: string }>(
    'select relname as name from pg_class where relispartition',
  )
  const isPartition = new Set(partitions.rows.map(({ name }) => name))
  const names = tables.map(({ name }) => name)
  const missing = names.filter((name) => !isPartition.has(name) && tableRights[name] === undefined)
  assert.deepEqual(missing, [], 'add them to gateway/src/identity/operators/table-rights.ts')
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

test('the grants can be repeated', async () => {
  const again = await run(url, 'database', 'roles', '--prefix', prefix, '--json')
  assert.equal(again.exitCode, 0, again.stderr)
  await denied('worker', 'alter table messages add column x int')
  await denied('cli', `set role ${prefix}_worker`)
})

test('a user without the right to grant roles applies existing memberships', async () => {
  const statements = grantStatements({ prefix, ...(await findGrantTargets(database)) })
  await pools.auditor.query(statements.find((statement) => statement.includes(`grant "${prefix}_cli"`))!)
})

test('a migration enables logins with a password and revokes nothing', async () => {
  await database.query(`grant delete on messages to ${prefix}_viewer`)
  const logins = ['--logins', 'api=env:API_PASSWORD,viewer=env:API_PASSWORD']
  const given = { ...none, POSTERN_DATABASE_URL: url, API_PASSWORD: "it's" }
  const output = await runCommand(given, 'migrate', '--roles', prefix, ...logins)
  assert.equal(output.exitCode, 0, output.stderr)
  const { rows } = await database.query<{ secret: string | null; kept: boolean }>(
    `select rolpassword as secret, has_table_privilege($1, 'messages', 'delete') as kept
       from pg_authid where rolname = $1 and rolcanlogin`,
    [`${prefix}_viewer`],
  )
  assert.match(rows[0]!.secret!, /^SCRAM-SHA-256/)
  assert.equal(rows[0]!.kept, true)
})

test('a process starts only with a database user of its role', async () => {
  const config = { privilegedDatabaseUser: 'refuse' }
  const start = (user: Database, role: RoleName) =>
    checkDatabaseUser({ config, database: user, log: silentLog }, role)
  for (const role of ['api', 'worker', 'admin'] as const) await start(pools[role], role)
  await start(pools.admin, 'all')
  for (const user of [pools.cli, pools.admin])
    for (const [role, right] of [
      ['api', 'postern_api'],
      ['smpp-server', 'postern_api'],
      ['worker', 'postern_worker'],
    ] as const)
      await assert.rejects(start(user, role), {
        name: 'ConfigError',
        message: new RegExp(`is for commands or the admin API.* a user of ${right}, or`),
      })
  await assert.rejects(start(database, 'admin'), /is a superuser or owns the tables/)
  await database.query(`alter table migrations owner to ${prefix}_auditor`)
  await assert.rejects(start(pools.auditor, 'admin'), /is a superuser or owns the tables/)
  await database.query('alter table migrations owner to current_user')
})

test('the API role accepts a message but makes no operator decisions', async () => {
  const { broker, topology } = await createTestBroker()
  await database.query('update trust_rules set enabled = false')
  const api = await createTestServer({ database: pools.api, owner: database, broker, topology, cell: 'A1' })
  const body = { from: '0212345678', to: '01012345678', text: 'hello' }
  const answer = await api.call(await api.account(), 'POST', '/v1/send/sms', body)
  assert.match(JSON.stringify(answer), /A000/)
  await denied(
    'api',
    ...['select from operators', 'select from operator_keys', 'select from audit_log', forgedAuditRow],
    ...['update audit_tail set seq = 0', 'delete from senders', 'create table more (id int)'],
    ...['drop table messages', `select drop_day('20310304', 'messages')`, 'delete from data_keys'],
    createNoOpUpdate('trust_rules', 'enabled'),
    createNoOpUpdate('token_keys', 'retired_at'),
    createNoOpUpdate('data_keys', 'wrapped'),
    createNoOpUpdate('accounts', 'blocked'),
    createNoOpUpdate('credentials', 'hash'),
    createNoOpUpdate('routes', 'options'),
    createNoOpUpdate('number_ranges', 'carrier'),
    createNoOpUpdate('account_trust', 'sandbox'),
    createNoOpUpdate('account_protection', 'links'),
    createNoOpUpdate('account_caps', 'max'),
    createNoOpUpdate('account_advertising', 'advertiser'),
    createNoOpUpdate('account_stops', 'ended_at'),
    createNoOpUpdate('quiet_hours', 'choice'),
    createNoOpUpdate('messages', 'recipient'),
    `update trust_versions set version = 1 where topic = 'stops'`,
  )
})

test('the API role owns SMPP server deliveries, but nothing of workers', async () => {
  const member = (id: string, role: string, takes: OwnedKind[]): MemberRow => ({
    id,
    role,
    host: 'host:1',
    takes,
    clockAgrees: true,
    oldestReceiptAt: null,
  })
  await beat(pools.worker, member('worker', 'worker', ['partition', 'webhook', 'duty']))
  for (const kind of ['partition', 'webhook', 'duty'] as const)
    await claimExactly(pools.worker, 'worker', kind, ['1'])
  const { peers } = await beat(pools.api, member('server', 'smpp-server', ['delivery']))
  assert.ok(peers.some(({ id }) => id === 'worker'))
  assert.equal((await claimExactly(pools.api, 'server', 'delivery', ['1'])).length, 1)

  const before = await database.query('select m.*, o.* from members m join owned o on o.member = m.id')
  await retireMembers(pools.api, ['worker'])
  await removeMember(pools.api, 'worker')
  await pools.api.query(`update owned set epoch = epoch + 1 where kind <> 'delivery'`)
  assert.deepEqual(
    (await database.query('select m.*, o.* from members m join owned o on o.member = m.id')).rows,
    before.rows,
  )
  const denials = [
    () => beat(pools.api, member('worker', 'worker', [])),
    () => beat(pools.api, member('forged', 'worker', [])),
    () => beat(pools.api, member('server', 'smpp-server', ['partition'])),
    () => claimExactly(pools.api, 'server', 'partition', ['2']),
    () => claimExactly(pools.api, 'server', 'duty', ['2']),
    () => pools.api.query(`update owned set kind = 'webhook' where member = 'server'`),
  ]
  for (const attempt of denials) await assert.rejects(attempt, { code: '42501' })
  await removeMember(pools.api, 'server')
})

test('opt-outs change the version that caches compare, with the users of processes', async () => {
  const version = `select version::int from trust_versions where topic = 'suppression'`
  const { rows } = await database.query<{ version: number }>(version)
  await incrementSuppressionVersion(pools.api)
  assert.equal(await incrementSuppressionVersion(pools.worker), String(rows[0]!.version + 2))
})

test('the worker role creates and drops days and months, but makes no operator decisions', async () => {
  await ensureDay(pools.worker, new Date('2031-03-04T00:00:00Z'))
  await ensureDay(pools.worker, new Date('2020-03-04T00:00:00Z'))
  await maintainPartitions(pools.worker, 30, new Date(), { confirmed: true })
  const left = await database.query(`select from pg_class where relname ~ '_20200304$'`)
  assert.equal(left.rowCount, 0)
  await maintainTraffic(pools.worker, 30, new Date())
  await maintainTraffic(pools.worker, 0, new Date())
  await pools.api.query(`select from messages where msg_key = '20310304'`)
  await pools.worker.query('select from audit_log, audit_tail')
  await denied(
    'worker',
    ...[
      'select from token_keys',
      'select from operator_keys',
      'insert into audit_log default values',
      'delete from senders',
    ],
    ...['create table more (id int)', 'alter table messages add column x int', 'drop table traffic_records'],
    'create function more() returns int language sql as $$ select 1 $$',
    'create trigger more before insert on messages for each row execute function suppress_redundant_updates_trigger()',
    createNoOpUpdate('accounts', 'blocked'),
    createNoOpUpdate('routes', 'enabled'),
    createNoOpUpdate('account_caps', 'max'),
    createNoOpUpdate('account_protection', 'links'),
    createNoOpUpdate('credentials', 'ends_at'),
    createNoOpUpdate('credentials', 'hash'),
    'select hash from credentials',
    createNoOpUpdate('credentials_version', 'version'),
    createNoOpUpdate('trust_versions', 'mark'),
  )
})

test('the maintenance of a worker needs only its own user', async () => {
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
    database: pools.worker,
    metrics: testMetrics(),
    log,
    encryption: openEncryption({ masterKey: `file:${keyFile}` }),
  } as unknown as Runtime
  await runtime.encryption.wrapFirstKeys(database)
  await runtime.encryption.prepare(pools.worker)
  const store = {} as FileStore
  const membership = joinMembers(pools.worker)
  await startMaintenance(runtime, membership, {
    store,
    horizon: { read: () => Promise.resolve(null) },
  }).stop()
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

test('only the owner drops a current day or month, or a day with an open message', async () => {
  const open = new Date(Date.now() - 35 * 86_400_000)
  await ensureDay(database, open)
  await recordOne(database, { msgKey: acceptedJob().msgKey.replace(/^.{8}/, toKeyDay(open)) })
  for (const day of [toKeyDay(new Date()), toKeyDay(new Date(), -1), toKeyDay(new Date(), 1), toKeyDay(open)])
    for (const role of ['worker', 'cli'] as const)
      await assert.rejects(pools[role].query(`select drop_day('${day}', 'messages')`), /not past/, day)
  const month = toMonthPrefix(new Date(), 0)
  await assert.rejects(pools.worker.query(`select drop_traffic_month('${month}')`), /not past/)
  await database.query('delete from in_flight where msg_key like $1', [`${toKeyDay(open)}%`])
  await pools.worker.query(`select drop_day('${toKeyDay(open)}', 'messages')`)
})

test('an owner function creates only tables of its days', async () => {
  for (const call of [
    `select ensure_day('20310304', array['accounts'])`,
    `select ensure_day('20310304); drop table accounts; --', array['messages'])`,
    `select drop_day('20310304', 'accounts')`,
    `select drop_traffic_month('default')`,
  ])
    await assert.rejects(pools.worker.query(call), /not partitioned by day|not a|invalid value/, call)
})
