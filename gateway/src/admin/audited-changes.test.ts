/**
 * Changes over the admin API take effect, are audited like the corresponding command, and require what the
 * command requires.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createTestAdmin } from '../../test/support/http/admin.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { AuditRecorder } from '../operations/audit-recorder.ts'
import { blockAccount } from '../operations/accounts/block.ts'
import type { AuditContext } from '../identity/audit/context.ts'
import { listAudit } from '../identity/audit/queries.ts'
import type { StaffRole } from '../identity/operators/rights.ts'
import type { Database } from '../platform/database/database.ts'
import { upsertRoute } from '../carriers/routes/queries.ts'

const admin = await createTestAdmin()
const { database } = admin
for (let i = 1; i <= 3; i++) await createAccount(database, `shop-${i}`)
for (const [index, id] of ['north', 'south', 'west'].entries())
  await upsertRoute(database, {
    id,
    channels: ['sms'],
    protocol: 'sandbox',
    options: {},
    priority: 10 + index,
    partsPerSecond: 0,
    enabled: true,
  })

async function change<Data>(
  role: StaffRole,
  method: 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
): Promise<Data> {
  const answer = await admin.call(role, method, url, body)
  assert.equal(answer.status, 200, `${method} ${url}: ${JSON.stringify(answer.body)}`)
  return answer.body.data!
}

async function recorded(
  actor: string,
  action: string,
): Promise<{ target: string; reason: string; details: unknown }> {
  const [row] = await listAudit(database, { limit: 1 })
  assert.deepEqual([row!.actor, row!.action, row!.result], [actor, action, 'done'])
  return { target: row!.target, reason: row!.reason, details: JSON.parse(row!.details) }
}

test('an account gets SMPP and a password for its networks, both shown and recorded', async () => {
  const url = '/admin/v1/accounts/shop-3'
  interface Smpp {
    readonly smppBinds: number
    readonly smppSystemId: string | null
    readonly smppReplies: boolean
  }
  const smppOf = ({ smppBinds, smppSystemId, smppReplies }: Smpp) => [smppBinds, smppSystemId, smppReplies]
  assert.deepEqual(smppOf(await admin.get<Smpp>('viewer', url)), [0, null, false])
  const password = { name: 'main', smpp: true, scopes: ['send', 'report'], networks: ['203.0.113.7'] }
  const early = await admin.call('operator', 'POST', `${url}/credentials`, password)
  assert.deepEqual([early.status, early.body.code], [409, 'smpp-disabled'])
  const smpp = { smppBinds: 4, smppSystemId: 'shop.3', smppReplies: true }
  // More binds are a higher limit, which requires a right and a reason.
  const withReason = { ...smpp, reason: 'contract 7' }
  assert.equal((await admin.call('operator', 'PATCH', url, withReason)).body.code, 'forbidden')
  assert.equal((await admin.call('admin', 'PATCH', url, smpp)).body.code, 'reason-missing')
  assert.deepEqual(smppOf(await change<Smpp>('admin', 'PATCH', url, withReason)), [4, 'shop.3', true])
  assert.deepEqual((await recorded('admin', 'account set')).details, {
    smppBinds: { from: 0, to: 4 },
    smppSystemId: { from: null, to: 'shop.3' },
    smppReplies: { from: false, to: true },
  })
  const { rows } = await database.query<{ name: string }>('select name from report_consumers')
  assert.deepEqual(rows, [{ name: '~smpp' }], 'its receipts begin now')
  const added = await change<{ keyId: string; key: string; systemId: string }>(
    'operator',
    'POST',
    `${url}/credentials`,
    password,
  )
  assert.deepEqual([added.key.length, added.systemId], [8, 'shop.3'])
  assert.equal((await recorded('operator', 'account key add')).target, added.keyId)
  const { credentials } = await admin.get<{
    credentials: { keyId: string; kind: string; networks: string[] }[]
  }>('viewer', `${url}/credentials`)
  const listed = credentials.find(({ keyId }) => keyId === added.keyId)!
  assert.deepEqual([listed.kind, listed.networks], ['smpp', ['203.0.113.7/32']])
  assert.equal((await change<Smpp>('operator', 'PATCH', url, { smppSystemId: null })).smppSystemId, null)
  for (const wrong of [{ smppBinds: 101 }, { smppSystemId: 'no blanks' }, { smppSystemId: 'x'.repeat(16) }])
    assert.equal((await admin.call('operator', 'PATCH', url, wrong)).body.code, 'invalid-request')
  assert.equal((await change<Smpp>('operator', 'PATCH', url, { smppBinds: 3 })).smppBinds, 3)
  const refusal = await admin.call('admin', 'PATCH', '/admin/v1/accounts/shop-2', {
    smppBinds: 1,
    smppSystemId: 'shop-3',
    reason: 'contract 7',
  })
  assert.deepEqual([refusal.body.code, refusal.body.field], ['already-exists', 'smppSystemId'])
  assert.equal((await admin.call('viewer', 'PATCH', url, { smppBinds: 0 })).body.code, 'forbidden')
})

test('routes are listed in order of preference, page by page and by state', async () => {
  interface Page {
    items: { id: string; state: string }[]
    next: string | null
  }
  const first = await admin.get<Page>('viewer', '/admin/v1/routes?limit=2')
  assert.deepEqual(
    first.items.map(({ id }) => id),
    ['north', 'south'],
  )
  const second = await admin.get<Page>('viewer', `/admin/v1/routes?limit=2&cursor=${first.next}`)
  assert.deepEqual([second.items.map(({ id }) => id), second.next], [['west'], null])
  assert.equal(second.items[0]!.state, 'is owned by no process')
  assert.equal((await admin.get<Page>('viewer', '/admin/v1/routes?state=healthy')).items.length, 0)
})

test('routes with problems are listed first, with their traffic', async () => {
  interface Page {
    items: {
      id: string
      flow: {
        trouble: string
        delivered: number
        failed: number
        trafficShare: number
        curve: { failed: number[] }
      }
    }[]
    next: string | null
  }
  await database.query(
    `insert into route_results (route_id, minute, delivered, failed)
     values ('south', date_trunc('minute', now()), 10, 30), ('west', date_trunc('minute', now()), 60, 0)`,
  )
  await database.query(`insert into members (id, role, host) values ('test', 'worker', 'here:1')`)
  await database.query(
    `insert into route_states (route_id, owner, linked, urgent_capacity, normal_capacity, bulk_capacity, seen_at)
     select id, 'test', true, 1, 1, 1, now() from unnest('{south,west}'::text[]) as id`,
  )
  const url = '/admin/v1/routes?order=trouble&limit=1'
  const first = await admin.get<Page>('viewer', url)
  const second = await admin.get<Page>('viewer', `${url}&cursor=${first.next}`)
  const third = await admin.get<Page>('viewer', `${url}&cursor=${second.next}`)
  const rows = [first, second, third].map(({ items }) => items[0]!)
  assert.deepEqual(
    rows.map(({ id, flow }) => [id, flow.trouble, flow.trafficShare]),
    [
      ['north', 'down', 0],
      ['south', 'impaired', 0.4],
      ['west', 'none', 0.6],
    ],
  )
  assert.equal(third.next, null)
  const { delivered, failed, curve } = rows[1]!.flow
  assert.deepEqual([delivered, failed, curve.failed.length, curve.failed.at(-1)], [10, 30, 60, 30])
  const impaired = await admin.get<Page>('viewer', '/admin/v1/routes?trouble=impaired&contains=SOU')
  assert.deepEqual(
    impaired.items.map(({ id }) => id),
    ['south'],
  )
  await database.query('delete from route_states')
})

test('accounts are listed, created and changed, with the rights that the commands require', async () => {
  const { items } = await admin.get<{ items: { clientId: string }[] }>(
    'viewer',
    '/admin/v1/accounts?prefix=shop-&limit=2',
  )
  assert.deepEqual(
    items.map(({ clientId }) => clientId),
    ['shop-1', 'shop-2'],
  )
  const made = await change<{ clientId: string; password: string }>(
    'operator',
    'POST',
    '/admin/v1/accounts',
    { name: 'New', clientId: 'new-1' },
  )
  assert.ok(made.password.length > 10)
  assert.ok(!JSON.stringify(await recorded('operator', 'account create')).includes(made.password))
  const url = '/admin/v1/accounts/new-1'
  await change('support', 'PATCH', url, { lane: 'bulk', polling: false })
  assert.deepEqual((await recorded('support', 'account set')).details, {
    mayPoll: { from: true, to: false },
    lane: { from: null, to: 'bulk' },
  })
  assert.equal(
    (await admin.call('support', 'PATCH', url, { limits: { send: 5 } })).body.code,
    'reason-missing',
  )
  await change('support', 'PATCH', url, { limits: { send: 5 }, reason: 'abuse' })
  // A higher limit requires an admin.
  const higher = { limits: { send: 9_000 }, reason: 'grown' }
  assert.equal((await admin.call('support', 'PATCH', url, higher)).body.code, 'forbidden')
  await change('admin', 'PATCH', url, higher)
  const { limits } = await admin.get<{ limits: { send: number } }>('viewer', url)
  assert.equal(limits.send, 9_000)
})

test('a block succeeds even if the database is too busy to count its messages', async () => {
  const busy = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  const counting = { query: () => Promise.reject(busy) } as unknown as Database
  const act: AuditContext = {
    by: 'test',
    role: 'process',
    reason: 'case 119',
    source: 'test',
    keyId: null,
    requestId: randomUUID(),
  }
  const run = { command: 'account block', audited: false }
  const { counts } = await blockAccount(
    counting,
    new AuditRecorder(database, run, { act, signature: null }),
    'shop-3',
    { backlog: 'hold' },
  )
  assert.equal(counts, null)
  assert.equal((await admin.get<{ state: string }>('viewer', '/admin/v1/accounts/shop-3')).state, 'blocked')
  await change('operator', 'POST', '/admin/v1/accounts/shop-3/unblock', { reason: 'case closed' })
})
