/**
 * Changes over the admin API not covered by `audited-changes.test.ts`: whole routes and their state, secrets, webhooks,
 * operators.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin, type AdminResponse } from '../../test/support/http/admin.ts'
import { createAccount, recordOne } from '../../test/support/fixtures.ts'
import { waitFor } from '../../test/support/wait.ts'
import { listAudit } from '../identity/audit/queries.ts'
import { inTransaction } from '../platform/database/database.ts'
import { holdSteps } from '../records/waiting/write-waiting.ts'
import type { StaffRole } from '../identity/operators/rights.ts'
import { loadRoutes, upsertRoute } from '../carriers/routes/queries.ts'

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop')
const sandbox = { channels: ['sms'], protocol: 'sandbox', options: {} }

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the caller expects in the response
async function send<Data>(
  role: StaffRole,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly answer: AdminResponse['body']; readonly status: number; readonly data: Data }> {
  const answer = await admin.server.inject({
    method,
    url,
    headers: { authorization: `Bearer ${admin.keys[role]}`, ...headers },
    ...(body === undefined ? {} : { payload: body }),
  })
  const parsed = answer.json<AdminResponse['body']>()
  return { answer: parsed, status: answer.statusCode, data: parsed.data as Data }
}
const lastRow = async () => (await listAudit(database, { limit: 1 }))[0]!

test('a route for one phone number requires a reason, and another operator to enable it', async () => {
  const url = '/admin/v1/routes/single'
  const route = { ...sandbox, prefixes: ['01099990000'] }
  assert.equal((await send('operator', 'PUT', url, route)).answer.code, 'reason-missing')
  const because = { reason: 'case 7' }
  const refused = await send('operator', 'PUT', url, { ...route, ...because })
  assert.equal(refused.answer.code, 'second-operator-needed')
  assert.equal((await send('operator', 'PUT', url, { ...route, ...because, enabled: false })).status, 200)
  const { status, answer } = await send('operator', 'POST', `${url}/enable`, because)
  assert.deepEqual([status, answer.code], [409, 'second-operator-needed'])
  const { version } = await admin.get<{ version: string }>('viewer', url)
  const reviewed = { ...because, reviewed: version }
  assert.equal((await send('admin', 'POST', `${url}/enable`, because)).answer.code, 'invalid-request')
  assert.equal((await send('admin', 'POST', `${url}/enable`, reviewed)).status, 200)
})

test('a route to a new host is enabled by another operator, as that operator reviewed it', async () => {
  const url = '/admin/v1/routes/own-host'
  const to = (host: string) => ({
    channels: ['sms'],
    protocol: 'smpp',
    options: { host, systemId: 'me', password: 'secret' },
    accounts: ['shop'],
    enabled: false,
  })
  const put = (role: StaffRole, route: object, version?: string) =>
    send<{ version: string }>(role, 'PUT', url, route, version === undefined ? {} : { 'if-match': version })
  const enable = async (role: StaffRole, reviewed?: string) =>
    (await send(role, 'POST', `${url}/enable`, { reviewed })).answer.code
  assert.equal(
    (await put('operator', { ...to('203.0.113.7'), enabled: true })).answer.code,
    'second-operator-needed',
  )
  const first = await put('operator', to('203.0.113.7'))
  assert.equal(await enable('operator', first.data.version), 'second-operator-needed')
  // The author saves it again between review and enabling.
  const second = await put('operator', to('203.0.113.8'), first.data.version)
  assert.equal(await enable('admin', first.data.version), 'stale')
  assert.equal(await enable('operator', second.data.version), 'second-operator-needed')
  assert.equal(await enable('admin'), 'invalid-request')
  assert.equal(await enable('admin', second.data.version), 'success')
  // A reviewed route is closed and opened by anyone, and its host is known.
  assert.equal((await send('operator', 'POST', `${url}/disable`, {})).status, 200)
  assert.equal(await enable('operator'), 'success')
  const { version } = await admin.get<{ version: string }>('viewer', url)
  const same = await put('operator', { ...to('203.0.113.8'), enabled: true, weight: 2 }, version)
  assert.equal(same.answer.code, 'success')
  const other = await put('operator', { ...to('203.0.113.9'), enabled: true }, same.data.version)
  assert.equal(other.answer.code, 'second-operator-needed')
  await database.query(`delete from routes where id = 'own-host'`)
})

test('an operator who saves a route for one number and enables it is refused', async () => {
  const url = '/admin/v1/routes/raced'
  const made = await send<{ version: string }>('operator', 'PUT', url, { ...sandbox, enabled: false })
  const single = { ...sandbox, prefixes: ['01099990001'], enabled: false, reason: 'case 7' }
  const waits = async (count: number): Promise<void> => {
    await waitFor(`${count} transactions to wait for a lock`, async () => {
      const { rowCount } = await database.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rowCount === count
    })
  }
  const { both } = await inTransaction(database, async (transaction) => {
    await transaction.query('select from audit_tail for update')
    const saved = send('operator', 'PUT', url, single, { 'if-match': made.data.version })
    await waits(1)
    const enabled = send('operator', 'POST', `${url}/enable`, { reason: 'case 7' })
    await waits(2)
    return { both: Promise.all([saved, enabled]) }
  })
  const codes = (await both).map(({ answer }) => answer.code)
  assert.deepEqual(codes, ['success', 'second-operator-needed'])
})

test('a route is created, replaced only with its last version, and deleted', async () => {
  const url = '/admin/v1/routes/north'
  const made = await send<{ version: string }>('operator', 'PUT', url, { ...sandbox, weight: 3 })
  assert.equal(made.status, 200, JSON.stringify(made.answer))
  assert.equal((await lastRow()).action, 'route put')
  assert.equal((await send('operator', 'PUT', url, sandbox)).answer.code, 'stale')
  const { version } = await admin.get<{ version: string }>('viewer', url)
  assert.equal(version, made.data.version)
  const replaced = await send<{ version: string }>('operator', 'PUT', url, sandbox, { 'if-match': version })
  assert.equal(replaced.status, 200)
  const late = await send('operator', 'PUT', url, sandbox, { 'if-match': `"${version}"` })
  assert.deepEqual([late.status, late.answer.code], [412, 'stale'])
  assert.equal((await admin.get<{ weight: number }>('viewer', url)).weight, 1)
  const wrong = await send('operator', 'PUT', '/admin/v1/routes/south', { ...sandbox, accounts: ['nobody'] })
  assert.equal(wrong.answer.code, 'not-found')
  assert.equal((await send('operator', 'DELETE', url)).answer.code, 'invalid-request')
  const removed = await send<{ deleted: boolean }>('operator', 'DELETE', `${url}?reason=unused`)
  assert.deepEqual([removed.data.deleted, (await lastRow()).action], [true, 'route delete'])
})

test('one of several concurrent route creations succeeds', async () => {
  const url = '/admin/v1/routes/created'
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => admin.call('operator', 'PUT', url, sandbox)),
  )
  const codes = answers.map(({ body }) => body.code).sort()
  assert.deepEqual(codes, ['stale', 'stale', 'stale', 'success'])
  await database.query(`delete from routes where id = 'created'`)
})

test('a secret of a route is never returned, and is kept when its mask is sent back', async () => {
  const options = { host: '127.0.0.1', port: 1, systemId: 'me', password: 'hidden-1' }
  const body = { channels: ['sms'], protocol: 'smpp', options, enabled: false }
  assert.equal((await send('operator', 'PUT', '/admin/v1/routes/skt', body)).status, 200)
  const shown = await admin.get<{ version: string; options: { password: string } }>(
    'operator',
    '/admin/v1/routes/skt',
  )
  assert.equal(shown.options.password, '***')
  const edited = { ...body, options: { ...shown.options, systemId: 'you' } }
  const saved = await send('operator', 'PUT', '/admin/v1/routes/skt', edited, { 'if-match': shown.version })
  assert.equal(saved.status, 200, JSON.stringify(saved.answer))
  const stored = (await loadRoutes(database)).find(({ id }) => id === 'skt')!
  assert.deepEqual([stored.options['password'], stored.options['systemId']], ['hidden-1', 'you'])
  const unknown = { ...body, options: { ...options, password: '***' } }
  const masked = await send('operator', 'PUT', '/admin/v1/routes/other', unknown)
  assert.equal(masked.answer.field, 'options.password')
  assert.ok(!JSON.stringify(await listAudit(database, { limit: 50 })).includes('hidden-1'))
})

test('the preview of closing a route matches the effect on its waiting messages', async () => {
  for (const [id, priority] of [
    ['first', 10],
    ['second', 20],
  ] as const)
    await upsertRoute(database, {
      id,
      priority,
      channels: ['sms'],
      protocol: 'sandbox',
      options: {},
      partsPerSecond: 5,
      enabled: true,
    })
  for (let i = 0; i < 3; i++) {
    const { msgKey } = await recordOne(database, { accountId: shop })
    await holdSteps(database, [
      {
        msgKey,
        step: 1,
        try: 1,
        accountId: shop,
        routeId: 'first',
        lane: 'normal',
        parts: 2,
        tries: 0,
        releaseAt: new Date(Date.now() - 1_000),
        reason: 'backlog',
      },
    ])
  }
  interface Preview {
    readonly waiting: { steps: number; lanes: object[]; accounts: object[] }
    readonly destinations: object[]
    readonly unservedChannels: string[]
    readonly drainSeconds: number | null
  }
  const preview = (body: object) =>
    send<Preview>('viewer', 'POST', '/admin/v1/routes/first/preview', body).then(({ data }) => data)
  const drained = await preview({ act: 'drain' })
  assert.deepEqual(drained.waiting.lanes, [{ lane: 'normal', steps: 3, parts: 6 }])
  assert.deepEqual(drained.waiting.accounts, [{ account: 'shop', steps: 3 }])
  assert.deepEqual(drained.destinations, [{ route: 'second', becomes: 'moved', steps: 3 }])
  assert.equal((await preview({ act: 'rate', partsPerSecond: 2 })).drainSeconds, 3)
  await send('operator', 'POST', '/admin/v1/routes/second/disable')
  assert.deepEqual((await preview({ act: 'drain' })).destinations, [
    { route: 'first', becomes: 'waits', steps: 3 },
  ])
  assert.deepEqual((await preview({ act: 'delete' })).destinations, [
    { route: null, becomes: 'fails', steps: 3 },
  ])
  assert.equal((await send('operator', 'POST', '/admin/v1/routes/first/drain')).status, 200)
  assert.deepEqual(JSON.parse((await lastRow()).details), { traffic: { from: 'open', to: 'draining' } })
  const shown = await admin.get<{ traffic: string }>('viewer', '/admin/v1/routes/first')
  assert.equal(shown.traffic, 'draining')
  assert.equal((await send('operator', 'POST', '/admin/v1/routes/second/pause')).answer.code, 'refused')
  await send('operator', 'POST', '/admin/v1/routes/first/enable')
  assert.equal((await admin.get<{ traffic: string }>('viewer', '/admin/v1/routes/first')).traffic, 'open')
})

test('a request with an Idempotency-Key is executed once, even if sent twice concurrently', async () => {
  const once = { 'idempotency-key': 'create-1' }
  const create = () =>
    send<{ clientId: string }>('operator', 'POST', '/admin/v1/accounts', { name: 'New' }, once)
  const answers = await Promise.all([create(), create(), create()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
  const repeat = await create()
  assert.deepEqual([repeat.status, repeat.answer.code, repeat.answer.done], [409, 'repeated', true])
  const count = await database.query<{ n: number }>(`select count(*) as n from accounts where name = 'New'`)
  assert.equal(count.rows[0]!.n, 1)
  // A key belongs to one operator, and covers all of its operations.
  const other = await send('admin', 'POST', '/admin/v1/accounts', { name: 'New' }, once)
  assert.equal(other.status, 200)
  const url = '/admin/v1/accounts/shop/erase-recipient'
  const erase = () => send('operator', 'POST', url, { recipient: '01012345678', reason: 'asked' }, once)
  assert.equal((await erase()).answer.code, 'repeated')
  const wrong = await send('operator', 'POST', url, {}, { 'idempotency-key': 'not visible' })
  assert.equal(wrong.answer.code, 'invalid-request')
})

test('a repeated request is reported as repeated even if repeating it would fail', async () => {
  const repeat = async (role: StaffRole, method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
    const once = { 'idempotency-key': `${method} ${path}`.replaceAll(' ', '-') }
    const request = () => send(role, method, `/admin/v1${path}`, body, once)
    const atOnce = await Promise.all([request(), request(), request()])
    return [...atOnce, await request()].map(({ answer }) => answer.code).sort()
  }
  const expected = ['repeated', 'repeated', 'repeated', 'success']
  assert.deepEqual(await repeat('admin', 'POST', '/operators', { name: 'choi', role: 'viewer' }), expected)
  assert.deepEqual(await repeat('operator', 'PUT', '/routes/once', sandbox), expected)
  assert.deepEqual(await repeat('operator', 'DELETE', '/routes/once?reason=unused'), expected)
})
