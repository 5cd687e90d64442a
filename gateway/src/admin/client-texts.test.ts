/**
 * Input of clients is checked before it reaches the audit log: phone numbers are masked, and nothing changes
 * how a row is displayed.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin } from '../../test/support/http/admin.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { insertTestWebhook } from '../../test/load/webhooks/insert.ts'
import { listAudit } from '../identity/audit/queries.ts'
import { createMsgKey } from '../contract/msg-key.ts'

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop')
const key = await addTestOperator(database, 'park', 'client', shop)
const webhookId = await insertTestWebhook(database, shop, { url: 'https://hooks.example.com/' })
const call = (method: string, path: string, body?: object) =>
  admin.callWith(key, method, `/admin/v1${path}`, body)
const lastRow = async () => (await listAudit(database, { limit: 1 }))[0]!

test('a phone number sent as an ID is masked; IDs are recorded unchanged', async () => {
  for (const [given, recorded] of [
    ['01012345678', '*******5678'],
    ['010-1234-5678', '***-****-5678'],
    ['+82 (10) 1234.5678', '+** (**) ****.5678'],
    ['tel:01012345678', 'tel:*******5678'],
    ['０１０１２３４５６７８', '*******５６７８'],
    ['shop-2', 'shop-2'],
    ['ab\u202ecd\u0007', 'ab?cd?'],
  ] as const) {
    const { status, body } = await call('GET', `/messages/${encodeURIComponent(given)}`)
    assert.equal(status, 404, given)
    assert.equal((await lastRow()).target, `message ${recorded}`)
    assert.ok(body.detail.includes(recorded), body.detail)
  }
  const unknown = createMsgKey('00', new Date())
  await call('GET', `/messages/${unknown}`)
  assert.equal((await lastRow()).target, `message ${unknown}`)
})

test('the audit row of a replay with invalid input contains none of the input', async () => {
  const before = await lastRow()
  for (const body of [
    { msgKey: '010-1234-5678' },
    { failedSince: 'since 01012345678' },
    { allSince: '\u202egnp.exe' },
    { msgKey: createMsgKey('00', new Date()), allSince: new Date().toISOString() },
    {},
  ]) {
    const { status } = await call('POST', `/webhooks/${webhookId}/replay`, body)
    assert.equal(status, 409, JSON.stringify(body))
  }
  assert.equal((await lastRow()).seq, before.seq)
})

test('names and reasons contain no control characters and no bidirectional overrides', async () => {
  for (const character of ['\u0007', '\n', '\u0085', '\u202e', '\u2066', '\u200f', '\u2028']) {
    const name = `key${character}name`
    for (const [method, path, body] of [
      ['POST', '/accounts/shop/credentials', { name }],
      ['PATCH', `/webhooks/${webhookId}`, { name }],
      ['POST', '/accounts/shop/revoke-tokens', { reason: name }],
    ] as const) {
      const { status, body: answer } = await call(method, path, body)
      assert.equal(status, 400, `${JSON.stringify(name)} ${path}`)
      assert.match(answer.detail, /'(name|reason)'/)
    }
  }
  for (const name of ['서버 1', 'Émile’s server', '👩‍💻 laptop'])
    assert.equal((await call('POST', '/accounts/shop/credentials', { name })).status, 200, name)
})
