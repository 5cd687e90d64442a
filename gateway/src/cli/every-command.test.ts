/**
 * Runs every command, except those in `elsewhere`, over both transports with equal databases: the output, the exit
 * code and the audit rows are the same. Each command that changes something leaves a row in the audit log, a read
 * command cannot write, none needs a setting that its definition does not name, and the database user of commands is
 * sufficient. A new command must be added to the list.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from 'commander'
import { insertBatch } from '../../test/support/batches.ts'
import { createTestAdmin } from '../../test/support/http/admin.ts'
import { declareEveryPartition } from '../../test/support/http/both-ways.ts'
import { addCleanup } from '../../test/support/cleanup.ts'
import { runCommand, type CapturedOutput } from '../../test/support/command.ts'
import { acceptedJob, inAnHour, recordJobs } from '../../test/support/fixtures.ts'
import { serviceUrl } from '../../test/support/engines/services.ts'
import { createTestDatabase } from '../../test/support/engines/database.ts'
import { useDatabaseUsers } from '../../test/support/engines/use-database-users.ts'
import { findAccountId } from '../identity/accounts/queries.ts'
import { readAuditAfter, readTail } from '../identity/audit/queries.ts'
import { verifyAudit } from '../identity/audit/verify.ts'
import { ConfigSchema } from '../platform/settings/config-schema.ts'
import type { Database } from '../platform/database/database.ts'
import { environmentName } from '../platform/settings/setting-name.ts'
import type { BatchState } from '../records/batches/transitions.ts'
import { saveParked } from '../records/parked/queries.ts'
import { holdSteps } from '../records/waiting/write-waiting.ts'
import { getAccess, getDatabaseOnlyReason } from './define.ts'
import { createProgram } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'postern-commands-'))
addCleanup(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

/** No settings of the host: no broker, no token secret. */
const none = Object.fromEntries(Object.keys(ConfigSchema.properties).map((key) => [environmentName(key), '']))

/** An installation with one operator of each role, whose commands run over one transport with the key of the admin. */
interface Bed {
  readonly name: string
  readonly database: Database
  readonly ownerUrl: string
  readonly queuePrefix: string
  readonly run: (run: Run, ...form: string[]) => Promise<CapturedOutput>
}

type Settings = Readonly<Record<string, string>>

async function createBed(name: string, transport: 'database' | 'http'): Promise<Bed> {
  const admin = await createTestAdmin()
  const { urlOf } = await useDatabaseUsers(admin.url)
  const address = await admin.server.listen({ host: '127.0.0.1', port: 0 })
  const bed: Bed = {
    name,
    database: admin.database,
    ownerUrl: admin.url,
    queuePrefix: await declareEveryPartition(admin),
    run: async ({ path, args, settings = () => ({}) }, ...form) => {
      const isRemote = transport === 'http' && getDatabaseOnlyReason(commands.get(path)!) === null
      const way = isRemote
        ? { POSTERN_ADMIN_URL: address }
        : { POSTERN_DATABASE_URL: urlOf('cli'), ...settings(bed) }
      const given = typeof args === 'function' ? await args(bed) : args
      const environment = { ...none, POSTERN_OPERATOR_KEY: admin.keys.admin, ...way }
      return runCommand(environment, ...path.split(' '), ...given, ...form)
    },
  }
  return bed
}

interface Run {
  readonly path: string
  readonly args: readonly string[] | ((bed: Bed) => Promise<readonly string[]>)
  /** The settings that the command needs on the database in addition to its address. */
  readonly settings?: (bed: Bed) => Settings
  /** This run changes nothing, so it leaves no row. */
  readonly unchanged?: true
  readonly exitCode?: number
}

const because = ['--reason', 'because']
const run = (path: string, ...args: string[]): Run => ({ path, args })
/** A command that is refused and changes nothing. */
const refused = (exitCode: number, path: string, ...args: string[]): Run => ({
  path,
  args,
  exitCode,
  unchanged: true,
})
const withBroker = ({ queuePrefix }: Bed): Settings => ({
  POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
  POSTERN_QUEUE_PREFIX: queuePrefix,
})
const masterKey = { POSTERN_MASTER_KEY: `file:${file('master-key', '7'.repeat(64))}` }
const last = async ({ database }: Bed, column: string, table: string): Promise<string> => {
  const found = await database.query<{ id: string }>(
    `select ${column}::text as id from ${table} order by created_at desc limit 1`,
  )
  return found.rows[0]!.id
}
const ofKey =
  (...before: string[]) =>
  async (bed: Bed) => [...before, await last(bed, 'key_id', 'credentials')]
