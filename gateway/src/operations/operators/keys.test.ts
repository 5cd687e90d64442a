/**
 * Keys replaced by operators are limited in number, also for clients, and an initial key never exists next to
 * one that its operator creates concurrently.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin } from '../../../test/support/http/admin.ts'
import { createAccount, setBlocked } from '../../../test/support/fixtures.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { listOperators } from '../../identity/operators/queries.ts'

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop')
const rotate = async (key: string) => {
  const { status, body } = await admin.callWith(key, 'POST', '/admin/v1/me/key/rotate', {})
  return { status, ...body, key: (body.data as { key: string } | undefined)?.key ?? key }
}
const listKeys = async (name: string) => (await listOperators(database, { name }))[0]!.keys

test('a client cannot replace its key while its account is blocked', async () => {
  const key = await addTestOperator(database, 'park', 'client', shop)
  await setBlocked(database, 'shop', true)
  const refused = await rotate(key)
  assert.deepEqual([refused.status, refused.code], [409, 'account-blocked'])
  await setBlocked(database, 'shop', false)
  assert.equal((await rotate(key)).status, 200)
})

test('replacing a key counts as a change of the client', async () => {
  const bounded = await createTestAdmin({ maxRefusals: 1 })
  const accountId = await createAccount(bounded.database, 'shop')
  const key = await addTestOperator(bounded.database, 'park', 'client', accountId)
  const url = '/admin/v1/accounts/shop/senders'
  const sender = { kind: 'number', value: '0212345678' }
  assert.equal((await bounded.callWith(key, 'POST', url, sender)).status, 200)
  const { body } = await bounded.callWith(key, 'POST', '/admin/v1/me/key/rotate', {})
  assert.equal(body.code, 'too-many-requests')
})

test('an operator creates at most ten keys per day, and always replaces an initial one', async () => {
  let key = await addTestOperator(database, 'lim', 'viewer')
  for (let nth = 2; nth <= 10; nth += 1) {
    const { status, key: next } = await rotate(key)
    assert.equal(status, 200, `key ${nth}`)
    key = next
  }
  const refused = await rotate(key)
  assert.deepEqual([refused.status, refused.code], [409, 'refused'])
  assert.deepEqual(refused.facts, { max: 10 })
  const added = await admin.call('admin', 'POST', '/admin/v1/operators/lim/keys', { replace: true })
  assert.equal((await rotate((added.body.data! as { key: string }).key)).status, 200)
})

test('a key is listed for 30 days after its revocation', async () => {
  const key = await addTestOperator(database, 'han', 'viewer')
  await rotate(key)
  assert.equal((await listKeys('han')).filter(({ revokedAt }) => revokedAt !== null).length, 1)
  await database.query(
    `update operator_keys set revoked_at = now() - interval '31 days'
      where revoked_at is not null and operator_id = (select id from operators where name = 'han')`,
  )
  assert.ok((await listKeys('han')).every(({ revokedAt }) => revokedAt === null))
})

for (const replace of [false, true])
  test(`a key replaced while an initial key is created ${replace ? 'is revoked by it' : 'prevents its creation'}`, async () => {
    const name = `racing-${replace}`
    await addTestOperator(database, name, 'viewer')
    const where = 'operator_id = (select id from operators where name = $1)'
    // Before the rotation commits, the operator has only an initial key, which would not prevent another one.
    await database.query(`update operator_keys set initial = true where ${where}`, [name])
    const rotation = await database.connect()
    try {
      await rotation.query('begin')
      await rotation.query('lock table operators in share row exclusive mode')
      await rotation.query(
        `insert into operator_keys (key_id, operator_id, hash, initial, created_by)
         select $2, id, 'h', false, name from operators where name = $1`,
        [name, `ROTATED-${replace}`],
      )
      const answer = admin.call('admin', 'POST', `/admin/v1/operators/${name}/keys`, { replace })
      await waitFor('the wait for the rotation', async () => {
        const waiting = await database.query(
          `select from pg_locks where not granted and relation = 'operators'::regclass`,
        )
        return waiting.rows.length > 0
      })
      await rotation.query('commit')
      assert.equal((await answer).body.code, replace ? 'success' : 'key-in-use')
    } finally {
      rotation.release()
    }
    const activeKeys = (await listKeys(name)).filter(({ revokedAt }) => revokedAt === null)
    const initialKeys = activeKeys.filter(({ createdBy }) => createdBy === 'admin')
    assert.equal(initialKeys.length, replace ? 1 : 0)
    if (replace) assert.deepEqual(activeKeys, initialKeys)
  })
