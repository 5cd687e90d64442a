/** Operators cannot use their key to create credentials for themselves that outlive it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin } from '../../../test/support/http/admin.ts'
import { setFirstPassword } from '../../../test/support/http/browser.ts'
import { listOperators } from '../../identity/operators/queries.ts'

const admin = await createTestAdmin()
const { database } = admin
await addTestOperator(database, 'kim', 'admin')
const reason = 'a test'
const post = (path: string, body: object) => admin.call('admin', 'POST', `/admin/v1${path}`, body)
const operator = async (name: string) => (await listOperators(database, { name }))[0]!

test('an admin cannot set an initial password for itself, which would outlive its key', async () => {
  const { status, body } = await post('/operators/admin/password', { reason })
  assert.deepEqual([status, body.code], [409, 'refused'])
  assert.equal((await operator('admin')).password, 'none')
  assert.equal((await post('/operators/kim/password', { reason })).status, 200)
  const password = 'a long enough one'
  assert.equal((await post('/me/password', { password })).status, 200)
  assert.equal((await operator('admin')).password, 'own')
})

test('an admin removes the second factor of another operator, but not its own', async () => {
  await setFirstPassword(database, 'kim')
  const { status, body } = await post('/operators/admin/totp/reset', { reason })
  assert.deepEqual([status, body.code], [409, 'refused'])
  assert.equal((await post('/operators/kim/totp/reset', { reason })).status, 200)
})

test('an admin cannot create an initial key for itself', async () => {
  const before = (await operator('admin')).keys
  for (const fields of [{}, { replace: true }]) {
    const { status, body } = await post('/operators/admin/keys', fields)
    assert.deepEqual([status, body.code], [409, 'refused'])
  }
  assert.deepEqual((await operator('admin')).keys, before)
  const ofOther = await post('/operators/kim/keys', { replace: true })
  assert.equal(ofOther.status, 200)
})
