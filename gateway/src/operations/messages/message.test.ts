/** Operations on one message: cancelling, pushes of its reports, decoding keys and listing codes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import { createAccount, isInFlight, recordOne, reportCodes } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { reportCodes as allCodes } from '../../channels/report-codes.ts'
import { insertWebhook } from '../../edge/webhooks/queries.ts'
import { createSecret, createWebhookId, webhookDefaults } from '../../edge/webhooks/webhook.ts'

interface Shown {
  readonly ref: string | null
  readonly mayCancel: boolean
  readonly awaitsDecision: boolean
  readonly pushes: readonly {
    readonly url: string
    readonly state: string
    readonly tries: number | null
    readonly error: string
  }[]
}

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop')
const show = (msgKey: string): Promise<Shown> => admin.get<Shown>('viewer', `/admin/v1/messages/${msgKey}`)

async function hold(msgKey: string, reason: string, rule: string | null, releaseAt: string): Promise<void> {
  await database.query(
    `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason, rule)
     values ($1, 1, 1, $2, '', 'normal', 1, $3, $4, $5)
     on conflict (msg_key) do update set release_at = excluded.release_at, route_id = '', reason = excluded.reason, rule = excluded.rule`,
    [msgKey, shop, releaseAt, reason, rule],
  )
}

test('a scheduled message is cancelled once, with a reason, and ends with 90010', async () => {
  const { msgKey } = await recordOne(database, { accountId: shop, ref: 'order 1' })
  const url = `/admin/v1/messages/${msgKey}/cancel`
  const [role, reason] = ['operator', { reason: 'the client called' }] as const
  assert.equal((await admin.call(role, 'POST', url, reason)).body.code, 'refused')
  await hold(msgKey, 'scheduled', null, new Date(Date.now() + 3_600_000).toISOString())
  const shownMessage = await show(msgKey)
  assert.deepEqual(
    [shownMessage.ref, shownMessage.mayCancel, shownMessage.awaitsDecision],
    ['order 1', true, false],
  )
  assert.equal((await admin.call(role, 'POST', url, {})).body.code, 'invalid-request')
  assert.equal((await admin.call('support', 'POST', url, reason)).body.code, 'forbidden')
  assert.equal(await isInFlight(database, msgKey), true)
  assert.equal((await admin.call(role, 'POST', url, reason)).status, 200)
  assert.deepEqual(await reportCodes(database, msgKey), ['90010'])
  assert.equal(await isInFlight(database, msgKey), false)
  const [row] = await listAudit(database, { limit: 1 })
  assert.deepEqual(
    [row!.action, row!.result, row!.target, row!.account, row!.reason],
    ['message cancel', 'done', msgKey, 'shop', 'the client called'],
  )
  assert.equal((await admin.call(role, 'POST', url, reason)).body.code, 'refused')
  assert.equal((await show(msgKey)).mayCancel, false)
})

test('a message held by a rule is shown as awaiting a decision', async () => {
  const { msgKey } = await recordOne(database, { accountId: shop })
  await hold(msgKey, 'rule', 'link-allowed', '9999-01-01T00:00:00Z')
  const { mayCancel, awaitsDecision } = await show(msgKey)
  assert.deepEqual([mayCancel, awaitsDecision], [false, true])
  await hold(msgKey, 'rule', 'account-stopped', '9999-01-01T00:00:00Z')
  assert.equal((await show(msgKey)).awaitsDecision, false)
})

test('each report is shown with the state of its push to each webhook', async () => {
  const accountId = await createAccount(database, 'pushing')
  const { msgKey } = await recordOne(database, { accountId })
  await database.query('delete from in_flight where msg_key = $1', [msgKey])
  const addWebhook = async (host: string): Promise<string> => {
    const id = createWebhookId(new Date())
    const url = `https://${host}.example/token-4711`
    await insertWebhook(database, { ...webhookDefaults, id, accountId, url, secret: createSecret() }, 20)
    return id
  }
  const ids: Record<string, string> = {}
  for (const host of ['acknowledged', 'failed', 'given-up', 'behind', 'off'])
    ids[host] = await addWebhook(host)
  await database.query(
    `insert into reports (msg_key, step, account_id, seq, service_type, msg_type, sent_at, reported_at, report_code, report_text, carrier, parts)
     values ($1, 1, $2, 5, 'SMS', 'SMS', now(), now(), '10000', 'text', '', 1)`,
    [msgKey, accountId],
  )
  ids.later = await addWebhook('later')
  // Both can be stored in one millisecond.
  await database.query(`update webhooks set created_at = now() + interval '1 second' where id = $1`, [
    ids.later,
  ])
  const pass = (id: string, seq: number): Promise<unknown> =>
    database.query('update webhook_cursors set seq = $2 where webhook_id = $1', [id, seq])
  for (const host of ['acknowledged', 'failed', 'given-up', 'later']) await pass(ids[host]!, 5)
  await database.query('update webhooks set enabled = false where id = $1', [ids.off])
  for (const [host, retryAt] of [
    ['failed', new Date(Date.now() + 60_000)],
    ['given-up', null],
  ] as const)
    await database.query(
      `insert into webhook_deliveries (webhook_id, event_id, msg_key, step, created_at, tries, retry_at, failed_at, http_status, error)
       values ($1, $2 || '-1', $2, 1, now(), 3, $3, now(), 500, 'status 500')`,
      [ids[host], msgKey, retryAt],
    )
  const read = async (): Promise<Readonly<Record<string, Shown['pushes'][number]>>> => {
    const { pushes } = await show(msgKey)
    assert.ok(!JSON.stringify(pushes).includes('token-4711'), 'a path of a URL may hold a token')
    return Object.fromEntries(pushes.map((push) => [new URL(push.url).hostname.split('.')[0]!, push]))
  }
  const pushes = await read()
  const states = Object.entries(pushes).map(([host, { state, tries }]) => [host, state, tries])
  assert.deepEqual(states.sort(), [
    ['acknowledged', 'acknowledged', null],
    ['behind', 'queued', null],
    ['failed', 'retrying', 3],
    ['given-up', 'given-up', 3],
    ['later', 'earlier', null],
    ['off', 'disabled', null],
  ])
  assert.equal(pushes.failed!.error, 'status 500')
  // The reports of a replay are pushed without an earlier attempt.
  await admin.call('support', 'POST', `/admin/v1/webhooks/${ids['given-up']}/replay`, { msgKey })
  assert.equal((await read())['given-up']!.state, 'queued')
  await database.query("update reports set created_at = now() - interval '4 days' where msg_key = $1", [
    msgKey,
  ])
  await database.query("update webhooks set created_at = now() - interval '5 days'")
  assert.equal((await read()).acknowledged!.state, 'forgotten')
})

test('a key that is not found is decoded', async () => {
  interface Facts {
    readonly wellFormed: boolean
    readonly keyTime: string | null
    readonly cell: string | null
    readonly ownCell: string
    readonly retentionDays: number
  }
  const facts = (key: string): Promise<Facts> => admin.get('viewer', `/admin/v1/messages/${key}/key`)
  const { keyTime, cell, ...rest } = await facts('20261115023225123A7ABCDEFGHIJKLM')
  assert.deepEqual([keyTime, cell, rest.wellFormed], ['2026-11-15T02:32:25.123Z', 'A7', true])
  assert.ok(rest.ownCell !== 'A7' && rest.retentionDays > 0)
  assert.equal((await facts('20269915023225123A7ABCDEFGHIJKLM')).keyTime, null)
  assert.equal((await facts('2026')).wellFormed, false)
})

test('every report code has its meaning in both languages', async () => {
  for (const language of ['en', 'ko']) {
    const { codes } = await admin.get<{
      codes: { code: string; delivered: boolean; text: string; action: string }[]
    }>('viewer', `/admin/v1/codes?language=${language}`)
    assert.deepEqual(
      codes.map(({ code }) => code),
      allCodes,
    )
    assert.deepEqual(
      codes.filter(({ delivered }) => delivered).map(({ code }) => code),
      ['10000'],
    )
    for (const { code, text, action } of codes) assert.ok(text !== '' && action !== '', code)
  }
})
