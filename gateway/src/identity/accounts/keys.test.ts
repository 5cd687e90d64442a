/**
 * Credentials through the API and the commands: several for one account, limited by scope, network and expiry, rotated
 * with an overlap, and ended within two seconds, with their tokens.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { openCredentialFixture, type CredentialOutput } from '../../../test/support/http/credentials.ts'
import type { TestResponse, TestAccount } from '../../../test/support/http/server.ts'
import { assertWithin, waitFor } from '../../../test/support/wait.ts'

const { database, api, environment, passwordHash, command, login, use, end } = await openCredentialFixture()
const refused = async (...args: string[]): Promise<string> => {
  const { exitCode, stderr } = await runCommand(environment, 'account', ...args)
  assert.equal(exitCode, 1)
  return stderr
}
const tokenOf = async (clientId: string, password: string, from?: string): Promise<string> => {
  const { status, body } = await login(clientId, password, from)
  assert.equal(status, 200, body.result)
  return (body.data as { token: string }).token
}
const codeOf = async (answer: Promise<TestResponse>): Promise<string> => {
  const { status, body } = await answer
  return `${status} ${body.code}`
}
const account = (): Promise<TestAccount> => api.account({ passwordHash })

test('a key is a bearer token, and is exchanged for one, in addition to the password', async () => {
  const { clientId } = await account()
  const { keyId, key } = await command('key', 'add', clientId, '--name', 'backend')
  assert.match(key, new RegExp(`^postern_${keyId}cell00_[A-Za-z0-9_-]{43}$`))
  assert.equal(key.slice(20, 26), 'cell00', 'a proxy reads the cell where it reads that of a token')
  assert.equal(await codeOf(use(key)), '200 A000')
  assert.equal(await codeOf(use(await tokenOf(clientId, key))), '200 A000')
  assert.equal(await codeOf(use(await tokenOf(clientId, 'FIRST'))), '200 A000')
  const stored = await database.query<{ hash: string }>('select hash from credentials where key_id = $1', [
    keyId,
  ])
  assert.match(stored.rows[0]!.hash, /^[0-9a-f]{64}$/)
})

test('a key of another account, a changed key and an unknown key are refused', async () => {
  const [{ clientId: one }, { clientId: two }] = [await account(), await account()]
  const { key } = await command('key', 'add', one, '--name', 'test')
  assert.equal(await codeOf(login(two, key)), '401 A100')
  const changed = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')
  assert.equal(await codeOf(use(changed)), '401 A002')
  assert.equal(await codeOf(login(one, changed)), '401 A100')
  assert.equal(await codeOf(use(key.replace(/^postern_.{4}/, 'postern_0000'))), '401 A002')
})

test('a key that another process has just added works immediately', async () => {
  const { clientId } = await account()
  const { stdout } = await runCommand(
    environment,
    'account',
    'key',
    'add',
    clientId,
    '--name',
    'test',
    '--json',
  )
  assert.equal(await codeOf(use((JSON.parse(stdout) as CredentialOutput).key)), '200 A000')
})

test('scopes limit a key and its tokens, and the response names the missing scope', async () => {
  const { clientId } = await account()
  const { key, keyId } = await command('key', 'add', clientId, '--name', 'test', '--scopes', 'report')
  for (const bearer of [key, await tokenOf(clientId, key)]) {
    assert.equal(await codeOf(use(bearer)), '200 A000')
    const { status, body } = await use(bearer, '/v1/send/sms')
    assert.deepEqual([status, body.code], [403, 'A113'])
    assert.match(body.result, new RegExp(`key ${keyId} has the scopes report; this request requires send`))
    assert.equal(await codeOf(use(bearer, '/v1/usage')), '403 A113')
    // Replies of recipients need a separate scope.
    assert.equal(await codeOf(use(bearer, '/v1/replies')), '403 A113')
  }
})

test('networks limit a key and its tokens, over IPv4 and IPv6', async () => {
  const { clientId } = await account()
  const { key } = await command(
    'key',
    'add',
    clientId,
    '--name',
    'test',
    '--networks',
    '203.0.113.0/24,2001:db8::/48',
  )
  const token = await tokenOf(clientId, key, '203.0.113.7')
  for (const bearer of [key, token]) {
    for (const inside of ['203.0.113.255', '::ffff:203.0.113.9', '2001:db8:0:1::5'])
      assert.equal(await codeOf(use(bearer, undefined, inside)), '200 A000', inside)
    for (const outside of ['203.0.114.1', '2001:db9::1', 'unknown'])
      assert.equal(await codeOf(use(bearer, undefined, outside)), '403 A113', outside)
  }
  assert.equal(await codeOf(login(clientId, key, '198.51.100.1')), '403 A113')
})

test('an expired key and its tokens get A001, and a token request with the key gets A100', async () => {
  const { clientId } = await account()
  const { key, keyId } = await command('key', 'add', clientId, '--name', 'test', '--days', '1')
  const answer = await login(clientId, key)
  const { token, expired } = answer.body.data as { token: string; expired: string }
  assert.ok(Date.parse(expired) <= Date.now() + 86_400_000)
  await end(keyId)
  await api.accounts.refresh()
  assert.equal(await codeOf(use(key)), '401 A001')
  assert.equal(await codeOf(use(token)), '401 A001')
  const { status, body } = await login(clientId, key)
  assert.deepEqual([status, body.code], [401, 'A100'])
  assert.match(body.result, /has expired; use its successor/)
})

test('only a revoked key and its tokens end within two seconds', async () => {
  const { clientId } = await account()
  const [firstRevoked, kept] = [
    await command('key', 'add', clientId, '--name', 'test'),
    await command('key', 'add', clientId, '--name', 'test'),
  ]
  const [tokenGone, tokenKept] = [
    await tokenOf(clientId, firstRevoked.key),
    await tokenOf(clientId, kept.key),
  ]
  await api.accounts.start()
  const began = performance.now()
  await runCommand(environment, 'account', 'key', 'revoke', clientId, firstRevoked.keyId)
  await waitFor('the revocation', async () => (await codeOf(use(tokenGone))) === '401 A002')
  assertWithin('the revocation', performance.now() - began, 2_000)
  api.accounts.stop()
  assert.equal(await codeOf(use(firstRevoked.key)), '401 A002')
  assert.equal(await codeOf(login(clientId, firstRevoked.key)), '401 A100')
  for (const bearer of [kept.key, tokenKept]) assert.equal(await codeOf(use(bearer)), '200 A000')
})

test('a rotated key works next to its successor until the overlap ends', async () => {
  const { clientId } = await account()
  const first = await command(
    'key',
    'add',
    clientId,
    '--name',
    'test',
    '--scopes',
    'report',
    '--networks',
    '192.0.2.0/24',
  )
  const second = await command('key', 'rotate', clientId, first.keyId)
  const hours = (Date.parse(second.previousUntil!) - Date.now()) / 3_600_000
  assert.ok(hours > 23.9 && hours <= 24)
  for (const { key } of [first, second]) {
    assert.equal(await codeOf(use(key)), '200 A000')
    assert.equal(await codeOf(use(key, '/v1/usage')), '403 A113', 'the successor has the same rights')
    assert.equal(await codeOf(use(key, undefined, '198.51.100.1')), '403 A113')
  }
  await end(first.keyId)
  await api.accounts.refresh()
  assert.equal(await codeOf(use(first.key)), '401 A001')
  assert.equal(await codeOf(use(second.key)), '200 A000')
})

test('a second rotation within the overlap is refused; forced, it ends the oldest key', async () => {
  const { clientId } = await account()
  const first = await command('key', 'add', clientId, '--name', 'test')
  const second = await command('key', 'rotate', clientId, first.keyId, '--overlap-hours', '168')
  assert.match(await refused('key', 'rotate', clientId, second.keyId), /is valid until .*; wait .*--force/)
  assert.match(await refused('key', 'rotate', clientId, first.keyId), /was replaced by .*; rotate that one/)
  const third = await command('key', 'rotate', clientId, second.keyId, '--force')
  assert.equal(await codeOf(use(first.key)), '401 A002')
  for (const { key } of [second, third]) assert.equal(await codeOf(use(key)), '200 A000')
})

test('a leaked password ends immediately with its tokens; a changed one keeps its overlap', async () => {
  const { clientId } = await account()
  const other = await command('key', 'add', clientId, '--name', 'test')
  const leaked = await tokenOf(clientId, 'FIRST')
  const second = await command('password', clientId, '--overlap-hours', '0')
  assert.equal(await codeOf(login(clientId, 'FIRST')), '401 A100')
  assert.equal(await codeOf(use(leaked)), '401 A002')
  assert.equal(await codeOf(use(other.key)), '200 A000')
  const token = await tokenOf(clientId, second.password)
  const third = await command('password', clientId)
  for (const bearer of [
    token,
    await tokenOf(clientId, second.password),
    await tokenOf(clientId, third.password),
  ])
    assert.equal(await codeOf(use(bearer)), '200 A000')
  assert.match(await refused('password', clientId), /the predecessor of the password is valid until/)
})

test('the list shows state, creator and last use, but no secret', async () => {
  const { clientId } = await account()
  const { key, keyId } = await command(
    'key',
    'add',
    clientId,
    '--name',
    'billing',
    '--scopes',
    'report,usage',
  )
  await use(key, undefined, '203.0.113.7')
  const read = async () => {
    const { stdout } = await runCommand(environment, 'account', 'key', 'list', clientId, '--json')
    assert.ok(!stdout.includes(key.slice(27)) && !/argon2|[0-9a-f]{64}/.test(stdout))
    return (JSON.parse(stdout) as { credentials: Record<string, unknown>[] }).credentials
  }
  await waitFor('the last use', async () => (await read())[1]!.usedFrom === '203.0.113.7', {
    timeoutMs: 5_000,
  })
  const [password, made] = await read()
  assert.deepEqual([password!.kind, password!.active], ['password', true])
  assert.deepEqual([made!.keyId, made!.name, made!.scopes], [keyId, 'billing', ['report', 'usage']])
  assert.match(String(made!.createdBy), /@/)
})
