/**
 * The sandbox shows only messages sent over its own routes, to authorised operators; waits, replies and
 * behaviour take effect.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import { attempt, createAccount, recordOne } from '../../../test/support/fixtures.ts'
import { entryOf } from '../../../test/support/carriers/rcs.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import type { Step } from '../../channels/channel.ts'
import { createReplySink } from '../../pipeline/receipts/reply-sink.ts'
import { startStoringOptOuts } from '../../pipeline/receipts/opt-outs.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { loadRoutes, upsertRoute } from '../../carriers/routes/queries.ts'
import { SenderIndex } from '../../trust/senders/sender-index.ts'
import { createKeywordReader } from '../../trust/suppression/choice.ts'
import { adminOperations } from '../operations.ts'

interface Shown {
  readonly msgKey: string
  readonly ref: string | null
  readonly to: string
  readonly account: string | null
  readonly steps: readonly {
    readonly step: number
    readonly state: string
    readonly text: string | null
    readonly hidden: string | null
    readonly bubble: { readonly cards: readonly { readonly buttons: readonly object[] }[] } | null
  }[]
}
interface Page {
  readonly items: readonly Shown[]
  readonly next: string | null
}

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop')
const route = {
  channels: ['sms', 'rcs'] as const,
  options: {},
  priority: 10,
  partsPerSecond: 0,
  enabled: true,
}
await upsertRoute(database, { ...route, id: 'phone', protocol: 'sandbox', accounts: [shop] })
await upsertRoute(database, { ...route, id: 'real', protocol: 'smpp', options: { host: 'x', systemId: 'x' } })

const to = '01012345678'
const sms = (text: string): Step => ({ channel: 'sms', from: '15880000', text })
let at = Date.now() - 60_000

async function sent(steps: readonly Step[], ...routes: readonly [string, string][]): Promise<string> {
  at += 1_000
  const { msgKey } = await recordOne(database, { accountId: shop, acceptedAt: at, to, steps, ref: 'order-1' })
  await recordAttempts(
    database,
    routes.map(([routeId, carrierId], index) =>
      attempt({ msgKey, step: index + 1, try: 1 }, { routeId, carrierId, recipient: to }),
    ),
  )
  return msgKey
}
const list = async (query = ''): Promise<readonly Shown[]> =>
  (await admin.get<Page>('support', `/admin/v1/sandbox/messages?${query}`)).items

const first = await sent([sms('code 4711')], ['phone', 'sandbox-1'])
const real = await sent([sms('private')], ['real', '17'])
const mixed = await sent([sms('also private'), sms('instead')], ['real', '18'], ['phone', 'sandbox-2'])

test('texts of sandbox routes are shown, those of other routes never', async () => {
  const items = await list()
  assert.deepEqual(
    items.map(({ msgKey }) => msgKey),
    [mixed, first],
  )
  assert.deepEqual(
    items[0]!.steps.map(({ step, text, hidden }) => [step, text, hidden]),
    [
      [1, null, 'other-route'],
      [2, null, 'other-route'],
    ],
    'of a message that went over another route as well, nothing is shown',
  )
  assert.deepEqual([items[0]!.to, items[0]!.ref], ['*******5678', null])
  assert.deepEqual([items[1]!.to, items[1]!.ref], [to, 'order-1'])
  assert.ok(!/private|instead/.test(JSON.stringify(items)))
  assert.equal(
    (await admin.call('support', 'GET', `/admin/v1/sandbox/messages/${real}/steps/1/files/0`)).status,
    404,
  )
})

test('a message that also used another route accepts no reply, and is not found by number', async () => {
  const answer = await admin.call('support', 'POST', `/admin/v1/sandbox/messages/${mixed}/reply`, {
    text: 'x',
  })
  assert.deepEqual([answer.status, answer.body.code], [409, 'refused'])
  assert.match(answer.body.detail, /outside the sandbox/)
  assert.deepEqual(
    (await list(`to=${to}`)).map(({ msgKey }) => msgKey),
    [first],
  )
  assert.deepEqual(
    (await list('ref=order-1')).map(({ msgKey }) => msgKey),
    [first],
  )
})

test('a route that becomes a sandbox route does not show its earlier messages', async () => {
  await upsertRoute(database, { ...route, id: 'real', protocol: 'sandbox' })
  assert.ok(!JSON.stringify(await list()).includes('private'))
  await upsertRoute(database, {
    ...route,
    id: 'real',
    protocol: 'smpp',
    options: { host: 'x', systemId: 'x' },
  })
})

test('a viewer sees nothing of the sandbox', async () => {
  for (const path of ['messages', 'numbers', `replies?to=${to}`, 'routes'])
    assert.equal((await admin.call('viewer', 'GET', `/admin/v1/sandbox/${path}`)).status, 403, path)
})

test('messages are filtered by number, account and time, and read page by page', async () => {
  assert.equal((await list(`to=${to}`)).length, 1)
  assert.equal((await list('to=01099995678')).length, 0, 'another number with other digits')
  assert.equal((await list('to=%2B821012345678')).length, 1, 'the same number in international form')
  assert.equal((await list('account=shop')).length, 2)
  assert.equal((await list(`since=${new Date(at).toISOString()}`)).length, 1)
  const { items, next } = await admin.get<Page>('support', '/admin/v1/sandbox/messages?limit=1')
  assert.equal(items[0]!.msgKey, mixed)
  const second = await admin.get<Page>('support', `/admin/v1/sandbox/messages?limit=1&cursor=${next}`)
  assert.equal(second.items[0]!.msgKey, first)
})

test('phones are listed with a preview of the last message', async () => {
  const { items, routes } = await admin.get<{ items: object[]; routes: number }>(
    'support',
    '/admin/v1/sandbox/numbers',
  )
  assert.equal(routes, 1)
  assert.partialDeepStrictEqual(items, [{ to, messages: 1, lastKey: first, preview: 'code 4711' }])
})

test('a search waits for a message, but not longer than requested', async () => {
  const since = new Date(at + 1).toISOString()
  const began = performance.now()
  assert.deepEqual(await list(`since=${since}&wait=1`), [])
  assert.ok(performance.now() - began >= 950)
  const waiting = list(`since=${since}&wait=10`)
  const msgKey = await sent([sms('at last')], ['phone', 'sandbox-3'])
  assert.equal((await waiting)[0]!.msgKey, msgKey)
})

test('the buttons of a card are shown with their targets', async () => {
  const content = entryOf('SL000000', {
    content: {
      standalone: {
        title: 'Hi',
        text: 'Call us',
        button: [{ type: 'DIAL', name: 'Call', phoneNumber: '15881234' }],
      },
    },
  })
  const msgKey = await sent([{ channel: 'rcs', content }], ['phone', 'sandbox-4'])
  const [latest] = await list('limit=1')
  assert.equal(latest!.msgKey, msgKey)
  assert.deepEqual(latest!.steps[0]!.bubble!.cards[0]!.buttons, [
    { label: 'Call', does: 'call', target: '15881234' },
  ])
})

test('a reply reaches the account like any other, and is recorded without its text', async () => {
  const answer = await admin.call('support', 'POST', `/admin/v1/sandbox/messages/${first}/reply`, {
    text: 'Thank you',
  })
  assert.deepEqual(answer.body.data, { from: to, to: '15880000', account: 'shop', advice: null })
  const { rows } = await database.query('select content from replies where account_id = $1', [shop])
  assert.deepEqual(JSON.parse((rows as { content: string }[])[0]!.content), {
    from: to,
    to: '15880000',
    kind: 'number',
    text: 'Thank you',
  })
  const { items } = await admin.get<{ items: object[] }>('support', `/admin/v1/sandbox/replies?to=${to}`)
  assert.partialDeepStrictEqual(items, [{ account: 'shop', text: 'Thank you' }])
  const [row] = await listAudit(database, { limit: 1 })
  assert.deepEqual([row!.action, row!.target, row!.result], ['sandbox reply', first, 'done'])
  assert.ok(!row!.details.includes('Thank') && !row!.details.includes(to))
  assert.equal(
    (await admin.call('support', 'POST', `/admin/v1/sandbox/messages/${real}/reply`, { text: 'x' })).status,
    404,
  )
})

test('the behaviour is set and recorded for sandbox routes only', async () => {
  const path = (id: string): string => `/admin/v1/sandbox/routes/${id}/behaviour`
  const body = { behaviour: 'failed', cause: 'phone-off' }
  assert.equal((await admin.call('viewer', 'POST', path('phone'), body)).status, 403)
  assert.equal((await admin.call('support', 'POST', path('phone'), body)).status, 200)
  const stored = (await loadRoutes(database)).find(({ id }) => id === 'phone')
  assert.deepEqual(stored!.options, body)
  assert.equal((await listAudit(database, { limit: 1 }))[0]!.action, 'sandbox behaviour')
  assert.equal((await admin.call('admin', 'POST', path('real'), body)).status, 404)
  const { items } = await admin.get<{ items: object[] }>('support', '/admin/v1/sandbox/routes')
  assert.partialDeepStrictEqual(items, [{ id: 'phone', ...body, delaySeconds: 10 }])
})

const postReply = (msgKey: string, body: object) =>
  admin.call('support', 'POST', `/admin/v1/sandbox/messages/${msgKey}/reply`, body)

test('an opt-out invented by a tester requires a reason, and concerns only one account', async () => {
  const other = await createAccount(database, 'other')
  await database.query(
    `insert into senders (account_id, kind, value, state, version) values ($1, 'number', '15880000', 'active', 1)`,
    [other],
  )
  // With all accounts: an opt-out from a carrier would concern those for which the sender is registered, or
  // all accounts.
  await upsertRoute(database, { ...route, id: 'shared', protocol: 'sandbox' })
  const ofOther = await sent([sms('Sale')], ['shared', 'sandbox-5'])
  const ofNobody = await sent([{ channel: 'sms', from: '0299998888', text: 'Sale' }], ['shared', 'sandbox-6'])
  assert.equal((await postReply(ofOther, { text: 'STOP' })).body.code, 'reason-missing')
  assert.equal(await admin.broker.depth(admin.topology.optOuts), 0)
  const { body } = await postReply(ofOther, { text: 'STOP', reason: 'test of opt-outs' })
  assert.partialDeepStrictEqual(body.data, { account: 'shop' })
  assert.match((body.data as unknown as { advice: string }).advice, /register 15880000/)
  const [row] = await listAudit(database, { limit: 1 })
  assert.partialDeepStrictEqual(JSON.parse(row!.details), { account: 'shop', choice: 'opt-out' })
  assert.equal((await postReply(ofNobody, { text: 'stop', reason: 'test of opt-outs' })).status, 200)
  assert.equal(await admin.broker.depth(admin.topology.optOuts), 2)
  const storing = startStoringOptOuts({
    broker: admin.broker,
    topology: admin.topology,
    database,
    metrics: testMetrics(),
    log: silentLog,
  })
  await waitFor(
    'the opt-outs',
    async () => (await admin.broker.depth(admin.topology.optOuts)) === 0 && (await optedOut()).length > 0,
  )
  // Jobs taken from the queue are stored once it has stopped.
  await storing.stop()
  assert.deepEqual(await optedOut(), [shop])
  const { rows } = await database.query<{ account_id: number }>(`select distinct account_id from replies`)
  assert.deepEqual(rows, [{ account_id: shop }], 'nor is the text shown to another account')
})

async function optedOut(): Promise<number[]> {
  const { rows } = await database.query<{ account_id: number }>('select account_id from recipient_choices')
  return rows.map(({ account_id: accountId }) => accountId)
}

test('replies delivered by a carrier are not shown if the route later becomes a sandbox route', async () => {
  const blindIndex = await openEncryption({}).blindIndex(database)
  const sink = createReplySink({
    publisher: admin.broker.publisher,
    topology: admin.topology,
    database,
    metrics: testMetrics(),
    cell: '00',
    trust: new SenderIndex(),
    readKeyword: createKeywordReader(),
    openBlindIndex: () => Promise.resolve(blindIndex),
  })
  const written = { from: to, to: [{ kind: 'number', value: '15880000' }] } as const
  const carrierRoute = { id: 'phone', protocol: 'smpp', accounts: [shop] } as const
  await sink(carrierRoute, { ...written, text: 'from a person' })
  await sink(carrierRoute, { ...written, text: 'from a person, with an id', id: 'sandbox-1' })
  const { items } = await admin.get<{ items: { text: string }[] }>(
    'support',
    `/admin/v1/sandbox/replies?to=${to}`,
  )
  assert.deepEqual(items.map(({ text }) => text).sort(), ['STOP', 'Thank you', 'stop'])
})

test('a message whose content is erased is refused with a message', async () => {
  const msgKey = await sent([sms('gone')], ['phone', 'sandbox-7'])
  await database.query(
    `update messages set recipient = '', flow = '[{"channel":"sms"}]' where msg_key = $1`,
    [msgKey],
  )
  for (const call of [
    postReply(msgKey, { text: 'x' }),
    admin.call('support', 'GET', `/admin/v1/sandbox/messages/${msgKey}/steps/1/files/0`),
  ]) {
    const { status, body } = await call
    assert.deepEqual([status, body.code], [409, 'refused'])
    assert.match(body.detail, /erased/)
  }
})

test('operations of the phones are refused unless the setting enables them', async () => {
  const off = await createTestAdmin({ settings: { POSTERN_SANDBOX_PHONES: 'no' } })
  const phones = adminOperations.filter(({ tag }) => tag === 'Sandbox')
  assert.ok(phones.length > 0 && phones.every(({ enabledBy }) => enabledBy === 'sandboxPhones'))
  const { status, body } = await off.call('admin', 'GET', '/admin/v1/sandbox/numbers')
  assert.deepEqual([status, body.code], [409, 'refused'])
  const { body: change } = await off.call('admin', 'POST', '/admin/v1/sandbox/routes/phone/behaviour', {
    behaviour: 'failed',
  })
  assert.equal(change.code, 'refused')
  const readSetting = async (server: typeof off) =>
    (await server.get<{ sandboxPhones: boolean }>('viewer', '/admin/v1/me')).sandboxPhones
  assert.deepEqual([await readSetting(off), await readSetting(admin)], [false, true])
})
