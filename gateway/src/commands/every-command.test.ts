/**
 * Over all commands of the program: each one that changes something leaves a row in the audit log, each one that only reads
 * cannot write, none needs a setting that its definition does not name, and the database user of commands is enough for it. A new
 * command must be added to the list.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from 'commander'
import { createTestBroker } from '../../test/support/broker.ts'
import { atEnd } from '../../test/support/cleanup.ts'
import { runCommand } from '../../test/support/command.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { useDatabaseUsers } from '../../test/support/use-database-users.ts'
import { acceptedJob, inAnHour, recordJobs } from '../../test/support/fixtures.ts'
import { serviceUrl } from '../../test/support/services.ts'
import { findAccountId } from '../accounts/queries.ts'
import { readAuditAfter, readTail } from '../audit/queries.ts'
import { verifyAudit } from '../audit/verify.ts'
import { ConfigSchema } from '../platform/config-schema.ts'
import { environmentName } from '../platform/setting-name.ts'
import { saveParked } from '../records/parked/queries.ts'
import { holdSteps } from '../records/waiting/write-waiting.ts'
import { accessOf } from './define.ts'
import { createProgram } from './program.ts'

const { url: ownerUrl, database } = await createTestDatabase()
const { urlOf } = await useDatabaseUsers(ownerUrl)
const { topology } = await createTestBroker()
const folder = mkdtempSync(join(tmpdir(), 'postern-commands-'))
atEnd(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

/** Nothing of the machine's own: no broker, no token secret. */
const none = Object.fromEntries(Object.keys(ConfigSchema.properties).map((key) => [environmentName(key), '']))
const environment = { ...none, POSTERN_DATABASE_URL: urlOf('cli') }
const broker = {
  POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
  POSTERN_QUEUE_PREFIX: topology.parked.name.replace(/parked$/, ''),
}
const masterKey = { POSTERN_MASTER_KEY: `file:${file('master-key', '7'.repeat(64))}` }

interface Run {
  readonly path: string
  readonly args: readonly string[] | (() => readonly string[] | Promise<readonly string[]>)
  /** What the command needs besides the database; empty for most. */
  readonly settings?: Readonly<Record<string, string>>
  /** This run changes nothing, so that it leaves no row. */
  readonly unchanged?: true
  /** It may fail after it was recorded. */
  readonly exitCode?: number
}

const kept: Record<string, string> = {}
const because = ['--reason', 'because']
const run = (path: string, ...args: string[]): Run => ({ path, args })

