/**
 * Clients see the same of their webhooks as in the client API: neither cause nor exact time of a push without
 * a response. Tests and replays have the same limits.
 */
import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin } from '../../test/support/http/admin.ts'
import { addCleanup } from '../../test/support/cleanup.ts'
import { createAccount, recordOne, setBlocked } from '../../test/support/fixtures.ts'
import { waitFor } from '../../test/support/wait.ts'
import { insertTestWebhook } from '../../test/load/webhooks/insert.ts'
import { isSigned, openReceiver } from '../../test/load/webhooks/receiver.ts'
import { rateLimitExceeded } from '../contract/problem.ts'
import { createSecret } from '../edge/webhooks/webhook.ts'
import { writeAttemptLogs } from '../edge/webhooks/push/attempt-log.ts'

const consumedLimits: string[] = []
/** Kinds whose limit is reached. */
const reached = new Set<string>()
const admin = await createTestAdmin({
  settings: { POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', POSTERN_WEBHOOK_VERIFICATION: 'yes' },
  limitUse: (kind, id) => {
    consumedLimits.push(`${kind}:${id}`)
    return reached.has(kind) ? Promise.reject(rateLimitExceeded('so many', 7)) : Promise.resolve()
  },
})
const { database } = admin
const shop = await createAccount(database, 'shop')
const other = await createAccount(database, 'other')
const key = await addTestOperator(database, 'park', 'client', shop)
const otherKey = await addTestOperator(database, 'lim', 'client', other)
const call = (method: string, path: string, body?: object, by = key) =>
  admin.callWith(by, method, `/admin/v1${path}`, body)

/** Returns a URL with a port that is not open. */
async function closedUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

test('a test of a closed port has the same response and duration as one that times out', async () => {
  const silent = await openReceiver(() => null)
  addCleanup(() => silent.close())
  const timeoutSeconds = 1
  const testUrl = async (accountId: number, by: string, url: string) => {
    const id = await insertTestWebhook(database, accountId, { url, timeoutSeconds })
    const began = performance.now()
    const { status, body } = await call('POST', `/webhooks/${id}/test`, {}, by)
    assert.equal(status, 200, JSON.stringify(body))
    return { id, data: body.data! as object, tookMs: performance.now() - began }
  }
  const closed = await testUrl(shop, key, await closedUrl())
  const hanging = await testUrl(other, otherKey, silent.url)
  assert.deepEqual(closed.data, hanging.data)
  assert.match(JSON.stringify(closed.data), /no HTTP response/)
  assert.ok(closed.tookMs >= 990, String(closed.tookMs))
  const byOperator = await admin.call('support', 'POST', `/admin/v1/webhooks/${closed.id}/test`, {})
  assert.match(JSON.stringify(byOperator.body.data), /ECONNREFUSED/)
})

test('a test of a closed port has the time-out that is set when it begins to push', async () => {
  const id = await insertTestWebhook(database, shop, { url: await closedUrl(), timeoutSeconds: 1 })
  await database.query(
    `create function lengthen() returns trigger language plpgsql security definer as
       $$ begin update webhooks set timeout_seconds = 2 where id = '${id}'; return null; end $$`,
  )
  await database.query('create trigger lengthen after insert on audit_log execute function lengthen()')
  const began = performance.now()
  const { body } = await call('POST', `/webhooks/${id}/test`, {})
  const tookMs = performance.now() - began
  await database.query('drop trigger lengthen on audit_log')
  assert.deepEqual((body.data! as { ms: number }).ms, 2_000)
  assert.ok(tookMs >= 1_990, String(tookMs))
})

test('pushes without a response look alike in the webhook list and in a message', async () => {
  const shownPushes: unknown[] = []
  for (const [second, ms, error] of [
    ['03', 3, 'connection failed: ECONNREFUSED'],
    ['08', 5_000, 'no response within 5 s'],
    ['41', 2, 'connection failed: the host name resolves to an address that is not public'],
  ] as const) {
    const { msgKey } = await recordOne(database, { accountId: shop })
    const webhookId = await insertTestWebhook(database, shop, { url: 'https://hooks.example.com/' })
    await database.query(
      `insert into reports (msg_key, step, account_id, seq, service_type, msg_type, sent_at, reported_at, report_code, report_text, carrier, parts)
       values ($1, 1, $2, $3, 'SMS', 'SMS', now(), now(), '10000', 'text', '', 1)`,
      [msgKey, shop, 1_000 + ms],
    )
    const at = `2026-11-15T09:00:${second}.123Z`
    const eventId = `${msgKey}-1`
    await writeAttemptLogs(database, [{ webhookId, tries: [{ at, eventId, httpStatus: null, ms, error }] }])
    // The previous attempt had a response.
    await database.query(
      `insert into webhook_deliveries (webhook_id, event_id, msg_key, step, created_at, tries, retry_at, failed_at, http_status, error)
       values ($1, $2, $3, 1, now(), 2, $6, $6, 500, 'status 500'), ($1, 'other', null, null, now(), 1, $4, $4, null, $5)`,
      [webhookId, eventId, msgKey, at, error, '2026-11-15T08:00:00Z'],
    )
    const list = await call('GET', `/webhooks/${webhookId}/deliveries`)
    const message = await call('GET', `/messages/${msgKey}`)
    assert.equal(message.status, 200, JSON.stringify(message.body))
    const { pushes } = message.body.data! as { pushes: { webhookId: string }[] }
    const push = pushes.find((candidate) => candidate.webhookId === webhookId)
    const text = JSON.stringify([list.body.data, push])
    assert.doesNotMatch(text, /ECONNREFUSED|within|resolves|:03|:08|:41/)
    shownPushes.push(text.replaceAll(msgKey, 'key').replaceAll(webhookId, 'id'))
    const whole = await admin.get('viewer', `/admin/v1/webhooks/${webhookId}/deliveries`)
    assert.ok(JSON.stringify(whole).includes(error))
  }
  for (const shown of shownPushes) assert.equal(shown, shownPushes[0])
})

test('tests, verifications and full replays have the limits of the API; operators have none', async () => {
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  const id = await insertTestWebhook(database, shop, {
    url: receiver.url,
    timeoutSeconds: 1,
    enabled: false,
    disabledReason: 'unproved',
  })
  const allSince = new Date().toISOString()
  const limitedActions = {
    test: () => call('POST', `/webhooks/${id}/test`, {}),
    proof: () => call('PATCH', `/webhooks/${id}`, { enabled: true }),
    replay: () => call('POST', `/webhooks/${id}/replay`, { allSince }),
  }
  const host = new URL(receiver.url).hostname
  for (const [name, expected] of [
    ['test', [`account:${shop}`, `host:${host}`]],
    ['proof', [`account:${shop}`, `host:${host}`]],
    ['replay', [`replay:${shop}`]],
  ] as const) {
    consumedLimits.length = 0
    await limitedActions[name]()
    assert.deepEqual(consumedLimits, expected, name)
  }
  const pushed = receiver.arrivals.length
  for (const kind of ['account', 'replay']) reached.add(kind)
  for (const request of Object.values(limitedActions)) {
    const { status, body, headers } = await request()
    assert.deepEqual([status, body.code, headers['retry-after']], [429, 'too-many-requests', '7'])
  }
  assert.equal(receiver.arrivals.length, pushed)
  const byOperator = await admin.call('support', 'POST', `/admin/v1/webhooks/${id}/test`, {})
  assert.equal(byOperator.status, 200)
  reached.clear()
})

test('a slow verification does not delay a block, and enables nothing afterwards', async () => {
  const secret = createSecret()
  const slow = await openReceiver((arrival) => ({
    status: isSigned(arrival, secret) ? 200 : 401,
    afterMs: 1_000,
  }))
  addCleanup(() => slow.close())
  const id = await insertTestWebhook(database, shop, {
    url: slow.url,
    secret,
    timeoutSeconds: 5,
    acknowledgement: 'status',
    enabled: false,
    disabledReason: 'unproved',
  })
  const enabling = call('PATCH', `/webhooks/${id}`, { enabled: true })
  await waitFor('the proof', () => slow.arrivals.length === 1)
  const blockBody = { hold: true, reason: 'abuse' }
  const blocked = await admin.call('admin', 'POST', '/admin/v1/accounts/shop/block', blockBody)
  assert.equal(blocked.status, 200, JSON.stringify(blocked.body))
  assert.ok(slow.arrivals.length < 3, 'the block has waited for the proof')
  const { status, body } = await enabling
  assert.deepEqual([status, body.code], [409, 'account-blocked'])
  assert.equal(slow.arrivals.length, 3)
  await setBlocked(database, 'shop', false)
  assert.equal((await call('PATCH', `/webhooks/${id}`, { enabled: true })).status, 200)
})
