/**
 * Mobile numbers of senders belong to persons: an operator who sees them masked cannot find them by guessing.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin, type AdminResponse } from '../../../test/support/http/admin.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import type { StaffRole } from '../../identity/operators/rights.ts'
import { maxMisses } from '../enumeration-guard.ts'

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

test('a viewer cannot find or detect a mobile number, and the attempt is recorded', async () => {
  for (const { kind, value } of senders.slice(0, 2)) {
    const [there, nowhere] = [await find('viewer', value, kind), await find('viewer', '010-9999-6789', kind)]
    assert.deepEqual([there.status, there.body.code], [403, 'forbidden'])
    assert.deepEqual(nowhere.body, there.body)
    const [row] = await listAudit(database, { limit: 1 })
    assert.deepEqual([row!.actor, row!.action, row!.result], ['viewer', 'sender show', 'refused'])
    assert.doesNotMatch(`${row!.target} ${row!.details}`, /9999|6789/)
  }
  // The four lookups above count.
  for (let n = 4; n < maxMisses; n++) await find('viewer', '01099996789')
  const lastSeq = async (): Promise<number> => (await listAudit(database, { limit: 1 }))[0]!.seq
  const before = await lastSeq()
  assert.equal((await find('viewer', '01099996789')).status, 429)
  assert.equal(await lastSeq(), before, 'rows are bounded')
  assert.equal((await find('viewer', '02-1234-5678')).status, 200)
  assert.equal((await find('viewer', '0212345679')).status, 404)
})

test('operators who register senders find them by number, until too many are unregistered', async () => {
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
  // The registered number is refused as well: otherwise its response would distinguish it.
  const answers = [await find('support', '01023456789'), await find('support', '01099996789')]
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.code], [429, 'too-many-requests'])
    assert.match(body.detail, /by ID/)
  }
  assert.equal((await find('support', '0212345678')).status, 200)
  assert.equal((await find('operator', '01023456789')).status, 200)
})

interface GivenNumber {
  readonly kind: string
  readonly value: string
}

const toImport = (given: readonly GivenNumber[]) => ({
  senders: given.map((sender, n) => ({ line: n + 1, account: 'shop', ...sender })),
})
/** Returns numbers that end like a registered one, including it, as an attacker would try them. */
const alike = (count: number, ending = '6789'): GivenNumber[] =>
  Array.from({ length: count }, (_, n) => ({ kind: 'number', value: `010${2345 + n}${ending}` }))

test('a mobile number cannot be found by registering all with the same ending', async () => {
  const key = await addTestOperator(database, 'kim', 'support')
  const call = (path: string, body: object) => admin.callWith(key, 'POST', `/admin/v1/${path}`, body)
  const before = await listAudit(database, { limit: 1 })
  const refused = await call('senders/import', toImport(alike(500)))
  assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-requests'])
  assert.match(refused.body.detail, /an operator with the right 'reveal'/)
  const { items } = await admin.get<{ items: readonly Listed[] }>('viewer', '/admin/v1/senders?account=shop')
  assert.equal(items.length, senders.length, 'nothing is registered')
  const rows = await listAudit(database, { limit: 10 })
  const [row] = rows
  assert.deepEqual([row!.actor, row!.action, row!.result], ['kim', 'sender import', 'refused'])
  assert.doesNotMatch(`${row!.target} ${row!.details}`, /6789/)
  // The registered number is refused as well: otherwise its response would distinguish it.
  for (const value of ['01023456789', '01099996789']) {
    const sender = { kind: 'number', value }
    assert.equal((await call('senders/import', toImport([sender]))).status, 429)
    assert.equal((await call('accounts/shop/senders', sender)).status, 429)
    assert.equal((await call('senders/find', { account: 'shop', ...sender })).status, 429)
  }
  const [last] = await listAudit(database, { limit: 1 })
  assert.equal(last!.seq, before[0]!.seq + 1, 'rows are bounded')
  assert.equal((await call('accounts/shop/senders', { kind: 'number', value: '0212346789' })).status, 200)
})

test('single registrations are limited as well; repeated imports and operators with the right are not', async () => {
  const key = await addTestOperator(database, 'lee', 'support')
  const call = (path: string, body: object) => admin.callWith(key, 'POST', `/admin/v1/${path}`, body)
  const others = Array.from({ length: 2 * maxMisses }, (_, n) => ({
    kind: 'number',
    value: `0105555${1000 + n}`,
  }))
  for (const changed of [others.length, 0]) {
    const { status, body } = await call('senders/import', toImport(others))
    assert.deepEqual([status, body.data?.['changed']], [200, changed], JSON.stringify(body))
  }
  const registrations = alike(maxMisses + 2)
  // The first is the registered one.
  for (const sender of registrations.slice(0, -1))
    assert.equal((await call('accounts/shop/senders', sender)).status, 200)
  const { status, body } = await call('accounts/shop/senders', registrations.at(-1)!)
  assert.equal(status, 429)
  assert.match(body.detail, /end like/)
  const byOperator = await admin.call('operator', 'POST', '/admin/v1/senders/import', toImport(alike(500)))
  assert.equal(byOperator.status, 200, JSON.stringify(byOperator.body))
})
