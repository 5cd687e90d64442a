/** The mobile number of a sender is a person's: whoever sees it masked cannot find it out by asking for numbers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin, type AdminAnswer } from '../../test/support/admin.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { listAudit } from '../audit/queries.ts'
import type { Role } from '../operators/rights.ts'
import { maxMisses } from './number-guesses.ts'

const admin = await createTestAdmin()
const { database } = admin
await createAccount(database, 'shop')
const senders = [
  { kind: 'number', value: '01023456789' },
  { kind: 'international', value: '821023456789' },
  { kind: 'chatbot', value: '01023456789' },
  { kind: 'number', value: '0212345678' },
] as const
for (const sender of senders) {
  const { status } = await admin.call('support', 'POST', '/admin/v1/accounts/shop/senders', sender)
  assert.equal(status, 200)
}
const find = (role: Role, value: string, kind = 'number'): Promise<AdminAnswer> =>
  admin.call(role, 'POST', '/admin/v1/senders/find', { account: 'shop', kind, value })

interface Listed {
  readonly id: string
  readonly kind: string
  readonly value: string
}

test('a mobile number is masked in lists however it is written, and shown by its id', async () => {
  const { items } = await admin.get<{ items: readonly Listed[] }>('viewer', '/admin/v1/senders?account=shop')
  assert.deepEqual(
    items.map(({ kind, value }) => [kind, value]),
    [
      ['number', '0212345678'],
      ['chatbot', '*******6789'],
      ['international', '*******6789'],
      ['number', '*******6789'],
    ],
  )
  for (const { id, value } of items)
    assert.equal((await admin.get<Listed>('viewer', `/admin/v1/accounts/shop/senders/${id}`)).value, value)
})

test('a viewer finds no mobile number, registered or not, cannot tell which it is, and is recorded', async () => {
  for (const { kind, value } of senders.slice(0, 3)) {
    const [there, nowhere] = [await find('viewer', value, kind), await find('viewer', '010-9999-6789', kind)]
    assert.deepEqual([there.status, there.body.code], [403, 'forbidden'])
    assert.deepEqual(nowhere.body, there.body)
    const [row] = await listAudit(database, { limit: 1 })
    assert.deepEqual([row!.actor, row!.action, row!.result], ['viewer', 'sender show', 'refused'])
    assert.doesNotMatch(`${row!.target} ${row!.details}`, /9999|6789/)
  }
  for (let n = 6; n < maxMisses; n++) await find('viewer', '01099996789')
  const rows = async (): Promise<number> => (await listAudit(database, { limit: 1 }))[0]!.seq
  const before = await rows()
  assert.equal((await find('viewer', '01099996789')).status, 429)
  assert.equal(await rows(), before, 'rows are bounded')
  assert.equal((await find('viewer', '02-1234-5678')).status, 200)
  assert.equal((await find('viewer', '0212345679')).status, 404)
})

test('whoever registers senders finds them by their numbers, and is stopped after many that are not registered', async () => {
  assert.equal((await find('support', '010-2345-6789')).status, 200)
  for (let n = 0; n < maxMisses; n++) {
    const { status } = await find('support', `0109${String(n).padStart(3, '0')}5678`)
    assert.equal(status, 404)
    const [row] = await listAudit(database, { limit: 1 })
    assert.deepEqual(
      [row!.actor, row!.target, row!.result],
      ['support', 'number that is not registered', 'refused'],
    )
    assert.deepEqual(JSON.parse(row!.details), { account: 'shop' })
  }
  // The registered one, too: otherwise its answer would still tell it from the others.
  const answers = [await find('support', '01023456789'), await find('support', '01099996789')]
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.code], [429, 'too-many-requests'])
    assert.match(body.result, /by its id/)
  }
  assert.equal((await find('support', '0212345678')).status, 200)
  assert.equal((await find('operator', '01023456789')).status, 200)
})