const ofWebhook =
  (...after: string[]) =>
  async (bed: Bed) => [await last(bed, 'id', 'webhooks'), ...after]
const ofBatch =
  (state: BatchState, ...after: string[]) =>
  async ({ database }: Bed) => {
    const { batchKey } = await insertBatch(database, (await findAccountId(database, 'shop'))!, { state })
    return [batchKey, ...after]
  }
const ofParked =
  (...after: string[]) =>
  async (bed: Bed) => [(await park(bed)).id, ...after]

/** Runs in this order: later ones use objects of earlier ones. */
const runs: readonly Run[] = [
  { ...run('migrate'), settings: ({ ownerUrl }) => ({ POSTERN_DATABASE_URL: ownerUrl }), unchanged: true },
  run('account create', '--name', 'Shop', '--client-id', 'shop'),
  run('account set', 'shop', '--weight', '2'),
  run('account list'),
  run('account show', 'shop'),
  refused(1, 'account show', 'nobody'),
  run('account key add', 'shop', '--name', 'main'),
  run('account key list', 'shop'),
  { path: 'account key rotate', args: ofKey('shop') },
  { path: 'account key revoke', args: ofKey('shop') },
  run('account password', 'shop'),
  run('account block', 'shop', ...because),
  run('account unblock', 'shop', ...because),
  run('account revoke-tokens', 'shop'),
  { ...run('account delete-files', 'shop', ...because), settings: () => ({ POSTERN_FILE_FOLDER: folder }) },
  run('account erase-recipient', 'shop', '01012345678', ...because),
  run('sender add', 'shop', '0212345678'),
  refused(1, 'sender approve', 'shop', '0212345678'),
  {
    path: 'sender approve',
    args: async ({ database }) => {
      // Operators must not approve their own senders.
      await database.query(`update sender_changes set by = 'another'`)
      return ['shop', '0212345678', '--proof-kind', 'operator', '--proof-reference', 'known']
    },
  },
  run('sender reject', 'shop', '0212345678', ...because),
  run('sender block', 'shop', '0212345678', ...because),
  run('sender list'),
  run('sender show', 'shop', '0212345678'),
  run('sender show', 'shop', '0212345678', '--reveal', ...because),
  refused(2, 'sender show', 'shop', '0212345678', '--reveal'),
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
  run('trust account set', 'shop', '--sandbox', ...because),
  run('trust account show', 'shop'),
  run('trust advertising set', 'shop', '--names', 'Shop', ...because),
  run('trust advertising show', 'shop'),
  run('trust quiet-hours set', '--night', 'hold', ...because),
  run('trust quiet-hours list'),
  run('trust quiet-hours remove', ...because),
  run('route put', 'r', '--protocol', 'sandbox', '--channels', 'sms'),
  refused(1, 'route put', 'q', '--protocol', 'sandbox', '--channels', 'sms', '--accounts', 'nobody'),
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
    args: ['h', '--protocol', 'omni', '--channels', 'sms', '--disabled', '--options', omniOptions()],
  },
  { path: 'route try', args: ['h', '--to', '01012345678', '--text', 'x', '--send'], exitCode: 1 },
  { path: 'message cancel', args: async (bed) => [await schedule(bed), ...because] },
  refused(2, 'message show', 'x'),
  { path: 'message show', args: async (bed) => [(await park(bed)).msgKey, '--reveal', ...because] },
  { path: 'batch show', args: ofBatch('open') },
  { path: 'batch pause', args: ofBatch('running', ...because) },
  { path: 'batch resume', args: ofBatch('paused') },
  { path: 'batch cancel', args: ofBatch('ready', ...because) },
  run('batch list'),
  refused(1, 'batch show', '20261116004512345A17QKX2M8R4ZT0V'),
  { path: 'parked list', args: [], settings: withBroker },
  { path: 'parked show', args: ofParked('--reveal', ...because) },
  { path: 'parked retry', args: ofParked(), settings: withBroker },
  { path: 'parked drop', args: ofParked(...because), settings: withBroker },
  {
    path: 'parked drop-group',
    args: async (bed) => ['--stage', 'unreadable', '--last-id', (await park(bed)).id, ...because],
    settings: withBroker,
  },
  { ...refused(1, 'parked drop', '99', ...because), settings: withBroker },
  run('usage', 'shop'),
  run('ledger check'),
  run('ledger acknowledge'),
  run('webhook add', 'shop', '--url', 'https://shop.invalid/reports'),
  run('webhook list'),
  { path: 'webhook show', args: ofWebhook() },
  { path: 'webhook set', args: ofWebhook('--per-second', '5') },
  { path: 'webhook rotate', args: ofWebhook() },
  { path: 'webhook deliveries', args: ofWebhook() },
  { path: 'webhook test', args: ofWebhook(), exitCode: 1 },
  { path: 'webhook replay', args: ofWebhook('--all-since', new Date().toISOString()) },
  { path: 'webhook remove', args: ofWebhook() },
  run('token-key rotate'),
  run('token-key list'),
  run('worker list'),
  run('purge-expired'),
  run('cell map'),
  run('audit list'),
  run('audit show', '1'),
  run('audit verify'),
  run('audit checkpoint'),
  { path: 'audit export', args: ({ name }) => Promise.resolve([join(folder, name), ...because]) },
  run('operator add', 'kim', '--role', 'viewer'),
  run('operator role', 'kim', 'support', ...because),
  run('operator password', 'kim', '--generate', ...because),
  run('operator totp reset', 'kim', ...because),
  run('operator key add', 'kim', '--replace', ...because),
  refused(1, 'operator disable', 'admin', ...because),
  run('operator disable', 'kim', ...because),
  run('operator enable', 'kim', ...because),
  {
    path: 'operator key revoke',
    args: async (bed) => [await last(bed, 'key_id', 'operator_keys'), ...because],
  },
  run('operator list'),
  run('secrets status'),
  // Last, because the admin API of the test lacks the master key.
  { ...run('secrets rekey'), settings: () => masterKey },
]

