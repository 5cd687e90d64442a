/** What the account, ledger, message, parked and migrate commands print: tables for people, documents with --json. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../test/support/broker.ts'
import { runCommand } from '../../test/support/command.ts'
import { createEmptyDatabase, createTestDatabase } from '../../test/support/database.ts'
import { acceptedJob, createAccount, recordJobs, recipient } from '../../test/support/fixtures.ts'
import { findAccountId } from '../accounts/queries.ts'
import { saveParked } from '../records/parked/queries.ts'
import { ledgerResult } from './ledger/view.ts'

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
const failure = async (...args: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await runCommand(environment, ...args)
  assert.deepEqual([exitCode, stdout], [1, ''])
  return stderr
}

const shop = {
  ...{
    clientId: 'shop-1',
    name: 'Shop',
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
    '--send-limit',
    '5',
  )
  assert.deepEqual(Object.keys(created as object), ['clientId', 'password', 'dayCap'])
  await createAccount(database, 'careless', { name: 'Care\u001B[31mless' })
  await run('account', 'block', 'careless', '--reason', 'test', '--no-wait')
  assert.equal(
    await run('account', 'list'),
    [
      'client id  state    name',
      'shop-1     active   Shop',
      'careless   blocked  Care\uFFFD[31mless',
      '',
    ].join('\n'),
  )
  const { accounts } = (await runJson('account', 'list')) as { accounts: { name: string }[] }
  assert.deepEqual(accounts[0], shop)
  assert.equal(accounts[1]!.name, 'Care\u001B[31mless')
  assert.deepEqual(await runJson('account', 'show', 'shop-1'), shop)
  assert.match(
    await run('account', 'show', 'shop-1'),
    /^name +Shop$[\s\S]*^limits +send 5\/s, report default/m,
  )
  assert.deepEqual(await runJson('account', 'set', 'shop-1', '--weight', '3'), { ...shop, weight: 3 })
  assert.deepEqual(await runJson('account', 'block', 'shop-1', '--reason', 'test', '--no-wait'), {
    ...{ clientId: 'shop-1', blocked: true, backlog: 'close' },
    ...{ closed: 0, held: 0, submitted: 0, open: 0, webhooks: 0 },
  })
  assert.deepEqual(await runJson('account', 'unblock', 'shop-1', '--reason', 'test'), {
    ...{ clientId: 'shop-1', blocked: false, resumed: 0 },
  })
  assert.deepEqual(await runJson('account', 'revoke-tokens', 'shop-1'), { clientId: 'shop-1', revoked: true })
  assert.deepEqual(await runJson('account', 'erase-recipient', 'shop-1', recipient, '--reason', 'test'), {
    ...{ clientId: 'shop-1', erased: 0, open: 0, files: 0, replies: 0, parked: [] },
  })
})

test('an account that does not exist, or exists already, is exit code 1', async () => {
  for (const action of ['show', 'set', 'block', 'unblock', 'stops', 'revoke-tokens'])
    assert.match(
      await failure('account', action, 'none', ...(action.endsWith('block') ? ['--reason', 'test'] : [])),
      /there is no account 'none'; `postern account list`/,
    )
  assert.match(
    await failure('account', 'erase-recipient', 'none', recipient, '--reason', 'test'),
    /there is no account 'none'/,
  )
  assert.match(
    await failure('account', 'create', '--name', 'Again', '--client-id', 'shop-1'),
    /client id 'shop-1' is taken; choose another with --client-id/,
  )
})

test('the timeline of a message and the ledger are documents', async () => {
  const accountId = (await findAccountId(database, 'shop-1'))!
  const [key] = await recordJobs(database, [acceptedJob({ accountId })])
  const shown = (await runJson('message', 'show', key!.msgKey)) as { msgKey: string; events: object[] }
  assert.equal(shown.msgKey, key!.msgKey)
  assert.deepEqual(Object.keys(shown.events[0]!), ['at', 'kind', 'step', 'text', 'details'])
  assert.match(await run('message', 'show', key!.msgKey), /^\S{32}\n\d{4}-\d\d-\d\dT\S+ /)
  assert.match(await failure('message', 'show', '2026111502322500000ABCDEFGHIJKLM'), /there is no message/)
  const { total, gaps } = (await runJson('ledger')) as { total: object; gaps: object[] }
  const one = { accepted: 1, final: 0, inFlight: 1, gap: 0, atGate: 0 }
  assert.deepEqual([total, gaps], [{ accountId: 0, clientId: 'total', ...one }, []])
})

test('the ledger is a table, and a gap is a failure', () => {
  const row = { accountId: 1, clientId: 'shop-1', accepted: 10, final: 8, inFlight: 1, gap: 1, atGate: 3 }
  const gap = { day: '20261115', accountId: 1, accepted: 10, final: 8, inFlight: 1, gap: 1 }
  const gate = {
    ...{ minute: new Date('2026-11-15T09:30:00Z'), process: '4c1d', accountId: 1 },
    ...{ confirmed: 9, recorded: 6, missing: 3 },
  }
  assert.deepEqual(ledgerResult([row], [gap], { gaps: [gate], count: 3, missing: 8 }), {
    json: { accounts: [row], total: { ...row, accountId: 0, clientId: 'total' }, gaps: [gap], gate: [gate] },
    lines: [
      'account                     accepted       final   in flight         gap     at gate',
      'shop-1                            10           8           1           1           3',
      'total                             10           8           1           1           3',
      'gap of 1: shop-1, accepted on 20261115: 10 counted, 8 final, 1 in flight',
      '3 lost at the gate: shop-1, accepted at 2026-11-15T09:30Z by process 4c1d: 9 confirmed, 6 recorded',
      '5 more lost at the gate, in 2 gaps that are not listed',
    ],
    failed: true,
  })
})

test('parked jobs are listed, shown, retried and dropped', async () => {
  const job = acceptedJob({ accountId: (await findAccountId(database, 'shop-1'))! })
  const payload = Buffer.from(JSON.stringify(job))
  assert.equal(await run('parked', 'list'), 'no job is parked\n')
  await saveParked(database, [{ stage: 'intake', msgKey: job.msgKey, reason: 'error 22021', payload }])
  const { parked, queued } = (await runJson('parked', 'list')) as { parked: { id: number }[]; queued: number }
  const id = String(parked[0]!.id)
  assert.deepEqual(Object.keys(parked[0]!), ['id', 'parkedAt', 'stage', 'msgKey', 'reason', 'times'])
  assert.equal(queued, 0)
  assert.match(
    await run('parked', 'list'),
    new RegExp(`^ +${id}  \\S+  intake +${job.msgKey}  error 22021\\n$`),
  )
  const hidden = (await runJson('parked', 'show', id)) as { payload: string | null; bytes: number }
  assert.deepEqual([hidden.payload, hidden.bytes], [null, payload.length])
  const revealed = (await runJson('parked', 'show', id, '--reveal', '--reason', 'asked')) as {
    payload: string
  }
  assert.deepEqual(JSON.parse(revealed.payload), job)
  assert.deepEqual(await runJson('parked', 'retry', id), {
    jobs: [{ id: Number(id), result: 'retried' }],
    stoppedAt: null,
  })
  assert.match(
    await failure('parked', 'drop', id, '--reason', 'given up'),
    /there is no parked job \d+; `postern parked list`/,
  )
  assert.match(await failure('parked', 'show', id), /there is no parked job/)
  await saveParked(database, [{ stage: 'unreadable', msgKey: null, reason: null, payload }])
  const [second] = ((await runJson('parked', 'list')) as { parked: { id: number }[] }).parked
  const dropped = (await runJson('parked', 'drop', String(second!.id), '--reason', 'given up')) as object
  assert.deepEqual(Object.keys(dropped), ['id', 'effect'])
})

test('a database without tables asks for a migration, which lists what it applied', async () => {
  const { url: emptyUrl } = await createEmptyDatabase()
  const empty = { POSTERN_DATABASE_URL: emptyUrl, POSTERN_TOKEN_SECRET: tokenSecret }
  const before = await runCommand(empty, 'account', 'list')
  assert.deepEqual([before.exitCode, before.stdout], [1, ''])
  assert.match(before.stderr, /does not have the tables of this version .*; run `postern migrate`\n$/)
  const { stdout } = await runCommand(empty, 'migrate', '--json')
  assert.match((JSON.parse(stdout) as { applied: string[] }).applied[0]!, /^0001_\w+\.sql$/)
  assert.equal((await runCommand(empty, 'migrate')).stdout, 'nothing to apply\n')
})

test('an argument with line breaks, quoted in an error, starts no line of its own', async () => {
  const { stderr } = await runCommand(environment, 'account', 'show', 'nobody\nroot: ok\r\nsecond')
  assert.equal(stderr.trimEnd().split('\n').length, 1)
  assert.match(stderr, /nobody\uFFFDroot: ok/)
})
