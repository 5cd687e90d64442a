import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { jumpClockAhead } from '../../../../test/support/pipeline/clock-jump.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { createAccount, recipient, recordOne, smsStep } from '../../../../test/support/fixtures.ts'
import { sumCounter, testMetrics } from '../../../../test/support/silent-log.ts'
import { assertWithin, waitFor } from '../../../../test/support/wait.ts'
import { isSigned, openReceiver, type Receiver } from '../../../../test/load/webhooks/receiver.ts'
import { loopbackGuard, startTestPusher, writeReports } from '../../../../test/load/webhooks/reports.ts'
import { endSteps } from '../../../pipeline/settle/end-steps.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { findMessageReports } from '../../../records/reports/queries.ts'
import { addWebhook, requireWebhook, replayPushes, rotateSecret } from '../actions.ts'
import { changeWebhook } from '../change.ts'
import type { PusherOptions } from './pusher.ts'
import { deleteWebhook, type WebhookView } from '../queries.ts'
import { maskedUrl, type WebhookSettings } from '../webhook.ts'

const { database } = await createTestDatabase()
const context = { database, guard: loopbackGuard }
let accounts = 0
type AddedWebhook = Awaited<ReturnType<typeof addWebhook>>

interface Fixture {
  readonly accountId: number
  readonly receiver: Receiver
  readonly webhook: AddedWebhook
  readonly add: (settings?: Partial<WebhookSettings>) => Promise<AddedWebhook>
  readonly read: (id?: string) => Promise<WebhookView>
}

/** An account with a webhook. Webhooks are deleted when the test ends, so that pushers of other tests do not see them. */
async function createFixture(t: TestContext, settings: Partial<WebhookSettings> = {}): Promise<Fixture> {
  const accountId = await createAccount(database, `webhook-test-${++accounts}`)
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  const ids: string[] = []
  const add = async (changes: Partial<WebhookSettings> = {}): Promise<AddedWebhook> => {
    const webhook = await addWebhook(context, accountId, { url: `${receiver.url}/hook`, ...changes })
    ids.push(webhook.id)
    return webhook
  }
  const webhook = await add(settings)
  t.after(async () => {
    for (const id of ids) await deleteWebhook(database, accountId, id)
  })
  return {
    accountId,
    receiver,
    webhook,
    add,
    read: (id = webhook.id) => requireWebhook(database, accountId, id),
  }
}

function push(t: TestContext, overrides: Partial<PusherOptions> = {}): void {
  const pusher = startTestPusher(database, overrides)
  t.after(() => pusher.stop())
}

const keysAt = ({ arrivals }: Receiver): string[] => arrivals.map(({ body }) => body.msgKey)