/** In this order: later ones use what earlier ones made. */
const runs: readonly Run[] = [
  { ...run('migrate'), settings: { POSTERN_DATABASE_URL: ownerUrl }, unchanged: true },
  run('account create', '--name', 'Shop', '--client-id', 'shop'),
  run('account set', 'shop', '--weight', '2'),
  run('account list'),
  run('account show', 'shop'),
  run('account key add', 'shop', '--name', 'main'),
  run('account key list', 'shop'),
  { path: 'account key rotate', args: () => ['shop', kept['account key add']!] },
  { path: 'account key revoke', args: () => ['shop', kept['account key rotate']!] },
  run('account password', 'shop'),
  run('account block', 'shop', '--no-wait', ...because),
  run('account unblock', 'shop', ...because),
  run('account stops', 'shop'),
  run('account revoke-tokens', 'shop'),
  { ...run('account delete-files', 'shop', ...because), settings: { POSTERN_FILE_FOLDER: folder } },
  run('account erase-recipient', 'shop', '01012345678', ...because),
  run('sender add', 'shop', '0212345678'),
  run('sender approve', 'shop', '0212345678', '--proof-kind', 'operator', '--proof', 'known'),
  run('sender reject', 'shop', '0212345678', ...because),
  run('sender block', 'shop', '0212345678', ...because),
  run('sender list'),
  run('sender show', 'shop', '0212345678'),
  run('sender import', file('senders.csv', 'clientId,kind,value\nshop,number,0212345679\n')),
  run('protection show', 'shop'),
  run('protection set', 'shop', '--countries', 'DE', ...because),
  run('protection cap', 'shop', '--day', '10', ...because),
  run('held list'),
  run('held release', '20261116004512345A17QKX2M8R4ZT0V', ...because),
  run('held refuse', '20261116004512345A17QKX2M8R4ZT0V', ...because),
  run('message find', 'shop', '01012345678', ...because),
  run('traffic find', '01012345678', ...because),
  run('suppression add', '01012345678', '--account', 'shop', ...because),
  run('suppression show', '01012345678', '--account', 'shop', ...because),
  run('suppression remove', '01012345678', '--account', 'shop', ...because),
  run('suppression import', file('opt-outs.txt', '01012345678\n'), ...because),
  run('trust list'),
  run('trust enable', 'sender-number-shape', ...because),
  run('trust disable', 'sender-number-shape', ...because),
  run('trust account', 'shop', '--sandbox', ...because),
  run('trust advertising', 'shop', '--names', 'Shop', ...because),
  run('trust quiet-hours', '--night', 'hold', ...because),
  run('suppression add', '01012345678', '--account', 'shop', '--reason', 'test'),
  run('suppression show', '01012345678', '--account', 'shop', '--reason', 'test'),
  run('suppression remove', '01012345678', '--account', 'shop', '--reason', 'test'),
  run('suppression import', file('opt-outs.txt', '01012345678\n'), '--reason', 'test'),
  run('route put', 'r', '--protocol', 'sandbox', '--channels', 'sms'),
  run('route list'),
  run('route show', 'r'),
  run('route explain', '--account', 'shop', '--channel', 'sms', '--to', '01012345678'),
  run('route pause', 'r'),
  run('route drain', 'r'),
  run('route rate', 'r', '5'),
  run('route disable', 'r'),
  run('route enable', 'r'),
  run('route ranges import', file('ranges.csv', '0102,10001\n')),
  run('route ranges clear'),
  run('route templates put', 'UBR.x', '--kind', 'Cell'),
  run('route templates list'),
  run('route templates delete', 'UBR.x'),
  run('route preview', 'r', 'delete'),
  run('route delete', 'r', ...because),
  {
    path: 'route put',
    args: ['h', '--protocol', 'omni', '--channels', 'sms', '--options', omniOptions()],
  },
  {
    path: 'route try',
    args: ['h', '--to', '01012345678', '--text', 'x', '--send'],
    exitCode: 1,
  },
  { path: 'message cancel', args: async () => [await schedule(), ...because] },
  { path: 'message show', args: async () => [await park(), '--reveal', ...because] },
  { path: 'parked list', args: [], settings: broker },
  { path: 'parked show', args: () => [kept.parked!, '--reveal', ...because] },
  { path: 'parked retry', args: () => [kept.parked!], settings: broker },
  {
    path: 'parked drop-group',
    args: async () => [...['--last-id', await park().then(() => kept.parked!)], ...because],
    settings: broker,
  },
  {
    path: 'parked drop',
    args: async () => [await park().then(() => kept.parked!), ...because],
    settings: broker,
  },
  run('usage', 'shop'),
  run('ledger check'),
  run('ledger acknowledge'),
  run('webhook add', 'shop', '--url', 'https://shop.invalid/reports'),
  run('webhook list'),
  { path: 'webhook show', args: () => [kept['webhook add']!] },
  { path: 'webhook set', args: () => [kept['webhook add']!, '--per-second', '5'] },
  { path: 'webhook rotate', args: () => [kept['webhook add']!] },
  { path: 'webhook deliveries', args: () => [kept['webhook add']!] },
  { path: 'webhook test', args: () => [kept['webhook add']!], exitCode: 1 },
  { path: 'webhook replay', args: () => [kept['webhook add']!, '--all-since', new Date().toISOString()] },
  { path: 'webhook remove', args: () => [kept['webhook add']!] },
  run('secrets status'),
  { ...run('secrets rekey'), settings: masterKey },
  run('token-key rotate'),
  run('token-key list'),
  run('worker list'),
  run('drop-past-days'),
  run('cell map'),
  run('operator list'),
  run('audit list'),
  run('audit show', '1'),
  run('audit verify'),
  run('audit checkpoint'),
  run('audit export', join(folder, 'audit.jsonl'), ...because),
  // Last: from here on commands need a key.
  run('operator add', 'kim', '--role', 'admin'),
]

/** `database roles` makes roles of the whole server: database/roles.test.ts. The others need keys: operator/operators.test.ts. */
const elsewhere = [
  ...['database roles', 'operator role', 'operator disable', 'operator enable', 'operator recover'],
  ...['operator key add', 'operator key rotate', 'operator key revoke'],
  ...['operator password', 'operator totp reset'],
]

function omniOptions(): string {
  return JSON.stringify({ url: 'http://127.0.0.1:1', clientId: 'x', password: 'x' })
}

