/**
 * Sign-in with a real OpenID Connect provider: roles by groups, refusals with the next step, and failures of
 * the provider.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import { Browser, enrol, type BrowserResponse } from '../../../test/support/http/browser.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { temporaryFolder } from '../../../test/support/files/test-bed.ts'
import { clientSecret, createTestProvider } from '../../../test/support/http/openid-provider.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { startProviderSession } from '../../identity/operators/provider-queries.ts'
import { listOperators, updateOperator } from '../../identity/operators/queries.ts'
import { createSession } from '../../identity/operators/session.ts'
import { loadConfig } from '../../platform/settings/config.ts'
import { localPath } from './pending.ts'
import { readProviderSettings } from './provider-settings.ts'

const publicUrl = 'http://127.0.0.1:8090'
const provider = await createTestProvider(`${publicUrl}/admin/v1/oidc/callback`)
const secretFile = join(await temporaryFolder(), 'secret')
writeFileSync(secretFile, `${clientSecret}\n`)
const settings = {
  POSTERN_ADMIN_URL: publicUrl,
  POSTERN_ADMIN_OIDC_ISSUER: provider.issuer,
  POSTERN_ADMIN_OIDC_CLIENT_ID: 'postern',
  POSTERN_ADMIN_OIDC_CLIENT_SECRET: `file:${secretFile}`,
  POSTERN_ADMIN_OIDC_SCOPE: 'openid profile groups',
  POSTERN_ADMIN_OIDC_ROLES: 'on-call=operator,gateway=admins=admin,everybody=viewer',
}
const admin = await createTestAdmin({ settings })
const { database, server } = admin
const lastRow = async () => (await listAudit(database, { limit: 1 }))[0]!
const findOperator = async (wanted: string) =>
  (await listOperators(database)).find(({ name }) => name === wanted)

/** Headers of the redirect from the page of the provider. */
const navigation = { 'sec-fetch-site': 'cross-site', accept: 'application/json' }

async function signIn(person: string, path = '') {
  const browser = new Browser(server)
  const started = await browser.call('GET', `/admin/v1/oidc/start${path}`, undefined, navigation)
  assert.equal(started.status, 303, JSON.stringify(started.body))
  const back = await provider.visit(String(started.headers.location), person)
  const finish = (): Promise<BrowserResponse> =>
    browser.call('GET', `${back.pathname}${back.search}`, undefined, navigation)
  return { browser, back, finish, answer: await finish() }
}

interface Me {
  readonly name: string
  readonly role: string
  readonly signedInWith: string
}
const me = async (browser: Browser): Promise<Me> =>
  (await browser.call('GET', '/admin/v1/me')).body.data as unknown as Me

test('a person with a mapped group is signed in and becomes an operator of the provider', async () => {
  provider.people.set('kim', { preferred_username: 'Kim@Example.com', groups: ['everybody', 'on-call', 'x'] })
  const offered = (await new Browser(server).call('GET', '/admin/v1/sign-in')).body.data as unknown as {
    oidc: { start: string }
  }
  assert.equal(offered.oidc.start, '/admin/v1/oidc/start')
  const { browser, answer } = await signIn('kim', '?return=/routes%3Fstate=down')
  assert.deepEqual([answer.status, answer.headers.location], [303, '/routes?state=down'])
  const { name, role, signedInWith } = await me(browser)
  assert.deepEqual([name, role, signedInWith], ['kim@example.com', 'operator', 'oidc'])
  const { actor, action, result, details } = await lastRow()
  assert.deepEqual([actor, action, result], ['kim@example.com', 'session start', 'done'])
  assert.deepEqual(JSON.parse(details), {
    method: 'oidc',
    issuer: provider.issuer,
    operator: 'new',
    role: 'operator',
  })
  const operator = await findOperator('kim@example.com')
  assert.deepEqual(
    [operator!.issuer, operator!.createdBy, operator!.password],
    [provider.issuer, 'oidc', 'none'],
  )
  assert.deepEqual([...browser.cookies.keys()], ['postern-session'])
})

test('the provider determines the role at each sign-in; the highest applies', async () => {
  provider.people.set('kim', { preferred_username: 'renamed', groups: ['everybody', 'gateway=admins'] })
  const { browser } = await signIn('kim')
  const { name, role } = await me(browser)
  assert.deepEqual([name, role], ['kim@example.com', 'admin'])
  const details = JSON.parse((await lastRow()).details) as { role: unknown }
  assert.deepEqual(details.role, { from: 'operator', to: 'admin' })
})