test('pushes every report once, signed and with the keys of polling', async (t) => {
  const { accountId, receiver, webhook, read } = await createFixture(t)
  push(t)
  const branded = { serviceType: 'BRANDMESSAGE', msgType: 'FT', userType: 'F' } as const
  const keys = await writeReports(database, accountId, 30, branded)
  await waitFor('all arrivals', () => receiver.arrivals.length >= 30)
  await waitFor('the cursor', async () => (await read()).behind === 0)
  assert.deepEqual(keysAt(receiver).sort(), keys.sort())
  const [arrival] = receiver.arrivals
  assert.ok(receiver.arrivals.every((arrival) => isSigned(arrival, webhook.secret)))
  assert.equal(arrival!.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(arrival!.eventId, `${arrival!.body.msgKey}-1`)
  assert.match(String(arrival!.body.reportTime), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+09:00$/)
  assert.deepEqual(Object.keys(arrival!.body), [
    ...['msgKey', 'step', 'last', 'serviceType', 'msgType', 'sendTime', 'reportTime'],
    ...['reportType', 'reportCode', 'outcome', 'reportText', 'carrier', 'ref'],
  ])
  const { rows } = await database.query('select from webhook_deliveries where webhook_id = $1', [webhook.id])
  assert.equal(rows.length, 0, 'a success writes no row')
})

test('every attempt names the recipient and the last step, except with plain report keys', async (t) => {
  const [full, plain] = [await createFixture(t), await createFixture(t)]
  await database.query(`update accounts set report_keys = 'plain' where id = $1`, [plain.accountId])
  for (const { accountId, receiver } of [full, plain]) {
    receiver.answer = () => (receiver.arrivals.length <= 2 ? { status: 500 } : undefined)
    const key = await recordOne(database, { accountId, steps: [smsStep, smsStep] })
    const times = { sentAt: new Date(), at: new Date() }
    for (const step of [1, 2])
      await inTransaction(database, (transaction) =>
        endSteps(transaction, [{ ...key, step, cause: 'failed', parts: 1, ...times }], 60),
      )
  }
  push(t)
  for (const { receiver } of [full, plain])
    await waitFor('two tries of each report', () => receiver.arrivals.length === 4)
  const described = ({ receiver }: Fixture): unknown[] =>
    receiver.arrivals
      .toSorted((left, right) => (left.eventId < right.eventId ? -1 : 1))
      .map(({ body: { to, step, last, outcome } }) => [to, step, last, outcome])
  assert.deepEqual(described(full), [
    ...Array.from({ length: 2 }, () => [recipient, 1, false, 'failed']),
    ...Array.from({ length: 2 }, () => [recipient, 2, true, 'failed']),
  ])
  assert.deepEqual(
    described(plain),
    Array.from({ length: 4 }, () => [undefined, undefined, undefined, undefined]),
  )
})

test('starts with the reports written after it was created', async (t) => {
  const accountId = await createAccount(database, 'webhook-test-late')
  await writeReports(database, accountId, 5)
  const receiver = await openReceiver()
  addCleanup(() => receiver.close())
  const webhook = await addWebhook(context, accountId, { url: receiver.url })
  t.after(() => deleteWebhook(database, accountId, webhook.id))
  push(t)
  const [key] = await writeReports(database, accountId, 1)
  await waitFor('the arrival', () => receiver.arrivals.length > 0)
  assert.deepEqual(keysAt(receiver), [key])
})

test('follows its schedule, then abandons the push; polling still returns the report', async (t) => {
  const { accountId, receiver, read } = await createFixture(t)
  receiver.answer = () => ({ status: 500 })
  push(t)
  const [key] = await writeReports(database, accountId, 1)
  const abandoned = await waitFor('giving up', async () => {
    const view = await read()
    return view.givenUp === 1 ? view : null
  })
  assert.equal(abandoned.retrying, 0)
  const times = receiver.arrivals.map(({ at }) => at)
  assert.equal(times.length, 4, 'the first try and one for each wait')
  // These are the receiver’s times; on a busy machine an attempt arrives later than it was made.
  for (const [index, wait] of [40, 80, 120].entries())
    assert.ok(times[index + 1]! - times[index]! >= wait / 2, `wait ${index + 1}: ${times.join(' ')}`)
  assert.equal(new Set(receiver.arrivals.map(({ eventId }) => eventId)).size, 1, 'the same id at every try')
  assert.equal((await findMessageReports(database, accountId, key!, new Date(0))).length, 1)
})

test('Retry-After pauses all pushes to the webhook', async (t) => {
  const { accountId, receiver } = await createFixture(t)
  receiver.answer = () =>
    receiver.arrivals.length === 1 ? { status: 429, headers: { 'retry-after': '1' } } : undefined
  push(t)
  await writeReports(database, accountId, 1)
  await waitFor('the first try', () => receiver.arrivals.length === 1)
  const started = performance.now()
  await writeReports(database, accountId, 2)
  await waitFor('the others', () => receiver.arrivals.length === 4)
  assert.ok(receiver.arrivals[1]!.at - started >= 900, 'nothing arrived early')
})

test('410 disables the webhook and sends a notice to the account’s others', async (t) => {
  const { accountId, receiver, webhook, add, read } = await createFixture(t)
  const other = await openReceiver()
  addCleanup(() => other.close())
  await add({ url: other.url })
  receiver.answer = () => ({ status: 410 })
  const metrics = testMetrics()
  push(t, { metrics })
  await writeReports(database, accountId, 1)
  await waitFor('the notice', () => other.arrivals.some(({ body }) => body.type === 'webhook.disabled'))
  const view = await read()
  assert.deepEqual([view.enabled, view.disabledReason], [false, 'gone'])
  const notice = other.arrivals.find(({ body }) => body.type === 'webhook.disabled')!
  assert.deepEqual(notice.body.data, { webhookId: webhook.id, url: maskedUrl(webhook.url), reason: 'gone' })
  assert.equal(await sumCounter(metrics.webhooksDisabled, { reason: 'gone' }), 1)
})

test('a webhook that fails for too long is disabled; enabled again, it receives every report', async (t) => {
  const { accountId, receiver, webhook, read } = await createFixture(t)
  receiver.answer = () => ({ status: 503 })
  push(t, { disableAfterMs: 60, scheduleMs: Array.from({ length: 20 }, () => 30) })
  const keys = await writeReports(database, accountId, 3)
  await waitFor('disabling', async () => !(await read()).enabled)
  assert.equal((await read()).disabledReason, 'failing')
  receiver.answer = () => undefined
  const before = receiver.arrivals.length
  keys.push(...(await writeReports(database, accountId, 2)))
  await changeWebhook(context, accountId, webhook.id, { enabled: true })
  await waitFor('all of them', () => new Set(keysAt(receiver).slice(before)).size === keys.length)
  const after = await waitFor('the end', async () => {
    const view = await read()
    return view.behind + view.retrying === 0 ? view : null
  })
  assert.deepEqual([after.disabledReason, after.failingSince], [null, null])
})

const incompleteAnswers = [
  { status: 200, body: '' },
  { status: 200, body: 'OK' },
  { status: 204 },
  { status: 200, body: '{"msgKey":"another"}' },
]

test('any 2xx acknowledges, such as the empty 200 and 204 of web frameworks', async (t) => {
  const { accountId, receiver, read } = await createFixture(t)
  const answers = [...incompleteAnswers]
  receiver.answer = () => answers.shift()
  push(t)
  await writeReports(database, accountId, incompleteAnswers.length)
  await waitFor('the acknowledgements', async () => (await read()).behind === 0)
  assert.equal((await read()).retrying, 0)
  assert.equal(receiver.arrivals.length, incompleteAnswers.length)
})

test('only 200 with the same msgKey acknowledges if the webhook requires it', async (t) => {
  const { accountId, receiver, read } = await createFixture(t, { acknowledgement: 'msgKey' })
  const answers = [...incompleteAnswers]
  receiver.answer = () => answers.shift()
  push(t, { scheduleMs: incompleteAnswers.map(() => 30) })
  await writeReports(database, accountId, 1)
  await waitFor('the acknowledgement', async () => {
    const { behind, retrying } = await read()
    return receiver.arrivals.length > incompleteAnswers.length && behind + retrying === 0
  })
  assert.equal((await read()).givenUp, 0)
})

test('never follows a redirect', async (t) => {
  const { accountId, receiver, read } = await createFixture(t)
  const trap = await openReceiver()
  addCleanup(() => trap.close())
  receiver.answer = () => ({ status: 307, headers: { location: trap.url } })
  push(t)
  await writeReports(database, accountId, 1)
  await waitFor('giving up', async () => (await read()).givenUp === 1)
  assert.equal(trap.arrivals.length, 0)
})

test('a response that is too long is cut off and counts as a failure', async (t) => {
  const { accountId, receiver, read } = await createFixture(t)
  receiver.answer = () => ({ status: 200, body: 'x'.repeat(1_000_000) })
  push(t, { scheduleMs: [] })
  await writeReports(database, accountId, 1)
  await waitFor('giving up', async () => (await read()).givenUp === 1)
})

test('during a rotation receivers can verify with the previous and with the new secret', async (t) => {
  const { accountId, receiver, webhook } = await createFixture(t)
  const { secret } = await rotateSecret(context, accountId, webhook.id, {})
  push(t)
  await writeReports(database, accountId, 1)
  await waitFor('the arrival', () => receiver.arrivals.length === 1)
  const [arrival] = receiver.arrivals
  assert.deepEqual([isSigned(arrival!, secret), isSigned(arrival!, webhook.secret)], [true, true])
  const again = await rotateSecret(context, accountId, webhook.id, { keepPreviousHours: 0 })
  await waitFor('the new secret alone', async () => {
    await writeReports(database, accountId, 1)
    return isSigned(receiver.arrivals.at(-1)!, again.secret)
  })
  assert.equal(isSigned(receiver.arrivals.at(-1)!, secret), false)
})

test('replays one message, failed pushes, and all since a time', async (t) => {
  const { accountId, receiver, webhook, read } = await createFixture(t)
  push(t, { scheduleMs: [] })
  const start = new Date().toISOString()
  const [first, second] = await writeReports(database, accountId, 2)
  const count = (key: string | undefined): number =>
    keysAt(receiver).filter((received) => received === key).length
  await waitFor('both', async () => receiver.arrivals.length >= 2 && (await read()).behind === 0)
  assert.equal(await replayPushes(context, accountId, webhook.id, { msgKey: first }), 1)
  await waitFor('the first again', async () => count(first) >= 2 && (await read()).retrying === 0)
  assert.equal(await replayPushes(context, accountId, webhook.id, { allSince: start }), 2)
  await waitFor('all again', () => count(first) >= 3 && count(second) >= 2)
  // Pushes that are not saved yet would be repeated and counted with the failures that follow.
  await waitFor('all saved', async () => (await read()).behind === 0)
  receiver.answer = () => ({ status: 500 })
  const [third] = await writeReports(database, accountId, 1)
  await waitFor('giving up', async () => (await read()).givenUp >= 1)
  receiver.answer = () => undefined
  assert.ok((await replayPushes(context, accountId, webhook.id, { failedSince: start })) >= 1)
  await waitFor('the third again', () => count(third) >= 2)
  await assert.rejects(replayPushes(context, accountId, webhook.id, { msgKey: 'no such key' }), {
    code: 'A854',
  })
  await assert.rejects(replayPushes(context, accountId, webhook.id, {}), { code: 'A854' })
})

test('never exceeds its concurrency or its rate', async (t) => {
  const { accountId, receiver } = await createFixture(t, { concurrency: 2, perSecond: 50 })
  let running = 0
  let maxRunning = 0
  receiver.answer = () => {
    maxRunning = Math.max(maxRunning, ++running)
    setTimeout(() => running--, 5)
    return {
      status: 200,
      afterMs: 5,
      body: JSON.stringify({ msgKey: receiver.arrivals.at(-1)!.body.msgKey }),
    }
  }
  push(t)
  await writeReports(database, accountId, 30)
  await waitFor('all arrivals', () => receiver.arrivals.length === 30)
  assert.ok(maxRunning <= 2, `${maxRunning} at once`)
  const tookMs = receiver.arrivals.at(-1)!.at - receiver.arrivals[0]!.at
  assert.ok(tookMs >= 400, `30 at 50 per second in ${tookMs} ms`)
})

test('dead and hanging webhooks do not slow down a healthy one', async (t) => {
  const { accountId, receiver, add } = await createFixture(t)
  const hanging = await openReceiver(() => null)
  addCleanup(() => hanging.close())
  const closed = await openReceiver()
  await closed.close()
  for (let n = 0; n < 4; n++) {
    await add({ url: hanging.url, timeoutSeconds: 1 })
    await add({ url: closed.url })
  }
  push(t)
  const started = performance.now()
  await writeReports(database, accountId, 200)
  await waitFor('all at the healthy one', () => receiver.arrivals.length >= 200)
  // The webhook's rate of 100 per second takes two seconds; behind the hanging ones it would take minutes.
  assertWithin('the healthy one', performance.now() - started, 10_000)
})

test('two processes share the webhooks, and each report is pushed by one of them', async (t) => {
  const fixtures = [
    await createFixture(t),
    await createFixture(t),
    await createFixture(t),
    await createFixture(t),
  ]
  const metrics = [testMetrics(), testMetrics()]
  for (const ofProcess of metrics) push(t, { metrics: ofProcess })
  await waitFor('both to own two', async () => {
    const owned = await Promise.all(
      metrics.map(async (ofProcess) => (await ofProcess.webhooksOwned.get()).values[0]?.value),
    )
    return owned.join() === '2,2'
  })
  for (const { accountId } of fixtures) await writeReports(database, accountId, 10)
  await waitFor('all arrivals', () => fixtures.every(({ receiver }) => receiver.arrivals.length >= 10))
  for (const { read } of fixtures) await waitFor('the cursor', async () => (await read()).behind === 0)
  for (const { receiver } of fixtures) assert.equal(receiver.arrivals.length, 10)
})

test('unsaved pushes of a crashed process are repeated by the next owner', async (t) => {
  const { accountId, receiver, read } = await createFixture(t)
  // A process that crashes: its pushes arrive, its progress is never saved.
  const crashing = startTestPusher(database, {
    intervalsMs: { refresh: 20, fetch: 10, save: 1_000_000, drain: 0 },
  })
  await waitFor('the owner', async () => {
    const { rows } = await database.query(
      `select from owned o join webhooks w on w.id = o.key where o.kind = 'webhook' and w.account_id = $1`,
      [accountId],
    )
    return rows.length === 1
  })
  const keys = await writeReports(database, accountId, 20)
  await waitFor('all arrivals', () => receiver.arrivals.length === 20)
  await database.query('update webhook_cursors set epoch = epoch + 1 where account_id = $1', [accountId])
  await crashing.stop()
  assert.equal((await read()).behind, 20, 'only the last owner can move the cursor')
  push(t)
  await waitFor('the cursor', async () => (await read()).behind === 0)
  assert.deepEqual(new Set(keysAt(receiver).slice(20)), new Set(keys))
})

test("no push is abandoned when PostgreSQL's clock jumps ahead", async (t) => {
  const { accountId, receiver, webhook } = await createFixture(t)
  await changeWebhook(context, accountId, webhook.id, { enabled: false })
  const [key] = await writeReports(database, accountId, 1)
  receiver.answer = () => (receiver.arrivals.length <= 2 ? { status: 500 } : undefined)
  jumpClockAhead(t)
  await changeWebhook(context, accountId, webhook.id, { enabled: true })
  push(t, { disableAfterMs: 0 })
  await waitFor('the third try', () => receiver.arrivals.length === 3)
  assert.deepEqual(keysAt(receiver), [key, key, key])
})

test('reports older than three days are skipped, newer ones are not', async (t) => {
  const { accountId, receiver, read, webhook } = await createFixture(t)
  await changeWebhook(context, accountId, webhook.id, { enabled: false })
  await writeReports(database, accountId, 5)
  await database.query("update reports set created_at = now() - interval '4 days' where account_id = $1", [
    accountId,
  ])
  push(t)
  await database.query('update webhooks set enabled = true where id = $1', [webhook.id])
  await waitFor('the old ones to be skipped', async () => (await read()).behind === 0)
  const [key] = await writeReports(database, accountId, 1)
  await waitFor('the new one', () => receiver.arrivals.length > 0)
  assert.deepEqual(keysAt(receiver), [key])
})