/**
 * `database roles` creates roles of the whole server: database/roles.test.ts. `demo` prints another address
 * over each transport: demo/demo.test.ts. The others need keys: operator/operators.test.ts.
 */
const elsewhere = ['database roles', 'demo', 'operator recover', 'operator key rotate']

function omniOptions(): string {
  return JSON.stringify({ url: 'http://127.0.0.1:1', clientId: 'x', password: 'x' })
}

async function park({ database }: Bed): Promise<{ readonly id: string; readonly msgKey: string }> {
  const job = acceptedJob({ accountId: (await findAccountId(database, 'shop'))! })
  const payload = Buffer.from(JSON.stringify(job))
  await saveParked(database, [{ stage: 'unreadable', msgKey: job.msgKey, reason: 'x', payload }])
  const found = await database.query<{ id: string }>('select max(id)::text as id from parked')
  return { id: found.rows[0]!.id, msgKey: job.msgKey }
}

async function schedule({ database }: Bed): Promise<string> {
  const job = acceptedJob({ accountId: (await findAccountId(database, 'shop'))! })
  const [key] = await recordJobs(database, [job])
  await holdSteps(database, [
    {
      ...key!,
      accountId: job.accountId,
      routeId: '',
      lane: 'normal',
      parts: 1,
      tries: 0,
      releaseAt: inAnHour(),
      reason: 'scheduled',
    },
  ])
  return job.msgKey
}

/**
 * Replaces differences between two installations: times, secrets, ids, addresses, and the resulting column
 * widths.
 */