test('a person without a role, without a name or with an existing name is refused', async () => {
  provider.people.set('lee', { preferred_username: 'lee', groups: ['strangers'] })
  provider.people.set('no-claim', { preferred_username: 'no-claim' })
  provider.people.set('odd', { preferred_username: 'Ödd person', groups: ['everybody'] })
  provider.people.set('nobody', { preferred_username: 'Unknown', groups: ['everybody'] })
  provider.people.set('thief', { preferred_username: 'admin', groups: ['gateway=admins'] })
  for (const [person, status, code, message] of [
    ['lee', 403, 'no-role', /POSTERN_ADMIN_OIDC_ROLES/],
    ['no-claim', 403, 'no-role', /the claim 'groups'/],
    ['odd', 409, 'refused', /POSTERN_ADMIN_OIDC_NAME_CLAIM/],
    ['thief', 409, 'refused', /operator name 'admin' is already in use/],
    ['nobody', 409, 'refused', /POSTERN_ADMIN_OIDC_NAME_CLAIM/],
  ] as const) {
    const { browser, answer } = await signIn(person)
    assert.deepEqual([answer.status, answer.body.code], [status, code], person)
    assert.match(answer.body.detail, message)
    assert.equal(browser.cookies.has('postern-session'), false)
    const row = await lastRow()
    assert.deepEqual([row.actor, row.action, row.result], ['unknown', 'session start', 'refused'])
  }
  assert.equal(await findOperator('lee'), undefined)
})

test('a disabled operator is not signed in, and sessions end immediately', async () => {
  provider.people.set('park', { preferred_username: 'park', groups: ['on-call'] })
  const { browser } = await signIn('park')
  await updateOperator(database, null, (await findOperator('park'))!.id, { disabled: true })
  assert.equal((await browser.call('GET', '/admin/v1/me')).status, 401)
  assert.match((await signIn('park')).answer.body.detail, /'park' is disabled/)
})

test('a person who loses the role at the provider loses the sessions, which is recorded', async () => {
  provider.people.set('choi', { preferred_username: 'choi', groups: ['on-call'] })
  const { browser } = await signIn('choi')
  assert.equal((await me(browser)).role, 'operator')
  provider.people.set('choi', { preferred_username: 'choi', groups: [] })
  assert.equal((await signIn('choi')).answer.body.code, 'no-role')
  assert.equal((await browser.call('GET', '/admin/v1/me')).status, 401)
  const ended = (await listAudit(database, { limit: 5 })).find(({ action }) => action === 'session end')!
  assert.deepEqual([ended.actor, ended.target, ended.result], ['unknown', 'choi', 'done'])
  assert.deepEqual(JSON.parse(ended.details), { method: 'oidc', why: 'no-role', ended: 1 })
})

test('the role of a provider operator cannot be changed here', async () => {
  const environment = { POSTERN_DATABASE_URL: admin.url, POSTERN_OPERATOR_KEY: admin.keys.admin }
  const command = ['operator', 'role', 'kim@example.com', 'viewer', '--reason', 'x']
  const { exitCode, stderr } = await runCommand(environment, ...command)
  assert.equal(exitCode, 1)
  assert.match(stderr, /role of operator 'kim@example.com' is managed by .*; .*POSTERN_ADMIN_OIDC_ROLES/)
  assert.equal((await findOperator('kim@example.com'))!.role, 'admin')
})

test('a sign-in completes once, in the browser that began it, with the matching response', async () => {
  const { back, finish } = await signIn('kim')
  assert.equal((await finish()).body.code, 'invalid-request')
  const elsewhere = await new Browser(server).call('GET', `${back.pathname}${back.search}`)
  assert.match(elsewhere.body.detail, /sign-in expired/)
  const browser = new Browser(server)
  await browser.call('GET', '/admin/v1/oidc/start', undefined, navigation)
  const callback = (search: string) => browser.call('GET', `${back.pathname}${search}`, undefined, navigation)
  for (const search of [back.search, `?error=access_denied&state=${back.searchParams.get('state')}`]) {
    const { status, body } = await callback(search)
    assert.deepEqual([status, body.code], [409, 'refused'])
  }
  assert.equal(browser.cookies.has('postern-session'), false)
})

