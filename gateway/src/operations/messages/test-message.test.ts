import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { listAudit } from '../../identity/audit/queries.ts'

const admin = await createTestAdmin()
const { body: created } = await admin.call('operator', 'POST', '/admin/v1/accounts', {
  name: 'Shop',
  clientId: 'shop',
})
assert.ok(created.data, JSON.stringify(created))
const path = '/admin/v1/accounts/shop/test-message'
const message = { channel: 'sms', from: '15880000', to: '01012345678', text: 'Hello' }

test('a test message is accepted, counted and recorded without the number or the text', async () => {
  const { status, body } = await admin.call('operator', 'POST', path, message)
  assert.equal(status, 200, JSON.stringify(body))
  const { msgKey } = body.data! as { msgKey: string }
  const lanes = Object.values(admin.topology.accepted)
  await waitFor('the published message', async () => {
    const depths = await Promise.all(lanes.map((lane) => admin.broker.depth(lane)))
    return depths.reduce((sum, depth) => sum + depth, 0) === 1
  })
  // Uses the database user of the admin API.
  await waitFor('the counted message', async () => {
    const { rows } = await admin.database.query('select confirmed from gate_counts')
    return rows.length === 1
  })
  const rows = await listAudit(admin.database, { target: 'shop', result: 'done', limit: 10 })
  const row = rows.find(({ action }) => action === 'message test')
  assert.deepEqual(JSON.parse(row!.details), { channel: 'sms', to: '*******5678', msgKey })
})

test('a test message is refused if a request of the account would be', async () => {
  const refused = async (change: object): Promise<{ detail: string; field?: string }> => {
    const { status, body } = await admin.call('operator', 'POST', path, { ...message, ...change })
    assert.equal(status, 409, JSON.stringify(body))
    return body
  }
  assert.equal((await refused({ to: '12345' })).field, 'to')
  assert.equal((await refused({ text: '가'.repeat(46) })).field, 'text')
  await admin.call('operator', 'POST', '/admin/v1/accounts/shop/block', { reason: 'a test' })
  assert.match((await refused({})).detail, /^Blocked account/)
})

test('a test message requires the right to decide on messages, and an account', async () => {
  assert.equal((await admin.call('support', 'POST', path, message)).status, 403)
  const missing = await admin.call('operator', 'POST', '/admin/v1/accounts/none/test-message', message)
  assert.equal(missing.status, 404)
})
