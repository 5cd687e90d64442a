/**
 * Operator commands print the same over the admin API as on the database, and replace a first key over it.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { enrol } from '../../../test/support/http/browser.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand, type CapturedOutput } from '../../../test/support/command.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { pipeInto } from '../../../test/support/processes/typed-command.ts'
import { listAudit } from '../../identity/audit/queries.ts'

const bed = await startBothWays()
const { database, compare, onDatabase, overHttp, as, adminUrl, keys } = bed
await createAccount(database, 'shop')
const folder = mkdtempSync(join(tmpdir(), 'postern-operators-'))
addCleanup(() => rmSync(folder, { recursive: true }))
const because = ['--reason', 'a test']

function documentOf({ exitCode, stdout, stderr }: CapturedOutput): Record<string, string> {
  assert.equal(exitCode, 0, stderr)
  return JSON.parse(stdout) as Record<string, string>
}
const withKey = (key: string, ...args: string[]) =>
  runCommand(
    { POSTERN_DATABASE_URL: '', POSTERN_ADMIN_URL: adminUrl, POSTERN_OPERATOR_KEY: key },
    ...args,
    '--json',
  )
const lastRow = async () => (await listAudit(database, { limit: 1 }))[0]!

test('operators are added, listed, changed and disabled in the same way over both backends', async () => {
  const add = ['operator', 'add', 'park', '--role', 'client', '--account', 'shop', '--days', '9', '--json']
  const { name, key, endsAt } = documentOf(await overHttp(...add))
  assert.equal(name, 'park')
  assert.match(key!, /^postern_op_/)
  assert.ok(new Date(endsAt!) > new Date())
  const [repeated, repeatedOverHttp] = [await onDatabase(...add), await overHttp(...add)]
  assert.deepEqual(repeatedOverHttp, repeated)
  assert.match(repeated.stderr, /operator 'park' already exists/)
  await compare(['operator', 'list'])
  await compare(['operator', 'role', 'viewer', 'support', ...because])
  await compare(['operator', 'disable', 'viewer', ...because])
  await compare(['operator', 'list'])
  await compare(['operator', 'enable', 'viewer', ...because])
  await compare(['operator', 'totp', 'reset', 'viewer', ...because])
  for (const args of [
    ['operator', 'role', 'nobody', 'admin', ...because],
    ['operator', 'disable', 'admin', ...because],
    ['operator', 'key', 'add', 'support'],
    ['operator', 'key', 'revoke', 'AAAAAAAAAAAA', ...because],
    ['operator', 'totp', 'reset', 'nobody', ...because],
  ]) {
    const [local, remote] = [await onDatabase(...args), await overHttp(...args)]
    assert.deepEqual(remote, local)
    assert.notEqual(local.exitCode, 0)
  }
})

test('a first key can only be replaced, and the old key is then refused', async () => {
  const { key: first } = documentOf(await overHttp('operator', 'add', 'lee', '--role', 'viewer', '--json'))
  assert.match(
    (await withKey(first!, 'route', 'list')).stderr,
    /created by another operator; replace it first/,
  )
  const { key, name } = documentOf(await withKey(first!, 'operator', 'key', 'rotate'))
  assert.equal(name, 'lee')
  assert.deepEqual([(await lastRow()).action, (await lastRow()).actor], ['operator key rotate', 'lee'])
  documentOf(await withKey(key!, 'route', 'list'))
  assert.match((await withKey(first!, 'route', 'list')).stderr, /refused the key/)
  // A client operator can run only this command.
  const { key: ofClient } = documentOf(
    await overHttp('operator', 'key', 'add', 'park', '--replace', ...because, '--json'),
  )
  const replaced = documentOf(await withKey(ofClient!, 'operator', 'key', 'rotate'))
  assert.match(
    (await withKey(replaced.key!, 'route', 'list')).stderr,
    /client operator .* is not allowed to run commands/,
  )
})

test('a profile gets the key that replaces its own', async () => {
  const { key: first } = documentOf(await overHttp('operator', 'add', 'choi', '--role', 'viewer', '--json'))
  const { key } = documentOf(await withKey(first!, 'operator', 'key', 'rotate'))
  mkdirSync(join(folder, 'postern'))
  const file = join(folder, 'postern/profiles.json')
  const profiles = { current: 'p', profiles: { p: { url: adminUrl, key } } }
  writeFileSync(file, JSON.stringify(profiles), { mode: 0o600 })
  const environment = { POSTERN_DATABASE_URL: '', POSTERN_OPERATOR_KEY: '', XDG_CONFIG_HOME: folder }
  const rotated = documentOf(await runCommand(environment, 'operator', 'key', 'rotate', '--json'))
  assert.ok(readFileSync(file, 'utf8').includes(rotated.key!))
  documentOf(await runCommand(environment, 'route', 'list', '--json'))
})

test('only admins can revoke keys of others', async () => {
  const { keyId } = documentOf(await overHttp('operator', 'add', 'han', '--role', 'viewer', '--json'))
  documentOf(await overHttp('operator', 'key', 'revoke', keyId!, ...because, '--json'))
  assert.match((await as('support', 'operator', 'list')).stderr, /lacks the right 'operators'/)
  assert.match((await as('support', 'operator', 'key', 'add', 'han')).stderr, /lacks the right 'operators'/)
})

/** The password is read from standard input. */
function setPassword(key: string, input: string, ...args: string[]): Promise<CapturedOutput> {
  const environment = { POSTERN_DATABASE_URL: '', POSTERN_ADMIN_URL: adminUrl, POSTERN_OPERATOR_KEY: key }
  return pipeInto(environment, input, 'operator', 'password', ...args)
}

test('an operator sets its own password, and an admin sets an initial one', async () => {
  const changed = await setPassword(keys.support, 'a long enough one\n', 'support', '--json')
  assert.deepEqual(documentOf(changed), { name: 'support', first: false })
  const short = await setPassword(keys.support, 'short\n', 'support')
  assert.match(short.stderr, /password/)
  assert.equal(short.exitCode, 2)
  const typed = await setPassword(keys.admin, 'a long enough one\n', 'viewer', ...because, '--json')
  assert.deepEqual(documentOf(typed), { name: 'viewer', first: true })
  const made = documentOf(
    await overHttp('operator', 'password', 'viewer', '--generate', ...because, '--json'),
  )
  assert.equal(made.password!.length >= 12, true)
  const another = await setPassword(keys.support, 'a long enough one\n', 'viewer', ...because)
  assert.match(another.stderr, /lacks the right 'operators'/)
  const rows = await listAudit(database, { limit: 20 })
  assert.ok(!JSON.stringify(rows).includes('a long enough one'))
})

test('a session cannot change operators, and the error names the alternative', async () => {
  const { browser } = await enrol(database, bed.server, 'admin')
  const answer = await browser.call('POST', '/admin/v1/operators', { name: 'eve', role: 'viewer' })
  assert.deepEqual([answer.status, answer.body.code], [409, 'refused'])
  assert.match(answer.body.detail, /requires an operator key, not a session/)
})
