/**
 * Signing in stores a working key for its owner only, and options and environment select the backend of
 * commands.
 */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { addTestOperator } from '../../../test/support/http/operators.ts'
import { pipeInto } from '../../../test/support/processes/typed-command.ts'
import { createOperatorKey } from '../../identity/operators/key.ts'

const { adminUrl, database, keys, url, as } = await startBothWays()
const folder = mkdtempSync(join(tmpdir(), 'postern-profiles-'))
addCleanup(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'postern/profiles.json')
const none = { POSTERN_DATABASE_URL: '', POSTERN_ADMIN_URL: '', POSTERN_OPERATOR_KEY: '' }
const environment = { ...none, XDG_CONFIG_HOME: folder }
const run = (...args: string[]) => runCommand(environment, ...args)

const login = (input: string, ...args: string[]) => pipeInto(environment, input, 'login', ...args)

test('a command without a profile and a database names both options', async () => {
  const { exitCode, stderr } = await run('route', 'list')
  assert.equal(exitCode, 2)
  assert.match(stderr, /postern login --url .*set POSTERN_DATABASE_URL/)
})

test('an invalid key is not stored', async () => {
  const { exitCode, stderr } = await login(`${createOperatorKey().text}\n`, '--url', adminUrl)
  assert.equal(exitCode, 1)
  assert.match(stderr, /refused the key/)
  assert.throws(() => statSync(file), /ENOENT/)
  assert.equal((await login('', '--url', adminUrl)).exitCode, 2)
})

test('the key of a client is refused and not stored', async () => {
  const key = await addTestOperator(database, 'client', 'client', await createAccount(database, 'shop'))
  const inEnvironment = { ...environment, POSTERN_ADMIN_URL: adminUrl, POSTERN_OPERATOR_KEY: key }
  const refused = [
    await login(key, '--url', adminUrl),
    await runCommand(inEnvironment, 'account', 'show', 'shop'),
  ]
  for (const { exitCode, stderr } of refused) {
    assert.equal(exitCode, 1)
    assert.match(stderr, /client operator 'client' is not allowed to run commands: use the console/)
  }
  assert.throws(() => statSync(file), /ENOENT/)
})

test('a sign-in is stored for its owner only, and commands use it', async () => {
  const { exitCode, stdout, stderr } = await login(`${keys.viewer}\n`, '--url', adminUrl, '--json')
  assert.equal(exitCode, 0, stderr)
  const { keyId, ...shown } = JSON.parse(stdout) as Record<string, string>
  assert.deepEqual(shown, { profile: 'default', url: adminUrl, operator: 'viewer', role: 'viewer' })
  assert.ok(keys.viewer.includes(keyId!) && !stdout.includes(keys.viewer))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(folder, 'postern')).mode & 0o777, 0o700)
  assert.deepEqual(await run('route', 'list'), await as('viewer', 'route', 'list'))
})

test('a missing right is named with the roles that have it', async () => {
  const { exitCode, stderr } = await run('route', 'pause', 'r')
  assert.equal(exitCode, 1)
  assert.match(stderr, /lacks the right 'routes' .*; roles that have it: operator, admin/)
})

test('profiles are listed without keys, selected and removed', async () => {
  await login(keys.operator, '--url', adminUrl, '--profile', 'other')
  const listed = await run('profile', 'list', '--json')
  const { profiles } = JSON.parse(listed.stdout) as { profiles: { name: string; current: boolean }[] }
  assert.deepEqual(
    profiles.map(({ name, current }) => [name, current]),
    [
      ['default', false],
      ['other', true],
    ],
  )
  assert.ok(!listed.stdout.includes(keys.operator))
  const refusalFor = async (...args: string[]) =>
    (await run('account', 'create', '--name', 'x', ...args)).stderr
  assert.match(await refusalFor('--profile', 'default'), /does not work over the admin API|viewer/)
  assert.equal((await run('profile', 'use', 'default')).exitCode, 0)
  assert.equal((await run('logout', '--profile', 'other')).exitCode, 0)
  assert.ok(!readFileSync(file, 'utf8').includes(keys.operator))
  const gone = await run('route', 'list', '--profile', 'other')
  assert.deepEqual(
    [gone.exitCode, gone.stderr],
    [1, "postern route list: profile 'other' not found; profiles: default\n"],
  )
})

test('options precede the database, the URL in the environment and the profile', async () => {
  const deny = 'postgres://nobody@127.0.0.1:1/none'
  const unreachable = /PostgreSQL at 127\.0\.0\.1:1 is unavailable/
  const stderrOf = async (settings: Record<string, string>, ...args: string[]) =>
    (await runCommand({ ...environment, ...settings }, 'route', 'list', ...args)).stderr
  assert.match(await stderrOf({ POSTERN_DATABASE_URL: deny }), unreachable)
  assert.equal(await stderrOf({ POSTERN_DATABASE_URL: deny }, '--profile', 'default'), '')
  assert.match(await stderrOf({ POSTERN_DATABASE_URL: deny, POSTERN_ADMIN_URL: adminUrl }), unreachable)
  assert.match(await stderrOf({ POSTERN_ADMIN_URL: 'http://127.0.0.1:1' }), /requires POSTERN_OPERATOR_KEY/)
  assert.match(
    await stderrOf({ POSTERN_ADMIN_URL: 'http://127.0.0.1:1', POSTERN_OPERATOR_KEY: keys.viewer }),
    /http:\/\/127\.0\.0\.1:1 is unreachable/,
  )
  assert.match(await stderrOf({}, '--database'), /--database requires POSTERN_DATABASE_URL/)
  assert.match(
    await stderrOf({}, '--database', '--profile', 'default'),
    /--profile and --database are mutually exclusive/,
  )
  const secret = join(folder, 'key')
  writeFileSync(secret, `${keys.viewer}\n`, { mode: 0o600 })
  assert.equal(await stderrOf({ POSTERN_ADMIN_URL: adminUrl, POSTERN_OPERATOR_KEY: `file:${secret}` }), '')
})

test('a command without an operation names its backend', async () => {
  for (const args of [['secrets', 'status'], ['secrets', 'status', '--profile', 'default'], ['migrate']]) {
    const { exitCode, stderr } = await run(...args)
    assert.equal(exitCode, 1)
    assert.match(
      stderr,
      /does not work over the admin API: it (compares|creates) .*; run it where POSTERN_DATABASE_URL is set/,
    )
  }
  const local = await runCommand(
    { ...environment, POSTERN_DATABASE_URL: url, POSTERN_OPERATOR_KEY: keys.admin },
    'secrets',
    'status',
  )
  assert.equal(local.exitCode, 0, local.stderr)
})

test('--by is refused: the key identifies the operator', async () => {
  const { exitCode, stderr } = await run('route', 'pause', 'r', '--by', 'kim')
  assert.equal(exitCode, 2)
  assert.match(stderr, /--by is not allowed over the admin API/)
})

test('a readable or damaged file is refused with the next step', async () => {
  chmodSync(file, 0o640)
  assert.match((await run('route', 'list')).stderr, /other users can read .*chmod 600/)
  chmodSync(file, 0o600)
  for (const content of ['{', '{"current":1}', '{"current":null,"profiles":{"x":{}}}']) {
    writeFileSync(file, content)
    assert.match((await run('profile', 'list')).stderr, /cannot use .*; delete it and sign in again/)
  }
})
