/**
 * Mobile numbers of senders belong to persons: an operator who sees them masked cannot look them up.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin, type AdminResponse } from '../../../test/support/http/admin.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import type { StaffRole } from '../../identity/operators/rights.ts'

const admin = await createTestAdmin()
const { database } = admin
await createAccount(database, 'shop')
const senders = [
  { kind: 'number', value: '01023456789' },
  { kind: 'chatbot', value: '821023456789' },
  { kind: 'number', value: '0212345678' },
] as const
for (const sender of senders) {
  const { status } = await admin.call('support', 'POST', '/admin/v1/accounts/shop/senders', sender)
  assert.equal(status, 200)
}
const find = (role: StaffRole, value: string, kind = 'number'): Promise<AdminResponse> =>
  admin.call(role, 'POST', '/admin/v1/senders/find', { account: 'shop', kind, value })

interface Listed {
  readonly id: string
  readonly kind: string
  readonly value: string
}

test('a mobile number is masked in lists in any notation, and shown by its ID', async () => {
  const { items } = await admin.get<{ items: readonly Listed[] }>('viewer', '/admin/v1/senders?account=shop')
  assert.deepEqual(
    items.map(({ kind, value }) => [kind, value]),
    [
      ['number', '0212345678'],
      ['chatbot', '*******6789'],
      ['number', '*******6789'],
    ],
  )
  for (const { id, value } of items)
    assert.equal((await admin.get<Listed>('viewer', `/admin/v1/accounts/shop/senders/${id}`)).value, value)
})

test('without the right to reveal, a mobile number cannot be found or detected, and the attempt is recorded', async () => {
  for (const role of ['viewer', 'support'] as const)
    for (const { kind, value } of senders.slice(0, 2)) {
      const [there, nowhere] = [await find(role, value, kind), await find(role, '010-9999-6789', kind)]
      assert.deepEqual([there.status, there.body.code], [403, 'forbidden'])
      assert.deepEqual(nowhere.body, there.body)
      const [row] = await listAudit(database, { limit: 1 })
      assert.deepEqual([row!.actor, row!.action, row!.result], [role, 'sender show', 'refused'])
      assert.doesNotMatch(`${row!.target} ${row!.details}`, /9999|6789/)
    }
  assert.equal((await find('viewer', '02-1234-5678')).status, 200)
  assert.equal((await find('viewer', '0212345679')).status, 404)
})

test('with the right a mobile number is found, and the lookup of an unregistered one is recorded', async () => {
  assert.equal((await find('operator', '010-2345-6789')).status, 200)
  assert.equal((await find('operator', '01099995678')).status, 404)
  const [row] = await listAudit(database, { limit: 1 })
  assert.deepEqual(
    [row!.actor, row!.target, row!.result],
    ['operator', 'number that is not registered', 'refused'],
  )
  assert.deepEqual(JSON.parse(row!.details), { account: 'shop' })
})
