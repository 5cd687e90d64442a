/**
 * Without operators commands need no key; with operators the key identifies the operator, and the role limits
 * the commands.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { listOperators } from '../../identity/operators/queries.ts'
import { hasRight, rights, roles, type Right } from '../../identity/operators/rights.ts'

const { url, database } = await createTestDatabase()
const environment = { POSTERN_DATABASE_URL: url, POSTERN_BROKER_URLS: '', POSTERN_TOKEN_SECRET: '' }

async function run(key: string, ...args: string[]): Promise<Record<string, string>> {
  const output = await runCommand({ ...environment, POSTERN_OPERATOR_KEY: key }, ...args, '--json')
  assert.equal(output.exitCode, 0, output.stderr)
  return JSON.parse(output.stdout) as Record<string, string>
}

async function fails(key: string, message: RegExp, ...args: string[]): Promise<void> {
  const output = await runCommand({ ...environment, POSTERN_OPERATOR_KEY: key }, ...args)
  assert.match(output.stderr, message)
  assert.notEqual(output.exitCode, 0)
}

const lastRow = async () => (await listAudit(database, { limit: 1 }))[0]!

/** Adds an operator and replaces the first key. */
async function operator(admin: string, name: string, role: string): Promise<string> {
  const { key: initial } = await run(admin, 'operator', 'add', name, '--role', role)
  await fails(initial!, /was created by another operator; replace it first/, 'account', 'list')
  return (await run(initial!, 'operator', 'key', 'rotate')).key!
}

await run('', 'account', 'create', '--name', 'Shop', '--client-id', 'shop')
await fails('', /the first operator must be an admin/, 'operator', 'add', 'lee', '--role', 'viewer')
const admin = await operator('', 'kim', 'admin')
const viewer = await operator(admin, 'vi', 'viewer')
const support = await operator(admin, 'su', 'support')

test('commands require a key from the first operator on', async () => {
  await fails('', /POSTERN_OPERATOR_KEY is required/, 'account', 'list')
  await fails(
    admin,
    /--by is not allowed once operators exist/,
    'account',
    'revoke-tokens',
    'shop',
    '--by',
    'eve',
  )
  await run(admin, 'account', 'revoke-tokens', 'shop')
  const { actor, role, keyId, action, result } = await lastRow()
  assert.deepEqual([actor, role, action, result], ['kim', 'admin', 'account revoke-tokens', 'done'])
  assert.ok(admin.includes(keyId!))
})

test('a wrong, unknown, old or disabled key is refused and recorded', async () => {
  const wrong = `${admin.slice(0, -4)}AAAA`
  await fails(wrong, /wrong secret for key \w+/, 'account', 'list')
  assert.deepEqual([(await lastRow()).actor, (await lastRow()).result], ['kim', 'refused'])
  await fails('postern_x', /is not an operator key/, 'account', 'list')
  assert.equal((await lastRow()).actor, 'unknown')
  const replacedKey = await operator(admin, 'former', 'viewer')
  await run(replacedKey, 'operator', 'key', 'rotate')
  await fails(replacedKey, /is unknown, expired or revoked/, 'account', 'list')
  const gone = await operator(admin, 'gone', 'operator')
  await run(admin, 'operator', 'disable', 'gone', '--reason', 'has left')
  await fails(gone, /'gone' is disabled/, 'account', 'list')
  await run(admin, 'operator', 'enable', 'gone', '--reason', 'is back')
  await run(gone, 'account', 'list')
})

test('a client operator belongs to its account, runs no command, and keeps its role', async () => {
  const add = ['operator', 'add', 'park', '--role'] as const
  await fails(admin, /--account is required with the role client/, ...add, 'client')
  await fails(admin, /--account is only allowed with the role client/, ...add, 'viewer', '--account', 'shop')
  await fails(admin, /account 'nobody' not found/, ...add, 'client', '--account', 'nobody')
  const { key: first } = await run(admin, ...add, 'client', '--account', 'shop')
  assert.deepEqual([(await lastRow()).target, (await lastRow()).account], ['park', 'shop'])
  const { key } = await run(first!, 'operator', 'key', 'rotate')
  await fails(key!, /lacks the right/, 'account', 'list')
  await fails(key!, /lacks the right/, 'operator', 'password', 'park')
  const { actor, role, result } = await lastRow()
  assert.deepEqual([actor, role, result], ['park', 'client', 'refused'])
  await fails(
    admin,
    /'park' belongs to a client and cannot change to another role/,
    ...['operator', 'role', 'park', 'admin', '--reason', 'x'],
  )
  const listed = (await listOperators(database)).find(({ name }) => name === 'park')!
  assert.deepEqual([listed.role, listed.account], ['client', 'shop'])
})

