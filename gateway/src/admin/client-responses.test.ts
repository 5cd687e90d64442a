/** Responses to clients contain nothing of the installation: no cell, no audit row, no scheduler reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin } from '../../test/support/http/admin.ts'
import { acceptedJobs, createAccount, recordJobs } from '../../test/support/fixtures.ts'
import { listAudit } from '../identity/audit/queries.ts'
import { mergeReasons } from '../records/waiting/count-waiting.ts'

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop')
const key = await addTestOperator(database, 'park', 'client', shop)

test('the response to a repeated request omits the number of the audit row', async () => {
  const send = async (by: string) => {
    const { statusCode, body } = await admin.server.inject({
      method: 'POST',
      url: '/admin/v1/accounts/shop/credentials',
      payload: { name: 'once' },
      headers: { authorization: `Bearer ${by}`, 'idempotency-key': 'once-1' },
    })
    return { statusCode, ...(JSON.parse(body) as { code: string; detail: string; facts: object }) }
  }
  for (const by of [key, admin.keys.admin]) assert.equal((await send(by)).statusCode, 200)
  const [row] = await listAudit(database, { limit: 1 })
  const { code, detail, facts } = await send(key)
  assert.equal(code, 'repeated')
  assert.deepEqual(facts, {})
  assert.doesNotMatch(detail, /\d|audit/)
  assert.deepEqual((await send(admin.keys.admin)).facts, { auditRow: row!.seq })
})

test('clients see all reasons of waiting for a route as one', async () => {
  const jobs = await recordJobs(database, acceptedJobs(4, { accountId: shop }))
  for (const [n, reason] of ['owed', 'backlog', 'moved', 'scheduled'].entries())
    await database.query(
      `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason)
       values ($1, 1, 1, $2, 'north', 'normal', 1, now(), $3)`,
      [jobs[n]!.msgKey, shop, reason],
    )
  const read = async (by: string): Promise<(string | number)[][]> => {
    const { body } = await admin.callWith(by, 'GET', '/admin/v1/accounts/shop/state')
    const { waiting } = body.data! as { waiting: { reason: string; count: number }[] }
    return waiting.map(({ reason, count }) => [reason, count])
  }
  assert.deepEqual(await read(key), [
    ['queue', 3],
    ['scheduled', 1],
  ])
  assert.equal((await read(admin.keys.viewer)).length, 4)
})

test('merged reasons have the sum of their counts and the oldest time', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 16, 9, 0, second))
  const counts = [
    { reason: 'rule', count: 4, oldestAt: at(3) },
    { reason: 'owed', count: 3, oldestAt: at(2) },
    { reason: 'backlog', count: 2, oldestAt: at(1) },
  ]
  assert.deepEqual(
    mergeReasons(counts, (reason) => (reason === 'rule' ? reason : 'queue')),
    [
      { reason: 'queue', count: 5, oldestAt: at(1) },
      { reason: 'rule', count: 4, oldestAt: at(3) },
    ],
  )
})

test('search progress is rounded to the hour, and never beyond the actual progress', async () => {
  const hourMs = 3_600_000
  const twentyPast = Math.floor(Date.now() / hourMs) * hourMs - 3 * hourMs + hourMs / 3
  await recordJobs(database, acceptedJobs(2, { accountId: shop, acceptedAt: twentyPast }))
  const searchUntil = async (ms: number) => {
    const until = new Date(ms).toISOString()
    const { body } = await admin.callWith(key, 'GET', `/admin/v1/messages?limit=1&until=${until}`)
    const { items, next, searchedUntil } = body.data! as {
      items: []
      next: string | null
      searchedUntil: string
    }
    assert.deepEqual([items.length, next === null], [1, false])
    return searchedUntil
  }
  const fullHour = twentyPast + (2 * hourMs) / 3
  assert.equal(await searchUntil(twentyPast + hourMs / 6), new Date(fullHour).toISOString())
  // Within the current hour the next full hour is in the future, so the progress is rounded to the minute.
  const acceptedAt = Date.now() - 1
  await recordJobs(database, acceptedJobs(2, { accountId: shop, acceptedAt }))
  const searchedUntil = await searchUntil(acceptedAt + 60_000)
  assert.match(searchedUntil, /T\d\d:\d\d:00\.000Z$/)
  assert.ok(Date.parse(searchedUntil) >= acceptedAt)
  assert.ok(Date.parse(searchedUntil) <= Date.now() + 60_000)
})

test('searches per minute are limited per account, without delaying other accounts', async () => {
  const searchingKey = await addTestOperator(
    database,
    'searching',
    'client',
    await createAccount(database, 'searching'),
  )
  const search = (of: string) => admin.callWith(of, 'GET', '/admin/v1/messages?limit=1')
  let searched = 0
  for (; searched < 200; searched += 1) if ((await search(searchingKey)).status !== 200) break
  assert.equal(searched, 120)
  const { status, body } = await search(searchingKey)
  assert.deepEqual([status, body.code], [429, 'too-many-requests'])
  assert.equal((await admin.callWith(searchingKey, 'GET', '/admin/v1/me')).status, 200)
  for (const other of [key, admin.keys.viewer]) assert.equal((await search(other)).status, 200)
})
