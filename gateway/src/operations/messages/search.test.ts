/** Messages are found by their attributes, page by page; numbers are shown only with a recorded reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import { createAccount, recordOne } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'

interface Page {
  readonly items: readonly {
    readonly msgKey: string
    readonly recipient: string
    readonly state: string
    readonly code: string | null
  }[]
  readonly next: string | null
}

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop')
const other = await createAccount(database, 'other')
const to = '01055556666'
const began = Date.now() - 60_000
const at = (seconds: number): number => began + seconds * 1000
const keys: string[] = []
for (let i = 0; i < 5; i++)
  keys.push((await recordOne(database, { accountId: shop, acceptedAt: at(i), ref: `order ${i}` })).msgKey)
const elsewhere = (await recordOne(database, { accountId: other, acceptedAt: at(5), to })).msgKey
// The first two are closed.
for (const [index, msgKey] of keys.slice(0, 2).entries()) {
  await database.query('delete from in_flight where msg_key = $1', [msgKey])
  await database.query(
    `insert into reports (msg_key, step, account_id, seq, service_type, msg_type, sent_at, reported_at, report_code, report_text, carrier, parts, ref)
     values ($1, 1, $2, $3, 'SMS', 'SMS', now(), now(), $4, 'text', '', 1, $5)`,
    [msgKey, shop, index + 1, index === 0 ? '10000' : '23012', `order ${index}`],
  )
}
const find = async (query: string): Promise<string[]> =>
  (await admin.get<Page>('operator', `/admin/v1/messages?${query}`)).items.map(({ msgKey }) => msgKey)

test('messages are found by account, ref, code, state and time, newest first', async () => {
  const newest = [...keys].reverse()
  assert.deepEqual(await find(''), [elsewhere, ...newest])
  assert.deepEqual(await find('account=shop'), newest)
  assert.deepEqual(await find('account=shop&ref=order%203'), [keys[3]])
  assert.deepEqual(await find('ref=order%203'), [keys[3]])
  assert.deepEqual(await find('code=23012'), [keys[1]])
  assert.deepEqual(await find('account=shop&state=open'), newest.slice(0, 3))
  assert.deepEqual(await find('state=open&ref=order%204'), [keys[4]])
  assert.deepEqual(await find('state=closed'), [keys[1], keys[0]])
  // These messages are found by the index of their reports.
  assert.deepEqual(await find('account=shop&state=closed'), [keys[1], keys[0]])
  assert.deepEqual(await find('account=shop&state=closed&code=10000'), [keys[0]])
  const [from, until] = [at(1), at(3)].map((ms) => new Date(ms).toISOString())
  assert.deepEqual(await find(`from=${from}&until=${until}`), [keys[2], keys[1]])
})

test('results are read page by page', async () => {
  for (const query of ['account=shop', 'account=shop&state=closed', 'state=open']) {
    const unpaged = await find(query)
    const paged: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const url: string = `/admin/v1/messages?limit=1&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { items, next }: Page = await admin.get<Page>('viewer', url)
      paged.push(...items.map(({ msgKey }) => msgKey))
      cursor = next
    }
    assert.deepEqual(paged, unpaged, query)
  }
  const { status, body } = await admin.call('viewer', 'GET', '/admin/v1/messages?cursor=AAAA')
  assert.deepEqual([status, body.code], [400, 'invalid-request'])
})

test('a recipient search requires account, right and reason, is recorded, and keeps numbers out of URLs', async () => {
  const url = '/admin/v1/messages/search'
  const searchBody = { recipient: to, account: 'other', reason: 'asked' }
  const findTo = async (changed: object = {}): Promise<string[]> => {
    const { status, body } = await admin.call('operator', 'POST', url, { ...searchBody, ...changed })
    assert.equal(status, 200, JSON.stringify(body))
    return (body.data! as Page).items.map(({ msgKey }) => msgKey)
  }
  const [anywhere, unexplained] = [
    { ...searchBody, account: undefined },
    { ...searchBody, reason: undefined },
  ]
  assert.equal((await admin.call('operator', 'POST', url, anywhere)).body.code, 'invalid-request')
  assert.equal((await admin.call('operator', 'POST', url, unexplained)).body.code, 'invalid-request')
  assert.equal((await admin.call('viewer', 'POST', url, searchBody)).body.code, 'forbidden')
  const inUrl = `/admin/v1/messages?recipient=${to}&account=other`
  assert.equal((await admin.call('operator', 'GET', inUrl)).body.code, 'invalid-request')
  assert.deepEqual(await findTo(), [elsewhere])
  assert.deepEqual(await findTo({ state: 'open' }), [elsewhere])
  assert.deepEqual(await findTo({ account: 'shop' }), [])
  const [row] = await listAudit(database, { limit: 1 })
  const { actor, action, result, target, account, reason } = row!
  assert.deepEqual(
    [actor, action, result, account, reason],
    ['operator', 'message find', 'looked', 'shop', 'asked'],
  )
  assert.ok(!target.includes(to) && target.endsWith('66'), target)
})

test('messages are found by ref in days with and without an index for it, page by page', async () => {
  const yesterday = Date.now() - 86_400_000
  const old = await recordOne(database, { accountId: shop, acceptedAt: yesterday, ref: 'order 3', to })
  assert.deepEqual(await find('ref=order%203'), [keys[3], old.msgKey])
  assert.deepEqual(await find('ref=order%203&limit=1'), [keys[3]])
  assert.deepEqual(await find('ref=order%203&state=closed'), [])
  // Existing days lose their index, because the stored definition covers only the parent table.
  const { rows } = await database.query<{ sql: string }>(
    `select pg_get_indexdef('messages_ref'::regclass) as sql`,
  )
  await database.query('drop index messages_ref')
  await database.query(rows[0]!.sql)
  assert.deepEqual(await find('ref=order%203'), [keys[3], old.msgKey])
  assert.deepEqual(await find('ref=none'), [])
})

test('a timeline is shown with the number masked unless revealed', async () => {
  interface Shown {
    readonly recipient: string
    readonly state: string
    readonly events: readonly { readonly kind: string }[]
  }
  const url = `/admin/v1/messages/${elsewhere}`
  const masked = await admin.get<Shown>('viewer', url)
  assert.deepEqual([masked.state, masked.events.map(({ kind }) => kind)], ['open', ['accepted', 'open']])
  assert.ok(!JSON.stringify(masked).includes(to))
  assert.equal((await admin.call('operator', 'GET', `${url}?reveal=true`)).body.code, 'reason-missing')
  assert.equal((await admin.get<Shown>('operator', `${url}?reveal=true&reason=asked`)).recipient, to)
  assert.equal((await listAudit(database, { limit: 1 }))[0]!.target, elsewhere)
  const absent = await admin.call(
    'viewer',
    'GET',
    `/admin/v1/messages/${elsewhere.slice(0, -1)}${elsewhere.endsWith('Z') ? 'Y' : 'Z'}`,
  )
  assert.deepEqual([absent.status, absent.body.code], [404, 'not-found'])
})
