/** Data that the pages of accounts, caps, senders and webhooks of the console show. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import { createAccount, recordJobs, acceptedJobs } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { insertReports } from '../../records/reports/queries.ts'
import { insertWebhook, maxCounted } from '../../edge/webhooks/queries.ts'
import { createSecret, createWebhookId, webhookDefaults } from '../../edge/webhooks/webhook.ts'

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop-1')
const cafe = await createAccount(database, 'cafe-2')
await database.query(`update accounts set name = 'Corner Café' where id = $1`, [cafe])

interface List<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

async function writeReports(accountId: number, count: number): Promise<void> {
  const at = new Date()
  const reports = Array.from({ length: count }, () => ({
    msgKey: createMsgKey('00', at),
    step: 1,
    accountId,
    serviceType: 'SMS',
    msgType: 'SM',
    sentAt: at,
    reportedAt: at,
    reportCode: '10000',
    reportText: 'Delivered',
    carrier: '10001',
    parts: 1,
    ref: null,
  }))
  await inTransaction(database, (transaction) => insertReports(transaction, reports))
}

test('accounts are found by client ID prefix and by part of the name, ignoring case', async () => {
  const find = async (search: string): Promise<string[]> =>
    (
      await admin.get<List<{ clientId: string }>>(
        'viewer',
        `/admin/v1/accounts?search=${encodeURIComponent(search)}`,
      )
    ).items.map(({ clientId }) => clientId)
  assert.deepEqual(await find('SHOP'), ['shop-1'])
  assert.deepEqual(await find('café'), ['cafe-2'])
  assert.deepEqual(await find('hop'), [])
  assert.deepEqual(await find('%'), [])
})

test('the state of an account has its waiting messages and the progress of its reports', async () => {
  interface State {
    open: number
    waiting: { reason: string; count: number }[]
    polling: { behind: number; oldestAt: string | null } | null
    consumers: { name: string; behind: number }[]
  }
  const read = (): Promise<State> => admin.get<State>('viewer', '/admin/v1/accounts/shop-1/state')
  assert.deepEqual([(await read()).open, (await read()).polling], [0, null])
  const [first, second] = await recordJobs(database, acceptedJobs(3, { accountId: shop }))
  for (const [key, reason] of [
    [first, 'backlog'],
    [second, 'scheduled'],
  ] as const)
    await database.query(
      `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason)
       values ($1, 1, 1, $2, 'north', 'normal', 1, now(), $3)`,
      [key!.msgKey, shop, reason],
    )
  await writeReports(shop, 5)
  await database.query('insert into report_polls (account_id, acked_seq) values ($1, 2)', [shop])
  await database.query(`insert into report_consumers (account_id, name, acked_seq) values ($1, 'crm', 5)`, [
    shop,
  ])
  const state = await read()
  assert.equal(state.open, 3)
  assert.deepEqual(state.waiting.map(({ reason, count }) => [reason, count]).sort(), [
    ['backlog', 1],
    ['scheduled', 1],
  ])
  assert.equal(state.polling!.behind, 3)
  assert.ok(Date.parse(state.polling!.oldestAt!) > Date.now() - 60_000)
  assert.deepEqual(
    state.consumers.map(({ name, behind }) => [name, behind]),
    [['crm', 0]],
  )
  // Waiting messages of another account are not counted.
  assert.deepEqual((await admin.get<State>('viewer', '/admin/v1/accounts/cafe-2/state')).waiting, [])
})

test('an admin sets a cap with a reason; its use is shown; it is removed', async () => {
  const url = '/admin/v1/accounts/shop-1/cap'
  const cap = { class: 'sms', day: 100, reason: 'contract' }
  assert.equal((await admin.call('operator', 'POST', url, cap)).body.code, 'forbidden')
  const set = await admin.call('admin', 'POST', url, cap)
  const { caps } = set.body.data! as { caps: unknown }
  assert.deepEqual(caps, [{ class: 'sms', period: 'day', max: 100, used: 0 }])
  const [row] = await listAudit(database, { limit: 1 })
  assert.deepEqual([row!.action, row!.target, row!.reason], ['protection cap', 'shop-1', 'contract'])
  const wrong = await admin.call('admin', 'POST', url, { ...cap, class: 'letters' })
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid-request'])
  await admin.call('admin', 'POST', url, { ...cap, day: null })
  assert.deepEqual((await admin.get<{ caps: [] }>('viewer', '/admin/v1/accounts/shop-1/state')).caps, [])
})

test('a sender has a history; its number and proof require a right and a reason', async () => {
  const senders = '/admin/v1/accounts/shop-1/senders'
  const added = await admin.call('support', 'POST', senders, { kind: 'number', value: '01023456789' })
  const { id } = added.body.data! as { id: string }
  const first = { proof: { kind: 'operator', reference: 'doc-117' } }
  assert.equal((await admin.call('operator', 'POST', `${senders}/approve`, { id, ...first })).status, 200)
  const approval = { proof: { kind: 'consent', reference: 'doc-118' }, validUntil: '2099-12-31' }
  assert.equal((await admin.call('operator', 'POST', `${senders}/approve`, { id, ...approval })).status, 200)
  interface Shown {
    value: string
    proof: string
    proofReference: string | null
    validUntil: string
    history: { from: string | null; to: string; proof: string | null; proofReference: string | null }[]
  }
  const masked = await admin.get<Shown>('viewer', `${senders}/${id}`)
  assert.ok(!JSON.stringify(masked).includes('01023456789'))
  assert.deepEqual([masked.proof, masked.proofReference], ['consent', null])
  assert.equal(masked.validUntil, '2099-12-31T15:00:00.000Z')
  assert.deepEqual(
    masked.history.map(({ from, to, proof, proofReference }) => [from, to, proof, proofReference]),
    [
      [null, 'pending', null, null],
      ['pending', 'active', 'operator', null],
      ['active', 'active', 'consent', null],
    ],
  )
  const reveal = `${senders}/${id}?reveal=true`
  assert.equal((await admin.call('support', 'GET', `${reveal}&reason=case`)).body.code, 'forbidden')
  assert.equal((await admin.call('operator', 'GET', reveal)).body.code, 'reason-missing')
  const whole = await admin.get<Shown>('operator', `${reveal}&reason=case`)
  assert.deepEqual([whole.value, whole.proofReference], ['01023456789', 'doc-118'])
  assert.deepEqual(
    whole.history.map(({ proofReference }) => proofReference),
    [null, 'doc-117', 'doc-118'],
  )
  const [row] = await listAudit(database, { limit: 1 })
  assert.deepEqual([row!.action, row!.result, row!.account], ['sender show', 'looked', 'shop-1'])
  assert.ok(!row!.target.includes('01023456789'))
})

async function addWebhook(accountId: number, name: string): Promise<string> {
  const id = createWebhookId(new Date())
  const url = 'https://hooks.example/reports'
  await insertWebhook(database, { ...webhookDefaults, id, accountId, name, url, secret: createSecret() }, 20)
  return id
}

test('webhooks are listed worst first, page by page', async () => {
  for (const name of ['fine', 'failing', 'behind', 'off', 'dead']) await addWebhook(cafe, name)
  const set = (name: string, change: string): Promise<unknown> =>
    database.query(
      `update webhook_cursors set ${change} where webhook_id = (select id from webhooks where name = $1)`,
      [name],
    )
  await writeReports(cafe, 3)
  await set('fine', 'seq = 3')
  await set('failing', 'failing_since = now(), seq = 3')
  await database.query(
    `update webhooks set enabled = false, disabled_at = now(), disabled_reason = case name when 'off' then 'owner' else 'failing' end
      where name in ('off', 'dead')`,
  )
  const names: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: List<{ name: string }> = await admin.get(
      'viewer',
      `/admin/v1/webhooks?order=trouble&account=cafe-2&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    names.push(...page.items.map(({ name }) => name))
    cursor = page.next
  }
  assert.deepEqual(names, ['failing', 'dead', 'behind', 'fine', 'off'])
  await database.query('update accounts set blocked = true where id = $1', [cafe])
  const { items } = await admin.get<List<{ paused: boolean; events: string }>>(
    'viewer',
    '/admin/v1/webhooks?account=cafe-2&limit=1',
  )
  assert.deepEqual([items[0]!.paused, items[0]!.events], [true, 'reports'])
})

test('a replay is counted first, and then pushes the same number', async () => {
  const id = await addWebhook(shop, 'replayed')
  await writeReports(shop, 4)
  await database.query(
    `update webhook_cursors set seq = (select last_seq from report_sequences where account_id = $2) where webhook_id = $1`,
    [id, shop],
  )
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const url = `/admin/v1/webhooks/${id}/replay`
  const count = async (field: string): Promise<number> =>
    (await admin.get<{ reports: number }>('viewer', `${url}?${field}=${since}`)).reports
  // Five reports of an earlier test, and these four.
  assert.deepEqual([await count('failedSince'), await count('allSince')], [0, 9])
  assert.equal((await admin.call('viewer', 'GET', url)).body.code, 'refused')
  const done = await admin.call('support', 'POST', url, { allSince: since })
  assert.deepEqual(done.body.data, { reports: 9 })
  assert.equal(await count('allSince'), 0)
})

test('failed pushes of a replay are counted up to a limit', async () => {
  const id = await addWebhook(shop, 'long down')
  await database.query(
    `insert into webhook_deliveries (webhook_id, event_id, created_at, tries, retry_at, failed_at, error)
     select $1, 'event-' || n, now(), 3, null, now(), 'status 500' from generate_series(1, $2) n`,
    [id, maxCounted + 1],
  )
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const url = `/admin/v1/webhooks/${id}/replay?failedSince=${since}`
  assert.deepEqual(await admin.get('viewer', url), { reports: maxCounted })
})
