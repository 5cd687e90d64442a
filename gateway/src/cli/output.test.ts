/** Output of the account, ledger and migrate commands: tables for people, documents with --json. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../test/support/engines/broker.ts'
import { runCommand } from '../../test/support/command.ts'
import { createEmptyDatabase, createTestDatabase } from '../../test/support/engines/database.ts'
import { createAccount, recipient } from '../../test/support/fixtures.ts'
import { showComparison } from './ledger/view.ts'

const { database, url } = await createTestDatabase()
const { topology } = await createTestBroker()
const tokenSecret = 'x'.repeat(32)
const environment = {
  POSTERN_DATABASE_URL: url,
  POSTERN_TOKEN_SECRET: tokenSecret,
  POSTERN_QUEUE_PREFIX: topology.parked.name.replace(/parked$/, ''),
}

async function run(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand(environment, ...args)
  assert.deepEqual([exitCode, stderr], [0, ''])
  return stdout
}
const runJson = async (...args: string[]): Promise<unknown> => {
  const output = await run(...args, '--json')
  assert.match(output, /^[^\n]+\n$/)
  return JSON.parse(output) as unknown
}

const shop = {
  ...{
    clientId: 'shop-1',
    name: 'Shop',
    state: 'active',
    blocked: false,
    polling: true,
    partCounts: false,
    reportKeys: 'full',
  },
  ...{
    limits: { send: 5, report: null, file: null, form: null },
    lane: null,
    weight: 1,
    eraseAfterDays: null,
    uncertainFallback: 'always',
    smppBinds: 0,
    smppSystemId: null,
    smppReplies: false,
    smartEncoding: true,
    batchMegabytes: 1024,
  },
}

test('accounts are created, listed, shown, changed and blocked', async () => {
  const created = await runJson(
    'account',
    'create',
    '--name',
    'Shop',
    '--client-id',
    'shop-1',
    '--limits-send',
    '5',
  )
  assert.deepEqual(Object.keys(created as object), ['clientId', 'password', 'dayCap', 'apiUrl'])
  await createAccount(database, 'careless', { name: 'Care\u001B[31mless' })
  await run('account', 'block', 'careless', '--reason', 'test', '--no-wait')
  assert.equal(
    await run('account', 'list'),
    [
      'client id  state    name',
      'careless   blocked  Care\uFFFD[31mless',
      'shop-1     active   Shop',
      '',
    ].join('\n'),
  )
  const { items } = (await runJson('account', 'list')) as { items: { name: string }[] }
  assert.equal(items[0]!.name, 'Care\u001B[31mless')
  assert.deepEqual(items[1], shop)
  assert.deepEqual(await runJson('account', 'show', 'shop-1'), { ...shop, stops: [] })
  assert.match(await run('account', 'show', 'shop-1'), /^name +Shop$[\s\S]*^limits send +5$/m)
  assert.deepEqual(await runJson('account', 'set', 'shop-1', '--weight', '3'), { ...shop, weight: 3 })
  assert.deepEqual(await runJson('account', 'block', 'shop-1', '--reason', 'test', '--no-wait'), {
    clientId: 'shop-1',
    backlog: 'close',
    reason: 'test',
    closed: 0,
    held: 0,
    submitted: 0,
    open: 0,
    webhooks: 0,
  })
  assert.deepEqual(await runJson('account', 'unblock', 'shop-1', '--reason', 'test'), {
    clientId: 'shop-1',
    resumed: 0,
  })
  assert.deepEqual(await runJson('account', 'revoke-tokens', 'shop-1'), { clientId: 'shop-1' })
  assert.deepEqual(await runJson('account', 'erase-recipient', 'shop-1', recipient, '--reason', 'test'), {
    erased: 0,
    open: 0,
    files: 0,
    replies: 0,
    parked: [],
  })
})

test('the ledger is a table, and a gap is a failure', () => {
  const row = { accountId: 1, clientId: 'shop-1', accepted: 10, final: 8, inFlight: 1, gap: 1, unrecorded: 3 }
  const gap = { day: '20261115', accountId: 1, accepted: 10, final: 8, inFlight: 1, gap: 1 }
  const unrecorded = {
    minute: '2026-11-15T09:30:00Z',
    process: '4c1d',
    accountId: 1,
    account: 'shop-1',
    confirmed: 9,
    recorded: 6,
    missing: 3,
  }
  const shown = showComparison({
    accounts: [row],
    gaps: [gap],
    differences: { count: 1, messages: 1 },
    unrecorded: { gaps: [unrecorded], count: 3, missing: 8 },
    batches: [{ batchId: 'B7', accountId: 1, lines: 5, countedLines: 5, messages: 4, open: 1, closed: 2 }],
  })
  assert.deepEqual(shown, {
    lines: [
      'account  accepted  final  in flight  gap  unrecorded',
      'shop-1   10        8      1          1    3',
      'total    10        8      1          1    3',
      'gap of 1: shop-1, accepted on 20261115: 10 counted, 8 final, 1 in flight',
      '3 never recorded: shop-1, accepted at 2026-11-15T09:30:00Z by process 4c1d: 9 confirmed, 6 recorded',
      '5 more never recorded, in 2 gaps that are not listed',
      'batch B7: shop-1: 5 of 5 lines decided; 4 messages, 1 open, 2 closed',
    ],
    failed: true,
  })
})

test('a database without tables requires a migration, which lists the applied files', async () => {
  const { url: emptyUrl } = await createEmptyDatabase()
  const empty = { POSTERN_DATABASE_URL: emptyUrl, POSTERN_TOKEN_SECRET: tokenSecret }
  const before = await runCommand(empty, 'account', 'list')
  assert.deepEqual([before.exitCode, before.stdout], [1, ''])
  assert.match(before.stderr, /does not have the tables of this version .*; run `postern migrate`\n$/)
  const { stdout } = await runCommand(empty, 'migrate', '--json')
  assert.match((JSON.parse(stdout) as { applied: string[] }).applied[0]!, /^0001_\w+\.sql$/)
  assert.equal((await runCommand(empty, 'migrate')).stdout, 'nothing to apply\n')
})

test('line breaks in a quoted argument do not start a line', async () => {
  const { stderr } = await runCommand(environment, 'account', 'show', 'nobody\nroot: ok\r\nsecond')
  assert.equal(stderr.trimEnd().split('\n').length, 1)
  assert.match(stderr, /nobody\uFFFDroot: ok/)
})