function normalise(text: string, { name }: Bed): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g, '<time>')
    .replaceAll(/("acceptedAt\\?":|"ms":|after |version"?:?"? *)\d+/g, '$1<time>')
    .replaceAll(/("requestId\\?":\\?")[^"\\]+/g, '$1<id>')
    .replaceAll(/\b(postern_(op_)?|whsec_)[\w+/=-]+|\b[0-9A-Z]{24}\b/g, '<secret>')
    .replaceAll(/\b\d{17}[0-9A-Z]{15}\b|\b(?=[0-9A-Z]*[A-Z])[0-9A-Z]{12}([0-9A-Z]{4})?\b/g, '<id>')
    .replaceAll(/\b[0-9a-f]{32,64}\b|\b[0-9a-f]{8}(-[0-9a-f]{4,12}){4}\b/g, '<hash>')
    .replaceAll(/\btest_[0-9a-f]+_\w+/g, '<database user>')
    .replaceAll(hostname(), '<source>')
    .replaceAll('127.0.0.1', '<source>')
    .replaceAll(join(folder, name), '<file>')
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/-{3,}/g, '---')
}

const commands = new Map(leavesOf(createProgram({ out: () => undefined, err: () => undefined }), []))

function leavesOf(command: Command, path: readonly string[]): [string, Command][] {
  const self: [string, Command][] = getAccess(command) === undefined ? [] : [[path.join(' '), command]]
  return [...self, ...command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]))]
}

const pairs = await Promise.all(
  [['--json'], []].map(async (form) => ({
    form,
    beds: [
      await createBed(`database${form.join()}`, 'database'),
      await createBed(`http${form.join()}`, 'http'),
    ],
  })),
)

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

test('commands that block, erase, reveal persons or change rules require a reason', () => {
  const free = [...commands].filter(([, command]) => getAccess(command)!.reason === 'optional')
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

for (const { form, beds } of pairs) {
  const suffix = form[0] ?? 'text'

  for (const entry of runs) {
    const { path, args, unchanged, exitCode = 0 } = entry
    const { kind } = getAccess(commands.get(path)!)!
    const shown = typeof args === 'function' ? '' : args.join(' ')
    test(`${path} ${shown} (${suffix}): ${kind}, same over both transports`, async () => {
      const ends = []
      for (const bed of beds) {
        const before = await readTail(bed.database)
        const { stdout, stderr, exitCode: code } = await bed.run(entry, ...form)
        assert.equal(code, exitCode, `${bed.name}: ${stderr}`)
        const rows = await readAuditAfter(bed.database, before.seq, 50)
        for (const row of rows) assertKeepsSecrets(row, stdout)
        const recorded = rows.map(({ actor, role, action, result, target, account, reason, details }) =>
          normalise(JSON.stringify([actor, role, action, result, target, account, reason, details]), bed),
        )
        ends.push({ stdout: normalise(stdout, bed), stderr: normalise(stderr, bed), recorded })
        const isSilent =
          kind === 'read' ||
          unchanged === true ||
          (kind === 'look' && !recorded.some((row) => row.includes('"looked"')))
        assert.equal(recorded.length === 0, isSilent, recorded.join('\n'))
      }
      assert.deepEqual(ends[1], ends[0])
    })
  }

  test(`the audit logs of all commands are intact (${suffix})`, async () => {
    for (const { database } of beds) assert.equal((await verifyAudit(database, [])).broken, null)
  })
}

function assertKeepsSecrets(row: object, stdout: string): void {
  const text = JSON.stringify(row)
  assert.ok(!text.includes('01012345678'), 'a whole number of a recipient')
  for (const [secret] of stdout.matchAll(/\b(postern_|whsec_)[\w+/=-]{20,}|\b[0-9A-Z]{24}\b/g))
    assert.ok(!text.includes(secret), 'a secret')
}

test('a read command cannot write', async () => {
  const { url } = await createTestDatabase()
  const { createInvocation } = await import('./invocation.ts')
  const { readCommandAccess, allowAnonymous } = await import('./access.ts')
  const { withDatabase } = await import('./connect.ts')
  const before = process.env.POSTERN_DATABASE_URL
  process.env.POSTERN_DATABASE_URL = url
  try {
    const invocation = createInvocation('x', allowAnonymous(readCommandAccess()), {}, [])
    await assert.rejects(
      withDatabase(invocation, (pool) => pool.query('update accounts set blocked = true')),
      { code: '25006' },
    )
  } finally {
    process.env.POSTERN_DATABASE_URL = before
  }
})
