/** `postern sender` and `postern trust` as an operator runs them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { readSenderFile } from './read-file.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const environment = { POSTERN_DATABASE_URL: databaseUrl, POSTERN_TOKEN_SECRET: 'x'.repeat(32) }
const folder = mkdtempSync(join(tmpdir(), 'postern-senders-'))
addCleanup(() => rmSync(folder, { recursive: true }))
await createAccount(database, 'shop')
await createAccount(database, 'cafe')

async function run(...args: string[]): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await runCommand(environment, ...args, '--json')
  assert.equal(exitCode, 0, stderr)
  return JSON.parse(stdout) as Record<string, unknown>
}
async function fails(exit: number, message: RegExp, ...args: string[]): Promise<void> {
  const { exitCode, stderr } = await runCommand(environment, ...args)
  assert.equal(exitCode, exit, stderr)
  assert.match(stderr, message)
}

test('a sender is added, approved with its proof, blocked and shown with its history', async () => {
  const day = new Date().toISOString().slice(0, 10)
  const proof = ['--proof-kind', 'certificate', '--proof-reference', 'KT-1', '--proof-issued', day]
  assert.equal((await run('sender', 'add', 'shop', '02-345-6789', '--by', 'kim')).state, 'pending')
  await fails(1, /has no proof; set its kind/, 'sender', 'approve', 'shop', '023456789')
  const approved = await run(
    'sender',
    'approve',
    'shop',
    '023456789',
    ...proof,
    '--valid-until',
    '2099-01-01',
  )
  assert.deepEqual([approved.state, approved.validUntil], ['active', '2099-01-01T15:00:00.000Z'])
  await fails(2, /--reason <text> is required/, 'sender', 'block', 'shop', '023456789')
  await run('sender', 'block', 'shop', '023456789', '--reason', 'stolen', '--by', 'lee')
  const { state, history } = await run('sender', 'show', 'shop', '023456789')
  assert.equal(state, 'blocked')
  assert.deepEqual(
    (history as { to: string }[]).map(({ to }) => to),
    ['pending', 'active', 'blocked'],
  )
  assert.equal((await run('sender', 'block', 'cafe', '0288887777', '--reason', 'fraud')).state, 'blocked')
  await fails(1, /3 to 15 digits/, 'sender', 'block', 'cafe', 'abc', '--reason', 'fraud')
  const { items } = await run('sender', 'list', '--state', 'blocked')
  assert.equal((items as object[]).length, 2)
})

test('a replaced proof stays in the history, and its reference is shown on request', async () => {
  const day = new Date().toISOString().slice(0, 10)
  const approve = (reference: string): Promise<unknown> =>
    run(
      ...[
        'sender',
        'approve',
        'shop',
        '0234561111',
        '--proof-kind',
        'certificate',
        '--proof-reference',
        reference,
      ],
      ...['--proof-issued', day],
    )
  await run('sender', 'add', 'shop', '0234561111')
  await approve('KT-1')
  await approve('KT-2')
  const proofs = async (...options: string[]): Promise<unknown[]> => {
    const { history } = await run('sender', 'show', 'shop', '0234561111', ...options)
    return (history as { proofReference: unknown }[]).map(({ proofReference }) => proofReference)
  }
  assert.deepEqual(await proofs(), [null, null, null])
  assert.deepEqual(await proofs('--reveal', '--reason', 'asked by the account'), [null, 'KT-1', 'KT-2'])
})

test('a mobile number is masked in every notation, and shown on request', async () => {
  for (const [kind, value] of [
    ['number', '01023456789'],
    ['chatbot', '821023456789'],
  ] as const) {
    await run('sender', 'add', 'shop', value, '--kind', kind)
    const { items } = await run('sender', 'list', 'shop', '--kind', kind, '--limit', '1')
    const [listed] = items as { id: string; value: string }[]
    assert.equal(listed!.value, '*******6789')
    const reveal = ['--reveal', '--reason', 'asked by the account']
    assert.equal((await run('sender', 'show', 'shop', '--id', listed!.id, ...reveal)).value, value)
  }
})

test('third-party numbers and alphanumeric sender IDs are registered for international messages', async () => {
  const add = (value: string) => ['sender', 'add', 'shop', value, '--kind', 'international'] as const
  assert.equal((await run(...add('+1 (415) 555-0100'))).value, '+14155550100')
  assert.equal((await run(...add('Bank 24'))).value, 'Bank 24')
  await fails(2, /register a Korean number as a number/, ...add('+82 2-3456-7890'))
})

test('unusable senders are not registered, and unknown accounts or senders are named', async () => {
  await fails(2, /allow its kind in POSTERN_SENDER_KINDS/, 'sender', 'add', 'shop', '05012345678')
  await fails(2, /numbering plan/, 'sender', 'add', 'shop', '01012345678')
  await fails(1, /account 'none' not found/, 'sender', 'add', 'none', '0234567890')
  await fails(1, /is not registered for/, 'sender', 'reject', 'cafe', '0234567890', '--reason', 'x')
})

test('a file is checked completely, imported with proofs, and repeatable', async () => {
  const path = join(folder, 'senders.csv')
  const title = 'clientId,kind,value,proofKind,proof,validUntil'
  const good = [
    ...['shop,number,0299998888,operator,"old system, page 3",2099-12-31', 'cafe,kakao-key,@cafe,,,', ''],
    ...Array.from({ length: 1_500 }, (_, nth) => `cafe,number,023${100000 + nth},operator,old,`),
  ]
  writeFileSync(path, [title, ...good, 'cafe,number,0501234567,,,', 'nobody,brand,b,,,', 'x'].join('\n'))
  const { exitCode, stderr } = await runCommand(environment, 'sender', 'import', path, '--approve')
  assert.equal(exitCode, 1)
  assert.match(stderr, /line 1505: .*numbering plan/)
  assert.match(stderr, /line 1506: account 'nobody' not found/)
  assert.match(stderr, /line 1507: must have 6 columns/)
  assert.match(stderr, /Nothing was stored/)
  writeFileSync(path, `\uFEFF${[title, ...good].join('\r\n')}`)
  const none = { blocked: 0, rejected: 0 }
  assert.deepEqual(await run('sender', 'import', path, '--approve'), {
    lines: 1_502,
    changed: 1_502,
    ...none,
  })
  assert.deepEqual(await run('sender', 'import', path, '--approve'), { lines: 1_502, changed: 0, ...none })
  const shown = await run('sender', 'show', 'shop', '0299998888', '--reveal', '--reason', 'asked')
  assert.deepEqual([shown.proof, shown.proofReference], ['operator', 'old system, page 3'])
  await fails(2, /--reason is required/, 'sender', 'show', 'shop', '0299998888', '--reveal')
  await fails(2, /cannot read/, 'sender', 'import', join(folder, 'none.csv'))
})

test('an import keeps blocked and rejected senders and counts them', async () => {
  const path = join(folder, 'again.csv')
  const numbers = ['0255550001', '0255550002', '0255550003']
  const write = (proof: string): void =>
    writeFileSync(
      path,
      [
        'clientId,kind,value,proofKind,proof',
        ...numbers.map((number) => `cafe,number,${number},operator,${proof}`),
      ].join('\n'),
    )
  write('first')
  await run('sender', 'import', path)
  await run('sender', 'reject', 'cafe', numbers[0]!, '--reason', 'wrong holder')
  await run('sender', 'block', 'cafe', numbers[1]!, '--reason', 'stolen')
  write('second')
  assert.deepEqual(await run('sender', 'import', path, '--approve'), {
    lines: 3,
    changed: 1,
    blocked: 1,
    rejected: 1,
  })
  const stateOf = async (value: string): Promise<unknown[]> => {
    const shown = await run('sender', 'show', 'cafe', value, '--reveal', '--reason', 'x')
    return [shown.state, shown.proofReference]
  }
  assert.deepEqual(await stateOf(numbers[0]!), ['rejected', 'first'])
  assert.deepEqual(await stateOf(numbers[1]!), ['blocked', 'first'])
  assert.deepEqual(await stateOf(numbers[2]!), ['active', 'second'])
  // A new proof alone also counts as a change.
  write('third')
  assert.deepEqual((await run('sender', 'import', path, '--approve')).changed, 1)
})

test('the audit log lists the new, approved and replaced senders of each account', async () => {
  await createAccount(database, 'store')
  await createAccount(database, 'bakery')
  const path = join(folder, 'audited.csv')
  const write = (...lines: readonly string[]): void =>
    writeFileSync(path, ['clientId,kind,value,proofKind,proof', ...lines].join('\n'))
  const many = Array.from({ length: 12 }, (_, n) => `store,number,026666${1_000 + n},operator,old`)
  const rowsOf = async (account: string): Promise<unknown[]> => {
    const { items } = await run('audit', 'list', '--account', account)
    return (items as { action: string; result: string; details: object }[]).map(
      ({ action, result, details }) => ({ action, result, ...details }),
    )
  }
  const imported = { action: 'sender import', result: 'done' }
  write(many[0]!, many[1]!)
  await run('sender', 'import', path)
  write(...many, 'bakery,kakao-key,@bakery,,')
  await run('sender', 'import', path, '--approve')
  write(many[0]!.replace('old', 'new'), 'bakery,kakao-key,@bakery,,')
  await run('sender', 'import', path, '--approve')
  const named = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => `number 026666${1_000 + n}`)
  const counts = (made: number, approved: number, replaced: number) => ({ new: made, approved, replaced })
  const rows = (await rowsOf('store')).map((row) => {
    const { fileSha256, ...rest } = row as { fileSha256: string }
    assert.match(fileSha256, /^[0-9a-f]{64}$/)
    return rest
  })
  assert.deepEqual(rows, [
    { ...imported, approve: true, changed: 1, ...counts(0, 0, 1), senders: named(1) },
    { ...imported, approve: true, changed: 12, ...counts(10, 2, 0), senders: named(10) },
    { ...imported, approve: false, changed: 2, ...counts(2, 0, 0), senders: named(2) },
  ])
  const [only, ...more] = (await rowsOf('bakery')) as { senders: string[] }[]
  assert.deepEqual([only!.senders, more], [['kakao-key @bakery'], []])
  const [whole] = await listAudit(database, { action: 'sender import', limit: 1 })
  assert.deepEqual([whole!.account, whole!.result], [null, 'done'])
  const { lines, changed, replaced } = JSON.parse(whole!.details) as Record<string, unknown>
  assert.deepEqual([lines, changed, replaced], [2, 1, 1])
})

test('a failed import reports and records the stored senders, and can be repeated', async () => {
  const path = join(folder, 'interrupted.csv')
  const lines = Array.from({ length: 1_200 }, (_, nth) => `cafe,number,024${100_000 + nth},operator,old`)
  writeFileSync(path, ['clientId,kind,value,proofKind,proof', ...lines].join('\n'))
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
  const countRecorded = async (): Promise<unknown> => {
    const { rows } = await database.query<{ changed: number }>(
      `select sum((details->>'changed')::int)::int as changed from audit_log
        where action = 'sender import' and account is null and details->>'fileSha256' = $1`,
      [hash],
    )
    return rows[0]!.changed
  }
  await database.query(`alter table senders add constraint interrupted check (value <> '024101100')`)
  await fails(1, /: stored 1000 of 1200 senders/, 'sender', 'import', path, '--approve')
  assert.equal(await countRecorded(), 1_000)
  await database.query(`alter table senders drop constraint interrupted`)
  assert.equal((await run('sender', 'import', path, '--approve')).changed, 200)
  assert.equal(await countRecorded(), 1_200)
})

test('missing and unknown columns are named', () => {
  const error = (content: string) => readSenderFile(content).errors[0]!.error
  assert.match(error('clientId,value\n'), /missing: kind/)
  assert.match(error('clientId,kind,value,colour\n'), /unknown: 'colour'/)
  assert.match(error('clientId,kind,value\n'), /contains no sender/)
})

const why = ['--reason', 'test']

test('rules are switched with a reason, and the settings of an account are shown', async () => {
  await run('trust', 'enable', 'sender-number-registered', '--reason', 'imported', '--by', 'kim')
  const { rules } = await run('trust', 'list')
  const found = (rules as { rule: string; enabled: boolean; changedBy: string }[]).find(
    ({ rule }) => rule === 'sender-number-registered',
  )
  assert.deepEqual([found?.enabled, found?.changedBy], [true, 'kim'])
  await fails(2, /rule 'x' not found or without a switch/, 'trust', 'enable', 'x', ...why)
  await fails(2, /requires POSTERN_ORIGIN_CODE/, 'trust', 'enable', 'origin-code-present', ...why)
  await fails(
    2,
    /--origin-codes must be nine digits each, not '12'/,
    ...['trust', 'account', 'set', 'shop', '--origin-codes', '12', ...why],
  )
  await run('trust', 'account', 'set', 'shop', '--kind', 'reseller', '--origin-codes', '123456789', ...why)
  assert.deepEqual(await run('trust', 'account', 'set', 'shop', '--sandbox', ...why), {
    clientId: 'shop',
    kind: 'reseller',
    sandbox: true,
    originCodes: ['123456789'],
  })
})

test('changes of permissions, advertisements and limits require a reason', async () => {
  for (const change of [
    ['trust', 'account', 'set', 'shop', '--sandbox'],
    ['trust', 'advertising', 'set', 'shop', '--advertiser'],
    ['trust', 'quiet-hours', 'set', '--night', 'hold'],
    ['trust', 'quiet-hours', 'remove'],
    ['account', 'set', 'shop', '--limits-send', '0'],
    ['account', 'set', 'shop', '--erase-after-days', '0'],
  ])
    await fails(2, /--reason .*is (missing|required)/, ...change)
  await run('trust', 'account', 'show', 'shop')
  await run('account', 'set', 'shop', '--weight', '2')
})

test('advertisement requirements and hours are set and shown', async () => {
  const numbers = ['--opt-out-numbers', '080-123-4567']
  assert.deepEqual(
    await run('trust', 'advertising', 'set', 'shop', '--names', 'Shop, Shop Outlet', ...numbers, ...why),
    {
      ...{
        clientId: 'shop',
        advertiser: false,
        names: ['Shop', 'Shop Outlet'],
        optOutNumbers: ['0801234567'],
      },
    },
  )
  await fails(
    2,
    /must be 080 numbers/,
    ...['trust', 'advertising', 'set', 'shop', '--opt-out-numbers', '0212345678', ...why],
  )
  await fails(2, /from 08:00 to 21:00/, ...['trust', 'quiet-hours', 'set', '--closes', '22:00', ...why])
  await fails(
    2,
    /must be after/,
    ...['trust', 'quiet-hours', 'set', '--opens', '10:00', '--closes', '10:00', ...why],
  )
  await run('trust', 'quiet-hours', 'set', '--night', 'hold', ...why)
  const place = ['--account', 'shop', '--channel', 'rcs']
  const set = await run('trust', 'quiet-hours', 'set', ...place, '--closes', '19:30', ...why)
  assert.deepEqual([set.channel, set.closes, set.night], ['rcs', '19:30', 'hold'])
  await run('trust', 'quiet-hours', 'remove', ...why)
  assert.deepEqual(await run('trust', 'quiet-hours', 'list'), {
    items: [{ account: 'shop', channel: 'rcs', opens: '08:00', closes: '19:30', night: 'hold' }],
  })
})
