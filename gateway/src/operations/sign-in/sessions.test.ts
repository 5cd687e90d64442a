/** Browser sessions: their owners, their end, and protection from other sites. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import {
  Browser,
  currentCode,
  enrol,
  resetUsedCodes,
  setFirstPassword,
} from '../../../test/support/http/browser.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { resetTotp } from '../../identity/operators/login-queries.ts'
import { listOperators, updateOperator } from '../../identity/operators/queries.ts'
import type { Config } from '../../platform/settings/config.ts'
import { cookieNames, readCookie } from './cookies.ts'

const admin = await createTestAdmin()
const { database, server } = admin
await createAccount(database, 'shop')
const lastRow = async () => (await listAudit(database, { limit: 1 }))[0]!
const findId = async (wanted: string): Promise<number> =>
  (await listOperators(database)).find(({ name }) => name === wanted)!.id

interface Me {
  readonly name: string
  readonly role: string
  readonly signedInWith: string
  readonly keyId: string | null
  readonly session: { id: string; endsAt: string; idleEndsAt: string; current: boolean } | null
}
const me = async (browser: Browser): Promise<Me> =>
  (await browser.call('GET', '/admin/v1/me')).body.data as unknown as Me
const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.call('GET', '/admin/v1/me')).status === 200

interface Sessions {
  readonly sessions: readonly { readonly id: string; readonly operator: string; readonly current: boolean }[]
}
const listSessions = async (browser: Browser): Promise<Sessions['sessions']> =>
  ((await browser.call('GET', '/admin/v1/sessions')).body.data as unknown as Sessions).sessions

/** Opens another browser of an operator who has enrolled. */
async function signInAgain({ name, password, secret }: Awaited<ReturnType<typeof enrol>>): Promise<Browser> {
  await resetUsedCodes(database)
  const browser = new Browser(server)
  assert.equal((await browser.signIn({ name, password, code: currentCode(secret) })).status, 200)
  return browser
}

test('a session has operator, method and expiry, and acts with the rights of the role', async () => {
  const { browser } = await enrol(database, server, 'operator')
  const { name, signedInWith, keyId, session } = await me(browser)
  assert.deepEqual([name, signedInWith, keyId, session!.current], ['operator', 'password', null, true])
  const hours = (Date.parse(session!.endsAt) - Date.now()) / 3_600_000
  assert.ok(hours > 11.9 && hours <= 12.1, String(hours))
  const minutes = (Date.parse(session!.idleEndsAt) - Date.now()) / 60_000
  assert.ok(minutes > 29 && minutes <= 30.5, String(minutes))
  const blocked = await browser.call('POST', '/admin/v1/accounts/shop/block', { reason: 'case 7' })
  assert.equal(blocked.status, 200, JSON.stringify(blocked.body))
  const { actor, action, keyId: recorded } = await lastRow()
  assert.deepEqual([actor, action, recorded], ['operator', 'account block', `session ${session!.id}`])
  const forbidden = await browser.call('POST', '/admin/v1/rules/sender/disable', { reason: 'x' })
  assert.deepEqual([forbidden.status, forbidden.body.code], [403, 'forbidden'])
  assert.equal((await admin.get<Me>('operator', '/admin/v1/me')).signedInWith, 'key')
})

