/** The search cursor of a client only covers its own messages, and reveals nothing of other accounts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin } from '../../test/support/http/admin.ts'
import { createAccount, recordOne } from '../../test/support/fixtures.ts'
import { inTransaction } from '../platform/database/database.ts'
import { sealFor } from '../platform/encryption/sealed-cursor.ts'
import { insertReports } from '../records/reports/queries.ts'

interface Found {
  readonly items: readonly { readonly msgKey: string }[]
  readonly next: string | null
}

const admin = await createTestAdmin()
const { database } = admin
const own: string[] = []
const others: string[] = []
const shop = await createAccount(database, 'shop')
const other = await createAccount(database, 'other')
const key = await addTestOperator(database, 'park@shop.example', 'client', shop)
for (let nth = 0; nth < 3; nth += 1) {
  own.push(await record(shop))
  others.push(await record(other))
}

async function record(accountId: number): Promise<string> {
  const { msgKey } = await recordOne(database, { accountId, to: '01055556666' })
  const at = new Date()
  const report = { serviceType: 'SMS', msgType: 'SM', sentAt: at, reportedAt: at, carrier: '10001', parts: 1 }
  const code = { reportCode: '10000', reportText: 'Delivered' }
  await inTransaction(database, (transaction) =>
    insertReports(transaction, [{ ...report, ...code, accountId, msgKey, step: 1, ref: null }]),
  )
  return msgKey
}

for (const [name, query] of [
  ['of all messages', ''],
  ['of closed ones', '&account=shop&state=closed'],
] as const)
  test(`a search ${name} finds all own ones page by page, and its cursors reveal nothing`, async () => {
    const found: string[] = []
    let cursor = ''
    for (let pages = 0; pages < 10; pages += 1) {
      const { status, body } = await admin.callWith(key, 'GET', `/admin/v1/messages?limit=1${query}${cursor}`)
      assert.equal(status, 200, JSON.stringify(body))
      const { items, next } = body.data! as Found
      found.push(...items.map(({ msgKey }) => msgKey))
      if (next === null) break
      cursor = `&cursor=${next}`
      const read = Buffer.from(next, 'base64url').toString('latin1')
      assert.doesNotMatch(read, /key|seq/)
      assert.ok(![...own, ...others].some((msgKey) => read.includes(msgKey.slice(0, 8))))
    }
    assert.deepEqual(found, own.toReversed())
  })

test('a cursor works only for its account, and cannot be modified', () => {
  const secret = 'a secret of at least 32 characters'
  const cursor = sealFor(1, secret).write('["key","20261117"]')
  assert.equal(sealFor(1, secret).read(cursor), '["key","20261117"]')
  assert.throws(() => sealFor(2, secret).read(cursor))
  assert.throws(() => sealFor(1, `${secret}.`).read(cursor))
  const changed = Buffer.from(cursor, 'base64url')
  changed[changed.length - 1]! ^= 1
  assert.throws(() => sealFor(1, secret).read(changed.toString('base64url')))
  for (const short of ['', 'AAAA', cursor.slice(0, 30)]) assert.throws(() => sealFor(1, secret).read(short))
})