test('a role without the right is refused, with the roles that have it', async () => {
  await run(viewer, 'account', 'list')
  await fails(viewer, /lacks the right/, 'account', 'block', 'shop', '--reason', 'x')
  const { actor, result, target, action } = await lastRow()
  assert.deepEqual([actor, result, target, action], ['vi', 'refused', 'block', 'account block'])
  await run(support, 'account', 'set', 'shop', '--lane', 'bulk')
  await fails(support, /roles that have it: admin/, 'trust', 'enable', 'sender-number-shape', '--reason', 'x')
  await fails(support, /lacks the right 'operators'/, 'operator', 'list')
  await fails(support, /lacks the right/, 'ledger', 'acknowledge')
  await run(support, 'ledger', 'check')
})

test('personal data is masked, and shown with the right and a reason', async () => {
  const proof = ['--proof-kind', 'operator', '--proof-reference', 'page 3']
  await run(support, 'sender', 'add', 'shop', '0212345678', ...proof)
  const show = ['sender', 'show', 'shop', '0212345678']
  assert.doesNotMatch(JSON.stringify(await run(support, ...show)), /page 3/)
  await fails(support, /lacks the right/, ...show, '--reveal', '--reason', 'asked')
  await fails(admin, /--reason is required/, ...show, '--reveal')
  assert.match(JSON.stringify(await run(admin, ...show, '--reveal', '--reason', 'asked')), /page 3/)
  const { actor, result, reason } = await lastRow()
  assert.deepEqual([actor, result, reason], ['kim', 'looked', 'asked'])
})

test('support cannot bypass the limits of its role', async () => {
  const refused = async (right: string, ...args: string[]): Promise<void> => {
    await fails(support, /lacks the right/, ...args)
    const { actor, result, target } = await lastRow()
    assert.deepEqual([actor, result, target], ['su', 'refused', right])
  }
  await refused('credentials', 'account', 'create', '--name', 'Mine')
  await refused('erase', 'account', 'set', 'shop', '--erase-after-days', '0', '--reason', 'x')
  await refused('trust', 'account', 'set', 'shop', '--limits-send', '0', '--reason', 'x')
  await refused('trust', 'account', 'set', 'shop', '--limits-send', '9999999', '--reason', 'x')
  await run(
    support,
    'account',
    'set',
    'shop',
    '--limits-send',
    '5',
    '--erase-after-days',
    'none',
    '--reason',
    'x',
  )
  await refused('trust', 'account', 'set', 'shop', '--limits-send', 'none', '--reason', 'x')
  await refused('trust', 'account', 'set', 'shop', '--weight', '2')
  await refused('trust', 'account', 'set', 'shop', '--smpp-binds', '1', '--reason', 'x')
  for (const lane of ['none', 'urgent', 'codes'])
    await refused('trust', 'account', 'set', 'shop', '--lane', lane)
  await run(admin, 'account', 'set', 'shop', '--weight', '3', '--lane', 'codes')
  await refused('trust', 'account', 'set', 'shop', '--lane', 'normal')
  await run(support, 'account', 'set', 'shop', '--weight', '1', '--lane', 'bulk')
  const folder = mkdtempSync(join(tmpdir(), 'postern-consents-'))
  addCleanup(() => rmSync(folder, { recursive: true }))
  const numbers = join(folder, 'numbers.txt')
  writeFileSync(numbers, '01012345678\n')
  const consents = ['--state', 'agreed', '--since', '2026-01-02']
  await refused('trust', 'suppression', 'import', numbers, ...consents, '--reason', 'x')
  const proof = ['--proof-kind', 'operator', '--proof-reference', 'page 3']
  await run(support, 'sender', 'add', 'shop', '0212345670', ...proof)
  await run(admin, 'sender', 'block', 'shop', '0212345670', '--reason', 'reported')
  await refused('block', 'sender', 'approve', 'shop', '0212345670')
  await refused('block', 'sender', 'reject', 'shop', '0212345670', '--reason', 'x')
  assert.equal((await run(support, 'sender', 'show', 'shop', '0212345670')).state, 'blocked')
  const url = ['--url', 'https://mine.invalid/r']
  await refused('reveal', 'webhook', 'add', 'shop', ...url)
  const { webhook } = await run(admin, 'webhook', 'add', 'shop', ...url)
  const { id: webhookId } = webhook as unknown as { id: string }
  await refused('reveal', 'webhook', 'set', webhookId, ...url)
  await run(support, 'webhook', 'set', webhookId, '--per-second', '5')
})