test('the cookie is only for this host, and hidden from scripts', async () => {
  const { name, password, secret } = await enrol(database, server, 'operator')
  await resetUsedCodes(database)
  const { setCookies } = await new Browser(server).signIn({ name, password, code: currentCode(secret) })
  assert.match(setCookies[0]!, /^postern-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  const names = (config: Partial<Config>, certificate: boolean): string =>
    cookieNames({ httpPlaintext: 'warn', ...config }, certificate).session
  assert.equal(names({}, true), '__Host-postern-session')
  assert.equal(names({ httpPlaintext: 'proxy' }, false), '__Host-postern-session')
  assert.equal(names({ adminUrl: 'https://console.example.com' }, false), '__Host-postern-session')
  assert.equal(names({ adminUrl: 'http://localhost:8090', httpPlaintext: 'proxy' }, false), 'postern-session')
  assert.equal(names({ adminUrl: 'http://localhost:8090' }, true), '__Host-postern-session')
  assert.throws(
    () => names({ adminUrl: 'http://console.example.com' }, false),
    /POSTERN_ADMIN_URL must start with https/,
  )
  assert.equal(readCookie('a=1; postern-session=x; b=2', 'postern-session'), 'x')
  assert.equal(readCookie('apostern-session=x', 'postern-session'), undefined)
})

test('the cookie over HTTPS has the prefix that binds it to the host', async () => {
  const secure = await createTestAdmin({ settings: { POSTERN_ADMIN_URL: 'https://console.example.com' } })
  const { browser } = await enrol(secure.database, secure.server, 'viewer')
  assert.deepEqual([...browser.cookies.keys()], ['__Host-postern-session'])
  const fromElsewhere = { origin: 'https://evil.example' }
  const fromHere = { origin: 'https://console.example.com' }
  assert.equal((await browser.call('DELETE', '/admin/v1/session', undefined, fromElsewhere)).status, 403)
  assert.equal((await browser.call('DELETE', '/admin/v1/session', undefined, fromHere)).status, 200)
})

test('a page of another site can neither change nor read anything; requests with a key are not restricted', async () => {
  const { browser } = await enrol(database, server, 'operator')
  const change = (headers: Record<string, string>) =>
    browser.call('POST', '/admin/v1/accounts/shop/revoke-tokens', {}, headers)
  const refused: Record<string, string>[] = [
    ...['cross-site', 'same-site', 'none'].map((site) => ({ 'sec-fetch-site': site })),
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' },
    ...[{}, { origin: 'null' }, { origin: 'http://evil.example' }],
  ]
  for (const headers of refused) {
    const { status, body } = await change(headers)
    assert.deepEqual([status, body.code], [403, 'cross-site'], JSON.stringify(headers))
  }
  const search = { account: 'shop', recipient: '01012345678', reason: 'x' }
  const other = { 'sec-fetch-site': 'cross-site' }
  const navigated = await browser.call('POST', '/admin/v1/messages/search', search, other)
  assert.equal(navigated.body.code, 'cross-site')
  const looked = await lastRow()
  assert.deepEqual([looked.result, JSON.parse(looked.details)], ['refused', { why: 'cross-site' }])
  assert.equal((await change({ 'sec-fetch-site': 'same-origin' })).status, 200)
  assert.equal((await change({ origin: 'http://gw.test', host: 'gw.test' })).status, 200)
  const key = { authorization: `Bearer ${admin.keys.operator}`, 'sec-fetch-site': 'cross-site' }
  assert.equal((await change(key)).status, 200)
  const signIn = await browser.call('POST', '/admin/v1/session', { name: 'x', password: 'x' }, refused[0])
  assert.equal(signIn.body.code, 'cross-site')
  const { actor, action, result, details } = await lastRow()
  assert.deepEqual([actor, action, result], ['unknown', 'session start', 'refused'])
  assert.deepEqual(JSON.parse(details), { why: 'cross-site' })
})

test('a session ends by signing out, and the cookie is removed', async () => {
  const { browser } = await enrol(database, server, 'viewer')
  const cookies = [...browser.cookies]
  assert.equal((await browser.call('DELETE', '/admin/v1/session')).status, 200)
  assert.deepEqual([(await lastRow()).action, (await lastRow()).actor], ['session end', 'viewer'])
  assert.equal(browser.cookies.size, 0)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  assert.equal((await browser.call('GET', '/admin/v1/me')).body.code, 'unauthenticated')
  assert.equal((await admin.call('viewer', 'DELETE', '/admin/v1/session')).body.code, 'refused')
})

test('a session ends after half an hour without requests, and after twelve hours', async () => {
  const { browser } = await enrol(database, server, 'viewer')
  const age = (column: string, change: string): Promise<unknown> =>
    database.query(`update operator_sessions set ${column} = ${change}`)
  const usedAt = async (): Promise<number> =>
    (
      await database.query<{ at: Date }>('select max(used_at) as at from operator_sessions')
    ).rows[0]!.at.getTime()
  await age('used_at', `now() - interval '29 minutes'`)
  const before = await usedAt()
  // Automatic requests of a page do not count.
  await browser.call('GET', '/admin/v1/me', undefined, { 'postern-background': '1' })
  assert.equal(await usedAt(), before)
  // A page makes no automatic changes or exports, whatever the request says.
  const change = await browser.call(
    'POST',
    '/admin/v1/parked/retry',
    {},
    { 'sec-fetch-site': 'same-origin', 'postern-background': '1' },
  )
  assert.equal(change.body.code, 'forbidden')
  assert.ok((await usedAt()) > before)
  await age('used_at', `now() - interval '29 minutes'`)
  assert.ok(await isSignedIn(browser))
  assert.ok((await usedAt()) > before)
  await age('used_at', `now() - interval '31 minutes'`)
  assert.equal(await isSignedIn(browser), false)
  await age('used_at', 'now()')
  assert.ok(await isSignedIn(browser))
  await age('ends_at', 'now()')
  assert.equal(await isSignedIn(browser), false)
})

test('sessions end permanently if the operator is disabled, or password or second factor change', async () => {
  const enrolled = await enrol(database, server, 'support')
  const id = await findId('support')
  await updateOperator(database, null, id, { disabled: true })
  assert.equal(await isSignedIn(enrolled.browser), false)
  await updateOperator(database, null, id, { disabled: false })
  assert.equal(await isSignedIn(enrolled.browser), false)
  const second = await signInAgain(enrolled)
  await updateOperator(database, null, id, { role: 'viewer' })
  assert.equal((await me(second)).role, 'viewer')
  await updateOperator(database, null, id, { role: 'support' })
  await setFirstPassword(database, 'support')
  assert.equal(await isSignedIn(second), false)
  const third = (await enrol(database, server, 'viewer')).browser
  await resetTotp(database, null, await findId('viewer'))
  assert.equal(await isSignedIn(third), false)
})

test('changing the own password ends the other sessions', async () => {
  const enrolled = await enrol(database, server, 'viewer')
  await resetUsedCodes(database)
  const { name, password, secret, browser } = enrolled
  const other = new Browser(server)
  const given = { name, password, newPassword: 'another long one of mine', code: currentCode(secret) }
  assert.equal((await other.signIn(given)).status, 200)
  assert.deepEqual([await isSignedIn(browser), await isSignedIn(other)], [false, true])
})

test('operators list and end their own sessions, an admin all', async () => {
  const enrolled = await enrol(database, server, 'viewer')
  const second = await signInAgain(enrolled)
  const { browser: adminBrowser } = await enrol(database, server, 'admin')
  const seen = await listSessions(second)
  assert.deepEqual(
    seen.map(({ operator, current }) => [operator, current]),
    [
      ['viewer', true],
      ['viewer', false],
    ],
  )
  const ofAdmin = (await listSessions(adminBrowser)).find(({ current }) => current)!
  const foreign = await second.call('DELETE', `/admin/v1/sessions/${ofAdmin.id}`)
  assert.equal(foreign.status, 404)
  assert.equal((await second.call('DELETE', `/admin/v1/sessions/${seen[1]!.id}`)).status, 200)
  assert.deepEqual([await isSignedIn(enrolled.browser), await isSignedIn(second)], [false, true])
  const listed = await listSessions(adminBrowser)
  assert.ok(listed.some(({ operator }) => operator === 'viewer'))
  assert.equal(
    (await adminBrowser.call('DELETE', `/admin/v1/sessions/${seen[0]!.id}?reason=left`)).status,
    200,
  )
  assert.equal(await isSignedIn(second), false)
  const { target, reason } = await lastRow()
  assert.deepEqual([target, reason], ['viewer', 'left'])
})

test('an operator has at most 20 sessions; the oldest end', async () => {
  const enrolled = await enrol(database, server, 'viewer')
  for (let i = 0; i < 20; i++) await signInAgain(enrolled)
  assert.equal(await isSignedIn(enrolled.browser), false)
  const { rows } = await database.query<{ n: number }>(
    'select count(*) as n from operator_sessions where operator_id = $1',
    [await findId('viewer')],
  )
  assert.equal(rows[0]!.n, 20)
})

test('an invalid cookie is refused, but a key next to it counts', async () => {
  const browser = new Browser(server)
  for (const value of ['x', 'A'.repeat(43), "'; drop table operators --"]) {
    browser.cookies.set('postern-session', value)
    assert.equal((await browser.call('GET', '/admin/v1/me')).body.code, 'unauthenticated')
  }
  const withKey = { authorization: `Bearer ${admin.keys.viewer}` }
  assert.equal((await browser.call('GET', '/admin/v1/me', undefined, withKey)).status, 200)
})

test('the sign-in methods are public', async () => {
  const { body } = await new Browser(server).call('GET', '/admin/v1/sign-in')
  assert.deepEqual(body.data, { password: true, oidc: null })
  const none = await new Browser(server).call('GET', '/admin/v1/oidc/start')
  assert.match(none.body.detail, /has no sign-in provider/)
})