async function park(): Promise<string> {
  const job = acceptedJob({ accountId: (await findAccountId(database, 'shop'))! })
  const payload = Buffer.from(JSON.stringify(job))
  await saveParked(database, [{ stage: 'unreadable', msgKey: job.msgKey, reason: 'x', payload }])
  const found = await database.query<{ id: string }>('select max(id)::text as id from parked')
  kept.parked = found.rows[0]!.id
  return job.msgKey
}

async function schedule(): Promise<string> {
  const job = acceptedJob({ accountId: (await findAccountId(database, 'shop'))! })
  const [key] = await recordJobs(database, [job])
  await holdSteps(database, [
    {
      ...{ ...key!, accountId: job.accountId, routeId: '', lane: 'normal', parts: 1, tries: 0 },
      ...{ releaseAt: inAnHour(), reason: 'scheduled' },
    },
  ])
  return job.msgKey
}

const commands = new Map(leavesOf(createProgram({ out: () => undefined, err: () => undefined }), []))

function leavesOf(command: Command, path: readonly string[]): [string, Command][] {
  const own: [string, Command][] = accessOf(command) === undefined ? [] : [[path.join(' '), command]]
  return [...own, ...command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]))]
}

test('every command is in the list', () => {
  const listed = new Set([...runs.map(({ path }) => path), ...elsewhere])
  assert.deepEqual(
    [...commands.keys()].filter((path) => !listed.has(path)),
    [],
  )
  assert.deepEqual(
    [...listed].filter((path) => !commands.has(path)),
    [],
  )
})

test('what stops, erases, shows persons or changes rules demands a reason', () => {
  const free = [...commands].filter(([, command]) => accessOf(command)!.reason === 'optional')
  const demanded = [
    ...['account block', 'account unblock', 'account delete-files', 'account erase-recipient'],
    ...['sender reject', 'sender block', 'protection set', 'protection cap', 'trust enable', 'trust disable'],
    ...['held release', 'held refuse', 'parked drop', 'message find', 'message cancel', 'traffic find'],
    ...['operator role', 'operator disable', 'operator enable', 'operator key revoke', 'operator recover'],
    'operator totp reset',
  ]
  assert.deepEqual(
    free.map(([path]) => path).filter((path) => demanded.includes(path)),
    [],
  )
})

for (const { path, args, settings = {}, unchanged, exitCode = 0 } of runs) {
  const { kind } = accessOf(commands.get(path)!)!
  const given = (): readonly string[] | Promise<readonly string[]> =>
    typeof args === 'function' ? args() : args
  test(`${path} ${kind === 'read' ? 'only reads' : `leaves a row: ${kind}`}`, async () => {
    const all = await given()
    const before = await readTail(database)
    const options = kind === 'read' ? [] : ['--by', 'kim']
    const output = await runCommand(
      { ...environment, ...settings },
      ...path.split(' '),
      ...all,
      ...options,
      '--json',
    )
    assert.equal(output.exitCode, exitCode, output.stderr)
    const printed = JSON.parse(output.stdout) as Record<string, string> & { webhook?: { id: string } }
    kept[path] = printed.keyId ?? printed.webhook?.id ?? ''
    const rows = await readAuditAfter(database, before.seq, 10)
    const expected = kind === 'read' || unchanged === true || (kind === 'look' && !all.includes('--reason'))
    assert.equal(rows.length === 0, expected, JSON.stringify(rows))
    for (const row of rows) {
      assert.deepEqual([row.action, row.actor], [path, 'kim'])
      assert.ok(!JSON.stringify(row).includes('01012345678'), 'a whole number of a recipient')
      for (const secret of [printed.key, printed.password, printed.secret])
        assert.ok(secret === undefined || !JSON.stringify(row).includes(secret), 'a secret')
    }
  })
}

test('the log of all of them is whole', async () => {
  assert.equal((await verifyAudit(database, [])).broken, null)
})

test('a command that states that it reads cannot write', async () => {
  const { createInvocation } = await import('./invocation.ts')
  const { reads, withoutOperator } = await import('./access.ts')
  const { withDatabase } = await import('./connect.ts')
  const before = process.env.POSTERN_DATABASE_URL
  process.env.POSTERN_DATABASE_URL = ownerUrl
  try {
    const invocation = createInvocation('x', withoutOperator(reads()), {}, [])
    await assert.rejects(
      withDatabase(invocation, (pool) => pool.query('update accounts set blocked = true')),
      /read-only transaction/,
    )
  } finally {
    process.env.POSTERN_DATABASE_URL = before
  }
})
