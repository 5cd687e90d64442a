/** Webhooks, senders, caps and the audit log over the admin API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { openReceiver } from '../../../test/load/webhooks/receiver.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import type { StaffRole } from '../../identity/operators/rights.ts'
import { createFindPeriodStart } from '../../trust/abuse/caps.ts'
import { setCap } from '../../trust/abuse/protection.ts'
import { insertWebhook } from '../../edge/webhooks/queries.ts'
import { createSecret, createWebhookId, webhookDefaults } from '../../edge/webhooks/webhook.ts'

const admin = await createTestAdmin({ settings: { POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } })
const { database } = admin
const shop = await createAccount(database, 'shop')
type List<Item> = { readonly items: readonly Item[]; readonly next: string | null }

async function change<Data>(
  role: StaffRole,
  method: 'POST' | 'PATCH',
  url: string,
  body?: object,
): Promise<Data> {
  const answer = await admin.call(role, method, url, body)
  assert.equal(answer.status, 200, `${method} ${url}: ${JSON.stringify(answer.body)}`)
  return answer.body.data!
}
const lastAction = async (): Promise<string[]> => {
  const [row] = await listAudit(database, { limit: 1 })
  return [row!.actor, row!.action, row!.result]
}

test('a webhook is listed without its path, tested, disabled and replayed', async () => {
  const receiver = await openReceiver()
  const id = createWebhookId(new Date())
  const url = `${receiver.url}/token-4711`
  const webhook = { ...webhookDefaults, id, accountId: shop, url, secret: createSecret() }
  await insertWebhook(database, webhook, 20)
  const { items } = await admin.get<List<{ id: string; account: string; url: string }>>(
    'viewer',
    '/admin/v1/webhooks?account=shop',
  )
  assert.deepEqual([items[0]!.id, items[0]!.account], [id, 'shop'])
  assert.ok(!JSON.stringify(items).includes('token-4711'))
  const path = `/admin/v1/webhooks/${id}`
  assert.equal((await admin.call('support', 'GET', `${path}?reveal=true`)).body.code, 'reason-missing')
  assert.equal((await admin.get<{ url: string }>('support', `${path}?reveal=true&reason=asked`)).url, url)
  const { acknowledged } = await change<{ acknowledged: boolean }>('support', 'POST', `${path}/test`)
  assert.equal(acknowledged, true)
  assert.deepEqual(await lastAction(), ['support', 'webhook test', 'done'])
  assert.equal(
    (await change<{ enabled: boolean }>('support', 'PATCH', path, { enabled: false })).enabled,
    false,
  )
  assert.equal((await admin.get<List<object>>('viewer', '/admin/v1/webhooks?state=disabled')).items.length, 1)
  // Only operators who can see reports decide where they are sent.
  assert.equal(
    (await admin.call('support', 'PATCH', path, { url: `${receiver.url}/other` })).body.code,
    'forbidden',
  )
  const since = new Date(Date.now() - 60_000).toISOString()
  assert.deepEqual(await change('support', 'POST', `${path}/replay`, { allSince: since }), { reports: 0 })
  assert.equal((await admin.call('support', 'POST', `${path}/replay`, {})).body.code, 'refused')
  const deliveries = await admin.get<{ tries: object[] }>('viewer', `${path}/deliveries`)
  assert.deepEqual(deliveries, { tries: [], failed: [] })
  await receiver.close()
})

test('a sender is approved with a proof, and unblocked only with the right to block', async () => {
  await database.query(
    `insert into senders (account_id, kind, value, state, version) values ($1, 'number', '01012345678', 'pending', 1)`,
    [shop],
  )
  const { items } = await admin.get<List<{ id: string; value: string }>>(
    'viewer',
    '/admin/v1/senders?account=shop&state=pending',
  )
  assert.equal(items[0]!.value.includes('1234'), false)
  const path = '/admin/v1/accounts/shop/senders'
  const { id } = items[0]!
  const proof = { kind: 'operator', reference: 'seen on 2026-11-16' }
  assert.equal(
    (await change<{ state: string }>('support', 'POST', `${path}/approve`, { id, proof })).state,
    'active',
  )
  assert.equal(
    (await change<{ state: string }>('support', 'POST', `${path}/block`, { id, reason: 'stolen' })).state,
    'blocked',
  )
  assert.equal((await admin.call('support', 'POST', `${path}/approve`, { id, proof })).body.code, 'forbidden')
  assert.equal(
    (await change<{ state: string }>('operator', 'POST', `${path}/approve`, { id, proof })).state,
    'active',
  )
})

test('operators cannot approve senders that they registered, alone or in a list', async () => {
  const accounts = '/admin/v1/accounts/shop/senders'
  const proof = { kind: 'operator', reference: 'seen' }
  const [added, listed] = ['0277760001', '0277760002'].map((value) => ({ kind: 'number', value, proof }))
  const { id } = await change<{ id: string }>('support', 'POST', accounts, added)
  const imported = { senders: [{ line: 2, account: 'shop', ...listed }], approve: true }
  await change('operator', 'POST', '/admin/v1/senders/import', { ...imported, approve: false })
  for (const { status, body } of [
    await admin.call('support', 'POST', `${accounts}/approve`, { id }),
    await admin.call('operator', 'POST', '/admin/v1/senders/import', imported),
    await admin.call('support', 'POST', '/admin/v1/senders/import', {
      ...imported,
      senders: [{ line: 2, account: 'shop', ...listed, value: '0277760003' }],
    }),
  ]) {
    assert.equal(status, 409)
    assert.match(body.detail, /another operator with the right 'senders' must approve it/)
  }
  await change('operator', 'POST', `${accounts}/approve`, { id })
  await change('support', 'POST', '/admin/v1/senders/import', imported)
  const active = await database.query<{ value: string }>(
    `select value from senders where value like '027776%' and state = 'active' order by value`,
  )
  assert.deepEqual(active.rows, [{ value: added!.value }, { value: listed!.value }])
})

test('a blank or unprintable proof is refused everywhere, and blanks around one are removed', async () => {
  const accounts = '/admin/v1/accounts/shop/senders'
  const sender = { kind: 'number', value: '0277770001' }
  const { id } = await change<{ id: string }>('support', 'POST', accounts, sender)
  for (const reference of [' ', '\u3000\t', '\u001b[2K', 'page\u202e 3']) {
    const proof = { kind: 'operator', reference }
    const importedSender = { line: 2, account: 'shop', kind: 'number', value: '0277770002', proof }
    const imported = { senders: [importedSender], approve: true }
    const refusals = [
      await admin.call('support', 'POST', accounts, { ...sender, value: '0277770002', proof }),
      await admin.call('support', 'POST', `${accounts}/approve`, { id, proof }),
      await admin.call('support', 'POST', '/admin/v1/senders/import', imported),
      await admin.call('support', 'POST', '/admin/v1/senders/import', { ...imported, approve: false }),
    ]
    assert.deepEqual(
      refusals.map(({ body }) => body.code),
      ['invalid-request', 'refused', 'invalid-request', 'invalid-request'],
      JSON.stringify(reference),
    )
    for (const { body } of refusals) assert.match(body.detail, /the proof reference/)
    const dryRun = { ...imported, dryRun: true }
    const { errors } = await change<{ errors: { line: number; error: string }[] }>(
      ...(['support', 'POST', '/admin/v1/senders/import', dryRun] as const),
    )
    assert.deepEqual([errors.length, errors[0]!.line], [1, 2])
  }
  const proof = { kind: 'operator', reference: ' page 3\n' }
  await change('operator', 'POST', `${accounts}/approve`, { id, proof })
  await change('support', 'POST', accounts, { ...sender, value: '0277770002', proof })
  await change('support', 'POST', '/admin/v1/senders/import', {
    senders: [{ line: 2, account: 'shop', kind: 'number', value: '0277770003', proof }],
  })
  const { items } = await admin.get<List<{ id: string; value: string }>>(
    'viewer',
    `/admin/v1/senders?account=shop`,
  )
  for (const sender of items.filter(({ value }) => value.startsWith('027777'))) {
    const revealed = await admin.get<{ proofReference: string }>(
      ...(['operator', `${accounts}/${sender.id}?reveal=true&reason=asked`] as const),
    )
    assert.equal(revealed.proofReference, 'page 3', sender.value)
  }
})

test('caps are listed page by page, with their use', async () => {
  type Cap = { account: string; class: string; period: string; max: number; used: number }
  await setCap(database, shop, { class: 'all', period: 'month', max: 100 })
  await setCap(database, shop, { class: 'sms', period: 'month', max: 10 })
  await database.query(
    `insert into cap_counts (account_id, period, class, begins, used) values ($1, 'month', 'sms', $2, 9)`,
    [shop, createFindPeriodStart('Asia/Seoul')('month', Date.now())],
  )
  const first = await admin.get<List<Cap>>('viewer', '/admin/v1/caps?limit=1')
  const second = await admin.get<List<Cap>>('viewer', `/admin/v1/caps?limit=1&cursor=${first.next}`)
  assert.deepEqual(
    [...first.items, ...second.items].map((cap) => [cap.account, cap.class, cap.used, cap.max]),
    [
      ['shop', 'all', 0, 100],
      ['shop', 'sms', 9, 10],
    ],
  )
  assert.equal(second.next, null)
  const nearly = await admin.get<List<Cap>>('viewer', '/admin/v1/caps?usedPercent=90&account=shop')
  assert.deepEqual(
    nearly.items.map((cap) => cap.class),
    ['sms'],
  )
})

test('the audit log is filtered, verified, and exported with a reason and without formulas', async () => {
  const evil = { account: 'shop', recipients: ['01055556666'], reason: '=HYPERLINK("http://x")' }
  await change('support', 'POST', '/admin/v1/suppression/add', evil)
  const since = encodeURIComponent(new Date(Date.now() - 600_000).toISOString())
  const query = `account=shop&actor=support&action=suppression&result=done&since=${since}`
  const { items } = await admin.get<List<{ action: string; reason: string; requestId: string }>>(
    'operator',
    `/admin/v1/audit?${query}&limit=1`,
  )
  assert.deepEqual([items[0]!.action, items[0]!.reason], ['suppression add', evil.reason])
  const rowsOfRequest = await admin.get<List<{ result: string }>>(
    'operator',
    `/admin/v1/audit?requestId=${items[0]!.requestId}`,
  )
  assert.deepEqual(
    rowsOfRequest.items.map((row) => row.result),
    ['done', 'begun'],
  )
  const verified = await admin.get<{ rows: number; all: boolean; last: { seq: number }; broken: null }>(
    'operator',
    '/admin/v1/audit/verification?all=true',
  )
  assert.deepEqual([verified.broken, verified.all, verified.rows], [null, true, verified.last.seq])
  const exportBody = { account: 'shop', action: 'suppression', reason: 'review' }
  const { csv, rows, next } = await change<{ csv: string; rows: number; next: null }>(
    ...(['operator', 'POST', '/admin/v1/audit/export', exportBody] as const),
  )
  assert.deepEqual([csv.trim().split('\r\n').length, next], [rows + 1, null])
  assert.ok(csv.includes(`"'=HYPERLINK(""http://x"")"`))
  assert.deepEqual(await lastAction(), ['operator', 'audit export', 'looked'])
})
