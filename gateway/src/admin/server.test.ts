/** Authentication, request limits and errors of the admin API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../test/support/http/admin.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { createKey } from '../identity/accounts/key.ts'
import { insertCredential } from '../identity/accounts/credential-queries.ts'
import { listAudit } from '../identity/audit/queries.ts'
import { createOperatorKey } from '../identity/operators/key.ts'
import {
  insertOperator,
  listOperators,
  revokeOperatorKey,
  updateOperator,
} from '../identity/operators/queries.ts'
import { adminCodes, type AdminCode } from '../operations/codes.ts'
import { RefusalThrottle } from '../operations/throttle.ts'

const admin = await createTestAdmin()
const { database, keys, callWith } = admin
const lastRow = async () => (await listAudit(database, { limit: 1 }))[0]!

test('a request requires an operator key; well-formed but wrong keys are recorded', async () => {
  const account = await createAccount(database, 'shop')
  const { keyId, text, hash } = createKey('00')
  await insertCredential(database, {
    accountId: account,
    keyId,
    kind: 'key',
    hash,
    name: 'main',
    scopes: null,
    networks: null,
    createdBy: 'test',
    endsAt: null,
  })
  for (const key of [undefined, 'x', text]) {
    const { status, body } = await callWith(key, 'GET', '/admin/v1/now')
    assert.deepEqual([status, body.code], [401, 'unauthenticated'])
  }
  const rows = await listAudit(database, { limit: 10 })
  assert.equal(rows.length, 0)
  assert.equal((await callWith(`${keys.viewer.slice(0, -4)}AAAA`, 'GET', '/admin/v1/now')).status, 401)
  const { actor, action, result, target, details } = await lastRow()
  assert.deepEqual([actor, action, result, target], ['unknown', 'now', 'refused', 'sign-in'])
  // No caller has proved to be that operator.
  assert.deepEqual(JSON.parse(details), { claimed: 'viewer' })
})

test('initial keys, revoked keys and disabled operators are refused from the next request on', async () => {
  const first = createOperatorKey()
  const key = { keyId: first.keyId, hash: first.hash, createdBy: 'test', endsAt: null }
  await insertOperator(database, null, { name: 'lee', role: 'support', key })
  const refused = await callWith(first.text, 'GET', '/admin/v1/now')
  assert.deepEqual([refused.status, refused.body.code], [403, 'first-key'])
  await revokeOperatorKey(database, null, first.keyId)
  assert.equal((await callWith(first.text, 'GET', '/admin/v1/now')).status, 401)

  assert.equal((await admin.call('support', 'GET', '/admin/v1/me')).status, 200)
  const { id } = (await listOperators(database)).find(({ name }) => name === 'support')!
  await updateOperator(database, null, id, { disabled: true })
  assert.equal((await admin.call('support', 'GET', '/admin/v1/me')).status, 401)
  await updateOperator(database, null, id, { disabled: false })
  assert.equal((await admin.call('support', 'GET', '/admin/v1/me')).status, 200)
})

test('a request returns the owner and the rights of its key', async () => {
  const me = await admin.get<{ name: string; role: string; rights: string[] }>('viewer', '/admin/v1/me')
  assert.deepEqual([me.name, me.role, me.rights], ['viewer', 'viewer', ['read']])
})

/** Text of a cursor that PostgreSQL would reject. */
const nulCursor = Buffer.from(JSON.stringify(['a\0'])).toString('base64url')

test('an error is a problem with its code and field', async () => {
  const wrong: readonly [string, string, AdminCode, string?][] = [
    ['GET', '/admin/v1/nothing', 'not-found'],
    ['POST', '/admin/v1/now', 'not-found'],
    ['GET', '/admin/v1/now?since=1', 'invalid-request', 'since'],
    ['GET', '/admin/v1/accounts/%00', 'invalid-request'],
    ['GET', '/admin/v1/messages?ref=%00', 'invalid-request'],
    ['GET', `/admin/v1/accounts?cursor=${nulCursor}`, 'invalid-request', 'cursor'],
    ['GET', '/admin/v1/%E0%A4%A', 'invalid-request'],
    // A leap second matches the format of a time, but `Date` cannot parse it.
    ['GET', '/admin/v1/audit?since=2016-12-31T23:59:60Z', 'invalid-request', 'since'],
    ['GET', '/admin/v1/audit?until=2016-12-31T23:59:60Z', 'invalid-request', 'until'],
  ]
  for (const [method, url, code, field] of wrong) {
    const { headers, body } = await callWith(keys.admin, method, url)
    assert.match(String(headers['content-type']), /^application\/problem\+json/)
    const { detail, facts, ...problem } = body
    assert.ok(detail !== '' && facts !== undefined)
    const { status, title } = adminCodes[code]
    const expected = { type: `/problems/${code}`, title, status, code }
    assert.deepEqual(problem, field === undefined ? expected : { ...expected, field })
  }
})

test('a caller that is refused too often waits, and causes no further rows', async () => {
  const strict = await createTestAdmin({ maxRefusals: 2 })
  const wrong = `${strict.keys.viewer.slice(0, -4)}AAAA`
  const codes = []
  for (let i = 0; i < 4; i++) codes.push((await strict.callWith(wrong, 'GET', '/admin/v1/now')).body.code)
  assert.deepEqual(codes, ['unauthenticated', 'unauthenticated', 'too-many-requests', 'too-many-requests'])
  assert.equal((await listAudit(strict.database, { limit: 10 })).length, 2)
})

test('a caller that is refused too often can try again after a minute', () => {
  let now = 0
  const throttle = new RefusalThrottle(1, () => now)
  throttle.reserve('x')
  assert.throws(() => throttle.reserve('x'), /check the key and the role/)
  throttle.reserve('y')
  now = 60_001
  throttle.reserve('x')
})

test('responses are not cached, and contain the ID of their request', async () => {
  const { headers } = await admin.call('viewer', 'GET', '/admin/v1/me')
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(String(headers['request-id']), /^[0-9A-Z]{16}$/)
})
