import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueryConfig } from 'pg'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { assertWithin, waitFor } from '../../../test/support/wait.ts'
import { openDatabase, type Database } from '../../platform/database/database.ts'
import { createFormId, type Form } from './form.ts'
import { createFormLookup } from './lookup.ts'
import { deleteForm, findForm, insertForm, removeExpiredForms, replaceForm } from './queries.ts'

const { database, url } = await createTestDatabase()
const proxy = await createProxy(url)
/** The connection of another process. */
const proxied = openDatabase(proxy.url, silentLog, { connections: 2 })
addCleanup(() => proxied.end())

const noForm = { code: 'A250' }
const newForm = (overrides: Partial<Form> = {}): Form => ({
  id: createFormId(new Date()),
  accountId: 7,
  flow: [{ sms: { text: 'Hello #{name}' } }],
  expiresAt: new Date(Date.now() + 3_600_000),
  ...overrides,
})

async function storedForm(overrides: Partial<Form> = {}): Promise<Form> {
  const form = newForm(overrides)
  assert.equal(await insertForm(database, form, new Date(), 1_000_000), true)
  return form
}

function countQueries(): { readonly database: Database; queries: number } {
  const counter = { database, queries: 0 }
  counter.database = new Proxy(database, {
    get(target, name) {
      if (name === 'query') counter.queries++
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value
    },
  })
  return counter
}

test('another process finds a form immediately after its registration', async () => {
  const elsewhere = createFormLookup(proxied)
  for (let nth = 0; nth < 20; nth++) {
    const form = await storedForm()
    assert.deepEqual(await elsewhere.find(form.accountId, form.id), form)
  }
})

test('refuses ids that are unknown, malformed, expired or of another account', async () => {
  const lookup = createFormLookup(database)
  const form = await storedForm()
  await lookup.find(7, form.id)
  for (const id of ['', 'x', '\0', createFormId(new Date()), form.id.toLowerCase()]) {
    await assert.rejects(lookup.find(7, id), noForm)
  }
  await assert.rejects(lookup.find(8, form.id), noForm)
  assert.deepEqual(await lookup.find(7, form.id), form)
})

test('a form expires at its time, even when it is cached', async () => {
  let now = new Date()
  const lookup = createFormLookup(database, { now: () => now })
  const form = await storedForm()
  now = new Date(form.expiresAt.getTime() - 1)
  assert.deepEqual(await lookup.find(7, form.id), form)
  now = form.expiresAt
  await assert.rejects(lookup.find(7, form.id), noForm)
})

test('a change and a deletion by another process take effect within two seconds', async () => {
  const lookup = createFormLookup(proxied)
  const form = await storedForm()
  assert.deepEqual(await lookup.find(7, form.id), form)
  const changed = { ...form, flow: [{ sms: { text: 'Changed' } }] }
  await replaceForm(database, changed, new Date())
  const changedAt = performance.now()
  await waitFor('the change', async () => {
    const { flow } = await lookup.find(7, form.id)
    return JSON.stringify(flow) === JSON.stringify(changed.flow)
  })
  assertWithin('the change', performance.now() - changedAt, 2_000)
  await deleteForm(database, 7, form.id, new Date())
  const deletedAt = performance.now()
  await waitFor('the deletion', () =>
    lookup.find(7, form.id).then(
      () => false,
      () => true,
    ),
  )
  assertWithin('the deletion', performance.now() - deletedAt, 2_000)
  await assert.rejects(lookup.find(7, form.id), noForm)
})

test('a row that was read before `forget` is not cached', async () => {
  const [wasRead, release] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  let queries = 0
  const slow = {
    query: async (query: QueryConfig) => {
      const first = queries++ === 0
      const result = await database.query(query)
      wasRead.resolve(undefined)
      if (first) await release.promise
      return result
    },
  }
  const lookup = createFormLookup(slow as unknown as Database)
  const form = await storedForm()
  const early = lookup.find(7, form.id)
  await wasRead.promise
  const changed = { ...form, flow: [{ sms: { text: 'Changed' } }] }
  await replaceForm(database, changed, new Date())
  lookup.forget(form.id)
  assert.deepEqual(await lookup.find(7, form.id), changed)
  release.resolve(undefined)
  assert.deepEqual(await early, form)
  assert.deepEqual(await lookup.find(7, form.id), changed)
})

test('many sends by the same form query PostgreSQL once, whether it exists or not', async () => {
  const counter = countQueries()
  const lookup = createFormLookup(counter.database)
  const form = await storedForm()
  const finds = await Promise.all(Array.from({ length: 50 }, () => lookup.find(7, form.id)))
  for (const found of [...finds, await lookup.find(7, form.id)]) assert.deepEqual(found, form)
  assert.equal(counter.queries, 1)
  const unknown = createFormId(new Date())
  for (let nth = 0; nth < 5; nth++) await assert.rejects(lookup.find(7, unknown), noForm)
  assert.equal(counter.queries, 2)
})

test('a send gets A920 within the timeout while PostgreSQL does not respond', async () => {
  const lookup = createFormLookup(proxied, { timeoutMs: 50 })
  const form = await storedForm()
  proxy.mute()
  const before = performance.now()
  try {
    await assert.rejects(lookup.find(7, form.id), { code: 'A920', retryAfterSeconds: 1 })
    assertWithin('the refusal', performance.now() - before, 5_000)
  } finally {
    proxy.unmute()
  }
  assert.deepEqual(await waitFor('the form', () => lookup.find(7, form.id).catch(() => null)), form)
})

test('removes every expired form in batches, and no other, with two concurrent processes', async () => {
  const now = new Date(Date.now() + 1_800_000)
  const unexpired = await storedForm({ expiresAt: new Date(now.getTime() + 1) })
  const expired: Form[] = []
  for (let nth = 0; nth < 7; nth++)
    expired.push(await storedForm({ expiresAt: new Date(now.getTime() - nth) }))
  const counts = await Promise.all([
    removeExpiredForms(database, now, 3),
    removeExpiredForms(database, now, 3),
  ])
  const removedLast = await removeExpiredForms(database, now, 3)
  assert.equal(counts[0] + counts[1] + removedLast, 7)
  for (const { id } of expired) assert.equal(await findForm(database, id), null)
  assert.deepEqual(await findForm(database, unexpired.id), unexpired)
})

test('caches no more forms than its capacity', async () => {
  const counter = countQueries()
  const lookup = createFormLookup(counter.database, { capacity: 2 })
  const [a, b, c] = [await storedForm(), await storedForm(), await storedForm()]
  for (const { id } of [a, b, c]) await lookup.find(7, id)
  counter.queries = 0
  await lookup.find(7, a.id)
  assert.equal(counter.queries, 1, 'the first of three was evicted')
})
