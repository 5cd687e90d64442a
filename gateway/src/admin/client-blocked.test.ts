import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin } from '../../test/support/http/admin.ts'
import { enrol } from '../../test/support/http/browser.ts'
import { createAccount, setBlocked } from '../../test/support/fixtures.ts'
import { insertTestWebhook } from '../../test/load/webhooks/insert.ts'
import { adminOperations } from '../operations/operations.ts'

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop')
const key = await addTestOperator(database, 'park', 'client', shop)
const webhookId = await insertTestWebhook(database, shop, { url: 'https://127.0.0.1:1/reports' })
const call = (method: string, path: string, body?: object) =>
  admin.callWith(key, method, `/admin/v1${path}`, body)

test('a client reads, revokes credentials and signs out while its account is blocked', async () => {
  const added = await call('POST', '/accounts/shop/credentials', { name: 'server' })
  const { keyId } = added.body.data! as { keyId: string }
  const { browser } = await enrol(database, admin.server, 'park')
  await setBlocked(database, 'shop', true)
  for (const path of ['/me', '/accounts/shop', '/messages', '/webhooks', '/accounts/shop/credentials'])
    assert.equal((await call('GET', path)).status, 200, path)
  assert.equal((await call('DELETE', `/accounts/shop/credentials/${keyId}`)).status, 200)
  assert.equal((await call('POST', '/accounts/shop/revoke-tokens', {})).status, 200)
  assert.equal((await browser.call('DELETE', '/admin/v1/session')).status, 200)
})

test('other changes are refused with the next step, and succeed after the unblock', async () => {
  await setBlocked(database, 'shop', true)
  const changes: readonly (readonly [string, string, object])[] = [
    ['POST', '/accounts/shop/credentials', { name: 'server' }],
    ['POST', '/accounts/shop/password', {}],
    ['POST', '/accounts/shop/senders', { kind: 'number', value: '0212345678' }],
    ['PATCH', `/webhooks/${webhookId}`, { name: 'Reports' }],
    ['POST', `/webhooks/${webhookId}/rotate`, {}],
    ['POST', `/webhooks/${webhookId}/test`, {}],
  ]
  for (const change of changes) {
    const { status, body } = await call(...change)
    assert.deepEqual([status, body.code], [409, 'account-blocked'], change[1])
  }
  await setBlocked(database, 'shop', false)
  assert.equal((await call('POST', '/accounts/shop/senders', changes[2]![2])).status, 200)
})

test('apart from signing out, a blocked client is only allowed to revoke credentials', () => {
  assert.deepEqual(
    adminOperations.filter(({ clientWhileBlocked }) => clientWhileBlocked === true).map(({ id }) => id),
    ['revokeCredential', 'revokeTokens'],
  )
})