test('errors are shown to people as a page with the next step', async () => {
  const page = await new Browser(server).call('GET', '/admin/v1/oidc/callback?error=<script>', undefined, {
    accept: 'text/html',
  })
  assert.equal(page.status, 400)
  assert.equal(page.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
  assert.match(page.body.detail, /Sign in again/)
  assert.doesNotMatch(page.body.detail, /<script>/)
})

test('the browser returns to a path of this server, and nowhere else', () => {
  for (const path of ['/', '/routes?state=down', '/a/b#c', '/%2F%2Fevil.example'])
    assert.equal(localPath(path), path)
  for (const path of [
    ...[undefined, '', 'x', '//evil.example', '/\\evil.example', '\\\\evil.example', 'https://evil.example'],
    ...['/\t/evil.example', '/\n/evil.example', 'javascript:alert(1)', '/ü', `/${'x'.repeat(600)}`, '/a b'],
  ])
    assert.equal(localPath(path), '/')
  const texts = fc.oneof(
    fc.string(),
    fc.string().map((text) => `/${text}`),
    fc.webUrl(),
  )
  const here = 'https://console.example.com'
  fc.assert(fc.property(texts, (text) => assert.equal(new URL(localPath(text), here).origin, here)))
})

test('a failing provider is retried, and does not affect passwords, keys and commands', async () => {
  const limits = { maxMs: 300, maxBytes: 20_000 }
  const other = await createTestAdmin({ settings, signIn: { fetchLimits: limits } })
  const start = (): Promise<BrowserResponse> => new Browser(other.server).call('GET', '/admin/v1/oidc/start')
  const failures: readonly (readonly [NonNullable<typeof provider.replace>, RegExp])[] = [
    [() => undefined, /did not respond within 0.3 s/],
    [(_request, response) => void response.end('x'.repeat(30_000)), /more than 20000 bytes/],
    [(_request, response) => void response.writeHead(503).end(), /HTTP 503/],
    [
      (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1' }).end(),
      /invalid response/,
    ],
  ]
  for (const [replace, message] of failures) {
    provider.replace = replace
    assert.match((await start()).body.detail, message)
  }
  const { browser } = await enrol(other.database, other.server, 'viewer')
  assert.equal((await browser.call('GET', '/admin/v1/me')).status, 200)
  assert.equal((await other.call('viewer', 'GET', '/admin/v1/me')).status, 200)
  const environment = { POSTERN_DATABASE_URL: other.url, POSTERN_OPERATOR_KEY: other.keys.admin, ...settings }
  assert.equal((await runCommand(environment, 'operator', 'list')).exitCode, 0)
  provider.replace = null
  assert.equal((await start()).status, 303)
})

test('a provider operator has neither a key nor a password, and cannot be the first operator', async () => {
  const environment = { POSTERN_DATABASE_URL: admin.url, POSTERN_OPERATOR_KEY: admin.keys.admin }
  for (const command of [
    ['operator', 'key', 'add', 'kim@example.com'],
    ['operator', 'password', 'kim@example.com', '--generate', '--reason', 'x'],
    ['operator', 'totp', 'reset', 'kim@example.com', '--reason', 'x'],
  ]) {
    const { exitCode, stderr } = await runCommand(environment, ...command)
    assert.deepEqual([exitCode, /signs in with http:.* has no/.test(stderr)], [1, true], stderr)
  }
  const { database: empty } = await createTestDatabase()
  const place = { address: '', agent: '', seconds: 60 }
  const first = {
    issuer: 'i',
    subject: 's',
    name: 'n',
    role: 'admin' as const,
    session: createSession(),
    place,
  }
  assert.equal((await startProviderSession(empty, first)).outcome, 'no operators')
})

test('missing settings are reported at the start', () => {
  const base = {
    POSTERN_DATABASE_URL: 'postgres://x',
    POSTERN_BROKER_URLS: 'amqp://x',
    POSTERN_TOKEN_SECRET: 'x'.repeat(32),
    ...settings,
  }
  const read = (change: object) => readProviderSettings(loadConfig({ ...base, ...change }))
  assert.throws(() => read({ POSTERN_ADMIN_URL: '' }), /POSTERN_ADMIN_URL is required/)
  assert.throws(() => read({ POSTERN_ADMIN_OIDC_CLIENT_ID: '' }), /POSTERN_ADMIN_OIDC_CLIENT_ID is required/)
  assert.throws(() => read({ POSTERN_ADMIN_OIDC_ROLES: '' }), /POSTERN_ADMIN_OIDC_ROLES is required/)
  assert.throws(() => read({ POSTERN_ADMIN_OIDC_ROLES: 'a=owner' }), /value=role/)
  assert.throws(() => read({ POSTERN_ADMIN_OIDC_CLIENT_SECRET: 'in-clear' }), /env:NAME or file:\/path/)
  assert.throws(
    () => read({ POSTERN_ADMIN_OIDC_ISSUER: 'http://login.example.com' }),
    /must start with https/,
  )
  assert.equal(read({ POSTERN_ADMIN_OIDC_ISSUER: '' }), null)
})