test('exempt numbers and URL tokens are shown on request', async () => {
  const safe = ['--safe-numbers', '01012345678', '--reason', 'x']
  assert.doesNotMatch(JSON.stringify(await run(admin, 'protection', 'set', 'shop', ...safe)), /01012345678/)
  const { id: senderId } = await run(admin, 'sender', 'add', 'shop', '01087654321')
  const { webhook } = await run(
    ...([admin, 'webhook', 'add', 'shop', '--url', 'https://mine.invalid/hook?token=secret'] as const),
  )
  const { id: webhookId } = webhook as unknown as { id: string }
  for (const [hidden, ...command] of [
    ['01012345678', 'protection', 'show', 'shop'],
    ['01087654321', 'sender', 'show', 'shop', '--id', senderId!],
    ['token=secret', 'webhook', 'show', webhookId],
  ] as const) {
    for (const json of [[], ['--json']]) {
      const { stdout } = await runCommand(
        { ...environment, POSTERN_OPERATOR_KEY: viewer },
        ...command,
        ...json,
      )
      assert.ok(stdout.length > 10 && !stdout.includes(hidden), command.join(' '))
    }
    await fails(viewer, /role viewer\) lacks the right/, ...command, '--reveal', '--reason', 'asked')
    const revealed = await run(admin, ...command, '--reveal', '--reason', 'asked')
    assert.ok(JSON.stringify(revealed).includes(hidden))
    assert.deepEqual([(await lastRow()).result, (await lastRow()).actor], ['looked', 'kim'])
  }
})

test('at least one admin who can sign in always remains', async () => {
  const left = /no admin could sign in after this change/
  await fails(admin, left, 'operator', 'disable', 'kim', '--reason', 'x')
  await fails(admin, left, 'operator', 'role', 'kim', 'viewer', '--reason', 'x')
  await fails(admin, left, 'operator', 'key', 'revoke', (await lastRow()).keyId!, '--reason', 'x')
})

test('an operator cannot extend an expiring key', async () => {
  const { key } = await run(admin, 'operator', 'add', 'brief', '--role', 'support', '--days', '1')
  const ends = async (...args: string[]): Promise<number> =>
    Date.parse((await run(currentKey, 'operator', 'key', 'rotate', ...args)).endsAt!) - Date.now()
  let currentKey = key!
  assert.ok((await ends()) <= 86_400_000)
  currentKey = (await run(admin, 'operator', 'key', 'add', 'brief', '--days', '1', '--replace')).key!
  assert.ok((await ends('--days', '90')) <= 86_400_000)
})

test('no key is added next to a working one', async () => {
  const lostKey = await operator(admin, 'noticing', 'viewer')
  await fails(
    admin,
    /'noticing' already has a valid key; .* use --replace/,
    'operator',
    'key',
    'add',
    'noticing',
  )
  const { key } = await run(admin, 'operator', 'key', 'add', 'noticing', '--replace', '--reason', 'lost')
  await fails(lostKey, /expired or revoked/, 'account', 'list')
  await run(admin, 'operator', 'key', 'add', 'noticing')
  await fails(key!, /expired or revoked/, 'operator', 'key', 'rotate')
  const listed = await runCommand({ ...environment, POSTERN_OPERATOR_KEY: admin }, 'operator', 'list')
  assert.match(listed.stdout, /noticing +\w{12} +yes .* kim /)
})

