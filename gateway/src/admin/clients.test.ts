/**
 * A client operator sees the messages of its account without their routing, and manages its webhooks, credentials
 * and senders, but nothing else.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin, type AdminResponse } from '../../test/support/http/admin.ts'
import { Browser, enrol, firstPassword, setFirstPassword } from '../../test/support/http/browser.ts'
import { attempt, createAccount, recordOne } from '../../test/support/fixtures.ts'
import { listAudit } from '../identity/audit/queries.ts'
import { createMsgKey } from '../contract/msg-key.ts'
import { insertAttempts } from '../records/attempts/attempts.ts'
import { insertWebhook } from '../edge/webhooks/queries.ts'
import { createSecret, createWebhookId, webhookDefaults } from '../edge/webhooks/webhook.ts'
import { resolveScope } from './client-scope.ts'
import { clientId } from '../operations/fields.ts'
import type { AdminOperation, ClientScope } from '../operations/operation.ts'
import { adminOperations } from '../operations/operations.ts'

interface Found {
  readonly items: readonly { readonly msgKey: string; readonly account: string }[]
  readonly next: string | null
}

const admin = await createTestAdmin({
  settings: { POSTERN_WEBHOOK_VERIFICATION: 'yes', POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
})
const { database } = admin
const shop = await createAccount(database, 'shop')
const other = await createAccount(database, 'other')
const key = await addTestOperator(database, 'park@shop.example', 'client', shop)
const to = '01055556666'
const own: string[] = []
const others: string[] = []
for (let nth = 0; nth < 3; nth += 1) {
  own.push((await recordOne(database, { accountId: shop, to, ref: `order ${nth}` })).msgKey)
  others.push((await recordOne(database, { accountId: other, to, ref: `order ${nth}` })).msgKey)
}
const call = (method: string, path: string, body?: object): Promise<AdminResponse> =>
  admin.callWith(key, method, `/admin/v1${path}`, body)
async function get<Data>(path: string): Promise<Data> {
  const { status, body } = await call('GET', path)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data!
}
const lastRow = async () => (await listAudit(database, { limit: 1 }))[0]!

test('a client finds only its own messages, whatever the filters and the cursor', async () => {
  const find = async (query: string): Promise<string[]> =>
    (await get<Found>(`/messages?${query}`)).items.map(({ msgKey }) => msgKey).sort()
  assert.deepEqual(await find(''), own.toSorted())
  assert.deepEqual(await find('ref=order%201'), [own[1]])
  assert.deepEqual(await find('account=shop&state=open'), own.toSorted())
  // Cursors of searches in another account and in all accounts.
  for (const query of ['account=other&limit=1', 'limit=1']) {
    const { next } = await admin.get<Found>('viewer', `/admin/v1/messages?${query}`)
    const { status, body } = await call('GET', `/messages?cursor=${next!}`)
    assert.deepEqual([status, body.code], [400, 'invalid-request'])
  }
  const { status, body } = await call('POST', '/messages/search', {
    account: 'shop',
    recipient: to,
    reason: 'a customer asks',
  })
  assert.equal(status, 200, JSON.stringify(body))
  const found = body.data! as Found
  assert.deepEqual(found.items.map(({ msgKey }) => msgKey).sort(), own.toSorted())
  const { actor, role, result, account } = await lastRow()
  assert.deepEqual([actor, role, result, account], ['park@shop.example', 'client', 'looked', 'shop'])
})

test('a message is shown without its route, its lane and carrier IDs', async () => {
  const msgKey = own[0]!
  const row = attempt({ msgKey, step: 1, try: 1 }, { routeId: 'secret-route', carrierId: 'secret-id' })
  await insertAttempts(database, [{ ...row, routeReason: 'secret reason', heldReason: 'rule:secret-rule' }])
  await database.query(
    `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason, rule)
     values ($1, 1, 1, $2, 'secret-route', 'bulk', 1, now(), 'rule', 'secret-rule')
     on conflict (msg_key) do update set route_id = 'secret-route', lane = 'bulk', reason = 'rule', rule = 'secret-rule'`,
    [msgKey, shop],
  )
  const shownMessage = await get<{ attempts: object[]; events: { kind: string }[] }>(`/messages/${msgKey}`)
  assert.equal(shownMessage.attempts.length, 1)
  assert.ok(shownMessage.events.some(({ kind }) => kind === 'submitted'))
  assert.doesNotMatch(JSON.stringify(shownMessage), /secret|bulk/)
  const whole = JSON.stringify(await admin.get('viewer', `/admin/v1/messages/${msgKey}`))
  for (const internal of ['secret-route', 'secret-id', 'secret reason', 'secret-rule'])
    assert.ok(whole.includes(internal), internal)
})

test('recipients are revealed with a reason, which is recorded for the client', async () => {
  const url = `/messages/${own[1]!}`
  assert.notEqual((await get<{ recipient: string }>(url)).recipient, to)
  assert.equal((await call('GET', `${url}?reveal=true`)).body.code, 'reason-missing')
  assert.equal((await get<{ recipient: string }>(`${url}?reveal=true&reason=complaint`)).recipient, to)
  const { actor, result, reason, target } = await lastRow()
  assert.deepEqual([actor, result, reason, target], ['park@shop.example', 'looked', 'complaint', own[1]])
})

test('a proof replaced by the client is not approved based on the previous one', async () => {
  const ask = (reference: string) =>
    call('POST', '/accounts/shop/senders', {
      kind: 'number',
      value: '0233334444',
      proof: { kind: 'consent', reference },
    })
  const { id } = (await ask('contract 1')).body.data! as { id: string }
  const url = '/admin/v1/accounts/shop/senders'
  const shownAt = async (): Promise<string> =>
    (await admin.get<{ updatedAt: string }>('support', `${url}/${id}`)).updatedAt
  const approve = (updatedAt: string) =>
    admin.call('support', 'POST', `${url}/approve`, {
      id,
      proof: { kind: 'operator', reference: 'seen' },
      updatedAt,
    })
  const former = await shownAt()
  assert.equal((await ask('contract 2')).status, 200)
  const refused = await approve(former)
  assert.deepEqual([refused.status, refused.body.code], [412, 'stale'])
  assert.equal((await get<{ state: string }>(`/accounts/shop/senders/${id}`)).state, 'pending')
  assert.equal((await approve('yesterday')).body.code, 'invalid-request')
  const approved = await approve(await shownAt())
  assert.equal(approved.status, 200, JSON.stringify(approved.body))
})

test('a client requests a limited number of senders, which an operator approves', async () => {
  const ask = (value: string) => call('POST', '/accounts/shop/senders', { kind: 'number', value })
  const { body } = await ask('02-1234-5678')
  const { id, state } = body.data! as { id: string; state: string }
  assert.equal(state, 'pending')
  assert.equal((await lastRow()).actor, 'park@shop.example')
  assert.equal((await call('POST', '/accounts/shop/senders/approve', { id })).body.code, 'forbidden')
  const approved = await admin.call('support', 'POST', '/admin/v1/accounts/shop/senders/approve', {
    id,
    proof: { kind: 'operator', reference: 'seen' },
  })
  assert.equal(approved.status, 200, JSON.stringify(approved.body))
  const revealed = await get<object>(`/accounts/shop/senders/${id}?reveal=true&reason=check`)
  assert.deepEqual(
    ['value', 'proof', 'proofReference'].map((name) => (revealed as Record<string, unknown>)[name]),
    ['0212345678', 'operator', undefined],
    'where an operator keeps a proof is not shown',
  )
  const { history } = await get<{ history: object[] }>(`/accounts/shop/senders/${id}`)
  assert.deepEqual(
    history.map((change) => Object.keys(change).filter((name) => name === 'by' || name === 'reason')),
    [[], []],
  )
  await database.query(
    `insert into senders (account_id, kind, value, state, version)
     select $1, 'number', '02' || (2000000 + n), 'pending', 1 from generate_series(1, 50) n`,
    [shop],
  )
  const refused = await ask('0212345679')
  assert.deepEqual([refused.status, refused.body.code], [409, 'refused'])
  const repeated = await ask('022000001')
  assert.deepEqual(
    [repeated.status, (repeated.body.data as { changed?: boolean } | undefined)?.changed],
    [200, false],
  )
})

test('a webhook keeps its URL, and is not enabled before its receiver is verified', async () => {
  const id = createWebhookId(new Date())
  const url = 'https://127.0.0.1/reports'
  await insertWebhook(
    database,
    {
      ...webhookDefaults,
      id,
      accountId: shop,
      url,
      secret: createSecret(),
      enabled: false,
      disabledReason: 'unproved',
    },
    20,
  )
  const set = (body: object) => call('PATCH', `/webhooks/${id}`, { ...body, reason: 'a test' })
  assert.equal((await set({ url: 'https://thief.example/' })).body.code, 'forbidden')
  assert.equal((await set({ enabled: true })).body.code, 'refused')
  assert.equal((await get<{ enabled: boolean }>(`/webhooks/${id}`)).enabled, false)
  assert.equal((await set({ name: 'Reports' })).status, 200)
  const added = await call('POST', '/accounts/shop/webhooks', { url: 'https://thief.example/' })
  assert.equal(added.body.code, 'forbidden')
  const replay = (msgKey: string) => call('POST', `/webhooks/${id}/replay`, { msgKey })
  const unknown = createMsgKey('00', new Date())
  assert.deepEqual((await replay(others[0]!)).body, (await replay(unknown)).body)
  assert.equal((await replay(unknown)).body.code, 'refused')
})

test('a client creates a key of its account, shown once, and revokes it', async () => {
  const { body } = await call('POST', '/accounts/shop/credentials', { name: 'server' })
  const { keyId, key: text } = body.data! as { keyId: string; key: string }
  const list = async (): Promise<{ keyId: string; active: boolean }[]> =>
    (await get<{ credentials: { keyId: string; active: boolean }[] }>('/accounts/shop/credentials'))
      .credentials
  assert.ok((await list()).some((credential) => credential.keyId === keyId && credential.active))
  assert.ok(!JSON.stringify(await list()).includes(text))
  assert.equal((await call('DELETE', `/accounts/shop/credentials/${keyId}`)).status, 200)
  assert.ok((await list()).some((credential) => credential.keyId === keyId && !credential.active))
  const { actor, action, account } = await lastRow()
  assert.deepEqual([actor, action, account], ['park@shop.example', 'account key revoke', 'shop'])
})

test('a client knows its account, but no other operator or session', async () => {
  const me = await get<{ role: string; account: string; rights: string[] }>('/me')
  assert.deepEqual([me.role, me.account, me.rights], ['client', 'shop', []])
  const { sessions } = await get<{ sessions: object[] }>('/sessions?operator=admin')
  assert.deepEqual(sessions, [])
  for (const path of ['/operators', '/audit', '/now', '/live', '/routes', '/accounts', '/sandbox/numbers'])
    assert.equal((await call('GET', path)).body.code, 'forbidden', path)
})

test('a client operator belongs to its account permanently, without another role', async () => {
  const set = await admin.call('admin', 'PATCH', '/admin/v1/operators/park@shop.example', {
    role: 'viewer',
    reason: 'a test',
  })
  assert.deepEqual([set.status, set.body.code], [409, 'refused'])
  const add = (body: object) => admin.call('admin', 'POST', '/admin/v1/operators', { name: 'lim', ...body })
  assert.equal((await add({ role: 'client' })).body.code, 'invalid-request')
  assert.equal((await add({ role: 'viewer', account: 'shop' })).body.code, 'invalid-request')
  assert.equal((await add({ role: 'client', account: 'nobody' })).body.code, 'not-found')
  assert.equal((await add({ role: 'client', account: 'shop' })).status, 200)
  assert.equal((await lastRow()).account, 'shop')
  const passwordResponse = await admin.call('admin', 'POST', '/admin/v1/operators/lim/password', {
    reason: 'new',
  })
  const { password } = passwordResponse.body.data! as { password: string }
  const offered = await new Browser(admin.server).signIn({ name: 'lim', password })
  assert.equal((offered.body.data as unknown as { step: string }).step, 'enrol')
  assert.ok(!JSON.stringify(await listAudit(database, { limit: 5 })).includes(password))
  for (const change of [`role = 'admin'`, 'account_id = null'])
    await assert.rejects(
      database.query(`update operators set ${change} where name = 'lim'`),
      /operators_account_check/,
    )
  await assert.rejects(
    database.query(`update operators set account_id = $1 where name = 'viewer'`, [shop]),
    /operators_account_check/,
  )
})

test('operations without an account parameter cannot be declared as own, nor others as public', () => {
  const [example] = adminOperations
  const declare = (client: ClientScope, params: AdminOperation['params']) => () =>
    resolveScope({ ...example!, client, params, query: {}, body: null })
  assert.throws(declare('own', { routeId: clientId }), /does not fit/)
  assert.throws(declare('public', { clientId }), /does not fit/)
  assert.throws(declare('self', { webhookId: clientId }), /does not fit/)
  assert.doesNotThrow(declare('own', { clientId }))
})

test('a process for clients serves no operator of the installation, with key or password', async () => {
  const outside = await createTestAdmin({ settings: { POSTERN_ADMIN_AUDIENCE: 'clients' } })
  const accountId = await createAccount(outside.database, 'shop')
  const login = await addTestOperator(outside.database, 'park', 'client', accountId)
  for (const role of ['viewer', 'admin'] as const) {
    const { status, body } = await outside.call(role, 'GET', '/admin/v1/me')
    assert.deepEqual([status, body.code], [403, 'forbidden'])
  }
  assert.equal((await outside.callWith(login, 'GET', '/admin/v1/me')).status, 200)
  await setFirstPassword(outside.database, 'admin')
  const signInResponse = await new Browser(outside.server).signIn({ name: 'admin', password: firstPassword })
  assert.deepEqual([signInResponse.status, signInResponse.body.code], [401, 'wrong-sign-in'])
  const { browser } = await enrol(outside.database, outside.server, 'park')
  const { status, body } = await browser.call('GET', '/admin/v1/me')
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal((body.data as unknown as { account: string }).account, 'shop')
  const { status: foreign } = await browser.call('GET', '/admin/v1/accounts/other')
  assert.equal(foreign, 404)
})
