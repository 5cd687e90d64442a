/**
 * Sign-in of local operators with name, password and code: first sign-in, failures, recovery codes and
 * limits.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import {
  Browser,
  currentCode,
  enrol,
  firstPassword,
  resetUsedCodes,
  setFirstPassword,
  type StartedData,
} from '../../../test/support/http/browser.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { totpAssociatedData, startPasswordSession } from '../../identity/operators/login-queries.ts'
import { listOperators } from '../../identity/operators/queries.ts'
import { createSession } from '../../identity/operators/session.ts'
import { Encryption } from '../../platform/encryption/encryption.ts'
import { localMasterKey } from '../../platform/encryption/master-key.ts'
import { rekey } from '../secrets/reencrypt.ts'
import { defaultPauseLimits } from './pauses.ts'

const master = localMasterKey(randomBytes(32))
const admin = await createTestAdmin({
  encryption: new Encryption({ current: master, readable: [master] }),
  // Tests fail more often than people do.
  signIn: { pauses: { ...defaultPauseLimits, network: { free: 1_000, firstMs: 1, maxMs: 1 } } },
})
const { database, server } = admin
const lastRow = async () => (await listAudit(database, { limit: 1 }))[0]!
const toData = ({ body }: { body: { data?: unknown } }): StartedData => body.data as StartedData

test('the first sign-in replaces the initial password and enrols the second factor', async () => {
  await setFirstPassword(database, 'support')
  const browser = new Browser(server)
  const first = { name: 'support', password: firstPassword }
  const offered = toData(await browser.signIn(first))
  assert.deepEqual([offered.step, offered.enrolment!.newPassword], ['enrol', true])
  const again = toData(await browser.signIn(first)).enrolment!
  assert.notEqual(again.secret, offered.enrolment!.secret)
  assert.match(again.uri, new RegExp(`^otpauth://totp/Postern:support\\?secret=${again.secret}&`))
  assert.equal(browser.cookies.size, 0)

  const code = currentCode(again.secret)
  // The secret of an earlier offer is not accepted as the second factor.
  const earlierOffer = await browser.signIn({ ...first, code: currentCode(offered.enrolment!.secret) })
  assert.equal(earlierOffer.body.code, 'wrong-sign-in')
  assert.equal(toData(await browser.signIn({ ...first, code })).step, 'new-password')
  const short = await browser.signIn({ ...first, code, newPassword: 'short' })
  assert.equal(short.body.code, 'invalid-request')
  const named = await browser.signIn({ ...first, code, newPassword: 'my Support password' })
  assert.match(named.body.detail, /must not contain the name/)
  const common = await browser.signIn({ ...first, code, newPassword: 'Password123!!' })
  assert.match(common.body.detail, /easy to guess/)
  assert.equal(browser.cookies.size, 0)

  const done = await browser.signIn({ ...first, code, newPassword: 'a long one of my own' })
  assert.deepEqual([toData(done).step, toData(done).recoveryCodes!.length], ['done', 10])
  const row = await lastRow()
  assert.deepEqual(
    [row.actor, row.role, row.action, row.result],
    ['support', 'support', 'session start', 'done'],
  )
  assert.deepEqual(JSON.parse(row.details), {
    method: 'password',
    secondFactor: 'enrolled',
    newPassword: true,
  })
  const me = await browser.call('GET', '/admin/v1/me')
  assert.equal((me.body.data as unknown as { name: string }).name, 'support')

  await resetUsedCodes(database)
  assert.equal((await browser.signIn({ ...first, code })).body.code, 'wrong-sign-in')
  const listed = (await listOperators(database)).find(({ name }) => name === 'support')!
  assert.deepEqual([listed.password, listed.totp], ['own', true])
})

test('every failure has the same response, and is recorded', async () => {
  const { password, code } = await enrol(database, server, 'viewer')
  const browser = new Browser(server, '10.0.0.7')
  const answers = []
  for (const given of [
    { name: 'nobody', password, code },
    { name: 'admin', password, code },
    { name: 'viewer', password: `${password}!`, code },
    { name: 'viewer', password },
    { name: 'viewer', password, code: '000000' },
    { name: 'viewer', password, code: 'AAAA-BBBB-CCCC-DDDD' },
    // Used for the enrolment.
    { name: 'viewer', password, code },
  ]) {
    const { status, body } = await browser.signIn(given)
    answers.push(JSON.stringify([status, body]))
    const { actor, action, result, target, source, details } = await lastRow()
    assert.deepEqual([actor, action, result, target], ['unknown', 'session start', 'refused', 'sign-in'])
    const why = given.name === 'viewer' && given.password === password ? { why: 'code' } : {}
    assert.deepEqual([source, JSON.parse(details)], ['10.0.0.7', { claimed: given.name, ...why }])
  }
  assert.equal(new Set(answers).size, 1)
  assert.match(answers[0]!, /^\[401,.*"code":"wrong-sign-in"/)
  assert.equal(browser.cookies.size, 0)
})

test('a code counts once, even if sent twice concurrently', async () => {
  const { name, password, secret } = await enrol(database, server, 'operator')
  await resetUsedCodes(database)
  const given = { name, password, code: currentCode(secret) }
  const answers = await Promise.all([1, 2, 3].map(() => new Browser(server).signIn(given)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
})

test('a recovery code replaces a code once', async () => {
  const { name, password, recoveryCodes, browser } = await enrol(database, server, 'admin')
  const [first, second] = recoveryCodes
  const signIn = async (code: string) => (await browser.signIn({ name, password, code })).status
  assert.equal(await signIn(first!.toLowerCase().replaceAll('-', ' ')), 200)
  assert.deepEqual(JSON.parse((await lastRow()).details), { method: 'password', recoveryCode: true })
  assert.equal(await signIn(first!), 401)
  assert.equal(await signIn(second!), 200)
})

test('an invented recovery code does not reveal that the password is right', async () => {
  const { name, password, recoveryCodes } = await enrol(database, server, 'operator')
  await database.query('update operator_logins set password_initial = true')
  const browser = new Browser(server, '10.0.3.1')
  const madeUp = await browser.signIn({ name, password, code: 'AAAA-BBBB-CCCC-DDDD' })
  assert.equal(madeUp.body.code, 'wrong-sign-in')
  const given = { name, password, code: recoveryCodes[0]! }
  assert.equal(toData(await browser.signIn(given)).step, 'new-password')
  // The recovery code was not consumed.
  assert.equal((await browser.signIn({ ...given, newPassword: 'another of my own' })).status, 200)
})

test('a recovery code or an admin is required after 30 wrong codes in any process', async () => {
  const { name, password, secret, recoveryCodes } = await enrol(database, server, 'operator')
  const wrongCodes = async (): Promise<number> =>
    (
      await database.query<{ wrong: number }>(
        `select wrong_codes as wrong from operator_logins l join operators o on o.id = l.operator_id where o.name = $1`,
        [name],
      )
    ).rows[0]!.wrong
  const browser = new Browser(server, '10.0.4.1')
  await browser.signIn({ name, password: 'wrong', code: '000000' })
  assert.equal(await wrongCodes(), 0)
  await browser.signIn({ name, password, code: '000000' })
  assert.equal(await wrongCodes(), 1)
  await database.query('update operator_logins set wrong_codes = 29, totp_step = 0')
  await new Browser(server, '10.0.4.2').signIn({ name, password, code: '000000' })
  const right = { name, password, code: currentCode(secret) }
  assert.equal((await new Browser(server, '10.0.4.3').signIn(right)).body.code, 'wrong-sign-in')
  assert.deepEqual(JSON.parse((await lastRow()).details), { claimed: name, why: 'too many wrong codes' })
  const recovered = await new Browser(server, '10.0.4.3').signIn({ ...right, code: recoveryCodes[0]! })
  assert.equal(recovered.status, 200)
  assert.equal(await wrongCodes(), 0)
  await resetUsedCodes(database)
  assert.equal((await new Browser(server).signIn(right)).status, 200)
})

test('a code is valid only for the secret that it was checked with, and the first one yields recovery codes', async () => {
  const { name } = await enrol(database, server, 'operator')
  const { rows } = await database.query<{ hash: string; secret: string }>(
    `select password_hash as hash, totp_secret as secret from operator_logins l join operators o on o.id = l.operator_id
      where o.name = $1`,
    [name],
  )
  const { hash, secret } = rows[0]!
  const start = (checkedSecret: string, step: number): Promise<boolean> =>
    startPasswordSession(database, {
      name,
      hash,
      newHash: null,
      step,
      checkedSecret,
      recoveryHash: null,
      recoveryHashes: null,
      network: '',
      session: createSession(),
      place: { address: '', agent: '', seconds: 60 },
    })
  const far = 2 ** 40
  assert.equal(await start('another', far), false)
  assert.equal(await start(secret, far), true)
  await database.query('update operator_logins set totp_at = null')
  assert.equal(await start(secret, far + 1), false)
  await resetUsedCodes(database)
})

test('an invalid operator name is not recorded', async () => {
  await new Browser(server, '10.0.5.1').signIn({ name: 'hunter2 My Password!', password: 'x', code: '1' })
  assert.deepEqual(JSON.parse((await lastRow()).details), {})
})

test('passwords, secrets, codes and cookies are not stored in plaintext', async () => {
  const { name, password, secret, recoveryCodes, browser } = await enrol(database, server, 'viewer')
  const tables = ['operator_logins', 'operator_recovery_codes', 'operator_sessions', 'audit_log']
  for (const table of tables) {
    const { rows } = await database.query<{ row: string }>(`select t::text as row from ${table} t`)
    const stored = rows.map(({ row }) => row).join('\n')
    for (const text of [password, secret, recoveryCodes[0]!.replaceAll('-', ''), ...browser.cookies.values()])
      assert.ok(!stored.includes(text), `${name}: ${table}`)
  }
  const { rows } = await database.query<{ stored: string }>(
    'select totp_secret as stored from operator_logins',
  )
  assert.ok(rows.every(({ stored }) => stored.startsWith('enc:')))
})

test('the secret of a second factor is re-encrypted for a new master key', async () => {
  const { secret } = await enrol(database, server, 'viewer')
  const second = localMasterKey(randomBytes(32))
  const next = new Encryption({ current: second, readable: [second, master] })
  const other = await createTestAdmin()
  const stored = async () =>
    (
      await other.database.query<{ id: number; stored: string }>(
        'select operator_id as id, totp_secret as stored from operator_logins where totp_secret is not null',
      )
    ).rows[0]!
  const { secret: clear } = await enrol(other.database, other.server, 'viewer')
  assert.notEqual(clear, secret)
  assert.equal((await stored()).stored, clear)
  await rekey(other.database, next, () => undefined)
  const { id, stored: encrypted } = await stored()
  assert.ok(encrypted.startsWith('enc:'))
  assert.equal(await next.decrypt(other.database, encrypted, totpAssociatedData(id)), clear)
})

test('failed attempts delay their network, also with an unknown name, but not a known network', async () => {
  const { name, password, secret } = await enrol(database, server, 'support', '192.0.2.1')
  const attacker = new Browser(server, '2001:db8::1')
  for (let i = 0; i < 5; i++)
    assert.equal((await attacker.signIn({ name, password: 'wrong', code: '123456' })).status, 401)
  await resetUsedCodes(database)
  const right = { name, password, code: currentCode(secret) }
  const sameNetwork = await new Browser(server, '2001:db8::2').signIn(right)
  assert.deepEqual([sameNetwork.status, sameNetwork.headers['retry-after']], [429, '30'])
  const unknown = new Browser(server, '2001:db8:1::1')
  for (let i = 0; i < 5; i++) await unknown.signIn({ name: 'nobody', password: 'wrong', code: '123456' })
  const paused = await unknown.signIn({ name: 'nobody', password: 'wrong', code: '123456' })
  assert.equal(paused.body.detail, sameNetwork.body.detail)
  assert.equal((await new Browser(server, '192.0.2.9').signIn(right)).status, 200)
})

test('concurrent password checks are limited, and further ones are refused with a retry time', async () => {
  const flood = Array.from({ length: 40 }, (_, i) =>
    new Browser(server, `198.51.100.${i}`).signIn({ name: `name-${i}`, password: 'wrong', code: '123456' }),
  )
  const codes = (await Promise.all(flood)).map(({ body: { code } }) => code)
  assert.ok(codes.includes('unavailable') && codes.includes('wrong-sign-in'), codes.join(' '))
})