test('only admins set first passwords, and operators their own', async () => {
  const first = await run(admin, 'operator', 'password', 'vi', '--generate', '--reason', 'joins')
  assert.deepEqual([Object.keys(first), first.first], [['name', 'first', 'password'], true])
  assert.ok(first.password!.length >= 24)
  const { action, target, details } = await lastRow()
  assert.deepEqual([action, target, details], ['operator password', 'vi', '{"first":true}'])
  const ofAnother = ['operator', 'password', 'su', '--generate', '--reason', 'x']
  await fails(viewer, /lacks the right 'operators'/, ...ofAnother)
  const typed = (input: string) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../main.ts'), 'operator', 'password', 'vi'], {
      input,
      encoding: 'utf8' as const,
      env: { ...process.env, ...environment, POSTERN_OPERATOR_KEY: viewer },
    })
  assert.match(typed('short\n').stderr, /password.* 12 /)
  assert.match(typed('').stderr, /no password on standard input/)
  assert.match(typed('a password for vi\n').stderr, /must not contain the name/)
  for (const common of ['Password123!!', '123456789012'])
    assert.match(typed(`${common}\n`).stderr, /easy to guess/)
  assert.match(typed('long and of my own\n').stdout, /your sessions have ended/)
  const stored = await database.query<{ row: string }>('select l::text as row from operator_logins l')
  assert.ok(!JSON.stringify(stored.rows).includes(first.password!))
})

test('a password does not outlive the key that set it', async () => {
  const { key: first } = await run(admin, 'operator', 'add', 'briefly', '--role', 'viewer', '--days', '1')
  const { key: ending } = await run(first!, 'operator', 'key', 'rotate')
  const set = (name: string, key: string) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../main.ts'), 'operator', 'password', name], {
      input: 'long and of my own\n',
      encoding: 'utf8' as const,
      env: { ...process.env, ...environment, POSTERN_OPERATOR_KEY: key },
    })
  assert.match(set('briefly', ending!).stderr, /a key that expires cannot set a password/)
  const passwordOf = async (name: string): Promise<string> =>
    (await listOperators(database)).find((listed) => listed.name === name)!.password
  assert.equal(await passwordOf('briefly'), 'none')
  const key = await operator(admin, 'lasting', 'viewer')
  assert.match(set('lasting', key).stdout, /your sessions have ended/)
  const { keyId } = await run(key, 'operator', 'key', 'rotate')
  assert.equal(await passwordOf('lasting'), 'own')
  await run(admin, 'operator', 'key', 'revoke', keyId!, '--reason', 'stolen')
  assert.equal(await passwordOf('lasting'), 'none')
})

test('the name "unknown" is reserved', async () => {
  await fails(admin, /'unknown' is reserved/, 'operator', 'add', 'unknown', '--role', 'viewer')
})

test('an admin resets a second factor with a reason', async () => {
  assert.deepEqual(await run(admin, 'operator', 'totp', 'reset', 'vi', '--reason', 'phone lost'), {
    name: 'vi',
    reset: false,
  })
  await fails(viewer, /lacks the right 'operators'/, 'operator', 'totp', 'reset', 'vi', '--reason', 'x')
  await fails(admin, /operator 'nobody' not found/, 'operator', 'totp', 'reset', 'nobody', '--reason', 'x')
})

test('the owner of the database recovers a lost key', async () => {
  const { key } = await run('', 'operator', 'recover', 'kim', '--reason', 'all keys are lost')
  await run(key!, 'operator', 'key', 'rotate')
})

test('a revoked key leaves no hash, and no key is stored', async () => {
  const stored = await database.query<{ row: string }>('select k::text as row from operator_keys k')
  for (const { row } of stored.rows) assert.doesNotMatch(row, /postern_op_/)
  const left = await database.query(
    'select from operator_keys where revoked_at is not null and hash is not null',
  )
  assert.equal(left.rowCount, 0)
})

test('a client has no operator rights', () => {
  for (const right of Object.keys(rights) as Right[]) assert.equal(hasRight('client', right), false, right)
})

test('a higher role has every right of a lower one', () => {
  for (const right of Object.keys(rights) as Right[])
    for (const [index, role] of roles.entries())
      for (const higher of roles.slice(index))
        assert.ok(!hasRight(role, right) || hasRight(higher, right), right)
})
