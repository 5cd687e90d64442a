/**
 * `postern account move` with late, repeated and concurrent work: each report has one number above all earlier ones, the move
 * ends when the old cell holds nothing, and a run whose pause is lost changes nothing.
 */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { recordOne } from '../../../test/support/fixtures.ts'
import { handOver, openAccount, pauseAccount, renewPause, resumeAccount } from '../../accounts/moves.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { createFormId } from '../../forms/form.ts'
import { insertForm } from '../../forms/queries.ts'
import { saveConfirmedText } from '../../records/ledger/gate-table.ts'
import { saveParked } from '../../records/parked/queries.ts'
import { insertWebhook } from '../../webhooks/queries.ts'
import { copyReports, prepareTarget } from './move-copy.ts'
import { forward } from './move-forward.ts'
import { copyRows } from './move-rows.ts'
import { createSecret, createWebhookId, webhookDefaults } from '../../webhooks/webhook.ts'
import {
  type Cell,
  a,
  b,
  times,
  move,
  moved,
  enter,
  type Batch,
  keysOf,
  poll,
  acknowledge,
  open,
  close,
  moveOf,
  storeFile,
  held,
  newAccount,
} from '../../../test/support/two-cells.ts'

/** Intake has recorded the message that `api 1` confirmed. */
const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000)
const recordAtGate = (cell: Cell, accountId: number): Promise<unknown> =>
  cell.database.query('update gate_counts set recorded = confirmed where account_id = $1', [accountId])

test('reports get numbers above those of deleted ones, in the new cell and after the move back', async () => {
  const account = await newAccount(a)
  const { clientId } = account
  const drop = (cell: Cell, id: number): Promise<unknown> =>
    cell.database.query('delete from reports where account_id = $1', [id])
  await close(a, await open(a, account.id, 5))
  await acknowledge(a, account, (await poll(a, account)).reportId)
  const stream = await a.api.call(account, 'GET', '/v1/report/stream?limit=5')
  const { cursor } = stream.body.data as { cursor: string }
  await drop(a, account.id)

  assert.equal((await move(clientId, a, b)).error, '')
  const there = await enter(b, clientId)
  const keys = await open(b, there.id, 4)
  await close(b, keys)
  const batch = await poll(b, there)
  assert.deepEqual(keysOf(batch), keys)
  const rest = await b.api.call(there, 'GET', `/v1/report/stream?cursor=${cursor}`)
  assert.deepEqual(keysOf(rest.body.data as Batch), keys)
  await acknowledge(b, there, batch.reportId)
  await drop(b, there.id)

  assert.equal((await move(clientId, b, a)).error, '')
  const back = await enter(a, clientId)
  const [own] = await open(a, back.id, 1)
  await close(a, [own!])
  assert.deepEqual(keysOf(await poll(a, back)), [own])
})

test('a second run that copies while the first one opens the account stops, and each report has one number', async () => {
  const account = await newAccount(a)
  const { clientId } = account
  const keys = await open(a, account.id, 3)
  await close(a, keys.slice(0, 2))
  const second = await moveOf(clientId)
  const id = await prepareTarget(second)
  let chunks = 0
  await assert.rejects(
    copyReports(second, id, async () => {
      if (++chunks !== 2) return
      await moved(clientId, a, b)
      await close(a, keys.slice(2))
    }),
    /another run of this command has moved the account/,
  )
  const there = await enter(b, clientId)
  const [own] = await open(b, there.id, 1)
  await close(b, [own!])
  assert.equal((await moved(clientId, a, b)).forwarded, 1)
  assert.deepEqual(keysOf(await poll(b, there)), [keys[0], keys[1], own, keys[2]])
  const numbers = await b.database.query<{ n: number }>(
    'select count(distinct seq) as n from reports where account_id = $1',
    [there.id],
  )
  assert.equal(numbers.rows[0]!.n, 4)
})

test('a report that the new cell has already is not forwarded again, and those after it are', async () => {
  const account = await newAccount(a)
  const { clientId } = account
  const keys = await open(a, account.id, 3)
  await close(a, keys.slice(0, 1))
  await moved(clientId, a, b)
  const there = await enter(b, clientId)
  await close(a, keys.slice(1, 2))
  await moved(clientId, a, b)
  await b.database.query('update account_moves set forwarded_seq = 1 where account_id = $1', [there.id])
  await close(a, keys.slice(2))
  assert.equal((await moved(clientId, a, b)).forwarded, 1)
  assert.deepEqual(keysOf(await poll(b, there)), keys)
})

test('the move does not end while a message that the old cell confirmed is not recorded', async () => {
  const [account, neighbour] = [await newAccount(a), await newAccount(a)]
  // A worker holds one of each: taken from the first queue, neither recorded nor acknowledged.
  for (const { id } of [account, neighbour])
    await a.database.query(saveConfirmedText, [[minute], [id], [1], 'api 1'])
  const heldKeys: string[] = []
  const texts = new EventEmitter()
  const waiting = once(texts, 'unrecorded')
  const result = move(account.clientId, a, b, {}, (text) => {
    if (text.startsWith('1 messages that cell A1 accepted are not recorded')) texts.emit('unrecorded')
  })
  await waiting
  heldKeys.push(...(await open(a, account.id, 1)))
  await recordAtGate(a, account.id)
  await close(a, heldKeys)
  const { json, error } = await result
  assert.equal(error, '')
  assert.deepEqual(json, {
    clientId: account.clientId,
    from: 'A1',
    to: 'B1',
    forwarded: 1,
    open: 0,
    ended: true,
  })
  assert.deepEqual(keysOf(await poll(b, await enter(b, account.clientId))), heldKeys)
  await recordAtGate(a, neighbour.id)
})

test('messages that intake has parked count as open', async () => {
  const [account, neighbour] = [await newAccount(a), await newAccount(a)]
  for (const { id } of [account, neighbour]) {
    const msgKey = createMsgKey('A1', new Date())
    const payload = Buffer.from(JSON.stringify({ msgKey, accountId: id, text: `"accountId":${id + 1},` }))
    await saveParked(a.database, [{ stage: 'intake', msgKey, reason: null, payload }])
  }
  assert.equal((await moved(account.clientId, a, b)).open, 1)
})

test('the first queues must be empty without a break', async () => {
  const account = await newAccount(a)
  const keys = await open(a, account.id, 1)
  await moved(account.clientId, a, b)
  const there = await enter(b, account.clientId)
  const moving = await moveOf(account.clientId)
  await a.database.query('delete from in_flight where account_id = $1', [account.id])
  const answers = [true, false, false, false, false]
  const { forwarded, ended } = await forward(moving, there.id, {
    timeZone: 'UTC',
    quietMs: times.quietMs,
    // Empty at first; then the broker passes on what a frozen worker had taken, and another one records it.
    isIntakeIdle: async () => {
      const idle = answers.shift() ?? true
      if (answers.length === 1) {
        await a.database.query('delete from messages where msg_key = $1', [keys[0]])
        await recordOne(a.database, { msgKey: keys[0]!, accountId: account.id })
        await close(a, keys)
      }
      return idle
    },
  })
  assert.deepEqual([forwarded, ended], [1, true])
  assert.deepEqual(keysOf(await poll(b, there)), keys)
})

test('a run after the end forwards what the old cell recorded later, with its usage and its files', async () => {
  const account = await newAccount(a)
  const { clientId } = account
  await close(a, await open(a, account.id, 2))
  assert.equal((await move(clientId, a, b)).error, '')
  const there = await enter(b, clientId)
  await acknowledge(b, there, (await poll(b, there)).reportId)
  // A process of the old cell that was cut off from PostgreSQL accepted it with the old token.
  const late = await open(a, account.id, 1)
  await close(a, late)
  const key = await storeFile(a, account.id)
  const plan = await move(clientId, a, b, { dryRun: true })
  const { moved: isMoved, reports } = plan.json as Record<string, unknown>
  assert.deepEqual([isMoved, reports], [true, 1], 'a dry run shows what is not forwarded')
  for (const forwarded of [1, 0]) {
    const { json, error } = await move(clientId, a, b)
    assert.equal(error, '')
    assert.deepEqual(json, { clientId, from: 'A1', to: 'B1', forwarded, open: 0, ended: true })
  }
  assert.deepEqual(keysOf(await poll(b, there)), late)
  const usage = await b.database.query<{ n: number }>(
    'select sum(messages)::bigint as n from usage_days where account_id = $1',
    [there.id],
  )
  assert.equal(usage.rows[0]!.n, 3)
  const files = await b.database.query('select from files where stored and account_id = $1 and key = $2', [
    there.id,
    key,
  ])
  assert.equal(files.rowCount, 1)
})

test('during the pause only changed deliveries and forms are written, and the pause is renewed for every page', async () => {
  const { id, clientId } = await newAccount(a)
  const webhookId = createWebhookId(new Date())
  const webhook = {
    ...webhookDefaults,
    url: 'https://example.com/hook',
    id: webhookId,
    secret: createSecret(),
  }
  await insertWebhook(a.database, { ...webhook, accountId: id }, 20)
  await a.database.query(
    `insert into webhook_deliveries (webhook_id, event_id, created_at, tries, retry_at, failed_at, error)
     select $1, 'event' || n, now(), 3, now(), now(), 'timeout' from generate_series(1, 7000) as n`,
    [webhookId],
  )
  const forms = [1, 2].map((n) => ({
    ...{ id: createFormId(new Date()), accountId: id, flow: [{ sms: { text: `${n}` } }] },
    expiresAt: new Date(Date.now() + 1e9),
  }))
  for (const form of forms) await insertForm(a.database, form, new Date(), 10)
  const moving = await moveOf(clientId)
  const there = await prepareTarget(moving)
  await a.database.query(
    `update webhook_deliveries set tries = 4, failed_at = now() where webhook_id = $1 and event_id = 'event7'`,
    [webhookId],
  )
  await a.database.query(
    `delete from webhook_deliveries where webhook_id = $1 and event_id in ('event1', 'event999')`,
    [webhookId],
  )
  await a.database.query('delete from forms where id = $1', [forms[0]!.id])
  await a.database.query(`update forms set flow = '[{"sms":{"text":"3"}}]' where id = $1`, [forms[1]!.id])
  const versions = async (): Promise<Map<string, string>> => {
    const result = await b.database.query<{ id: string; version: string }>(
      'select event_id as id, xmin::text as version from webhook_deliveries where webhook_id = $1',
      [webhookId],
    )
    return new Map(result.rows.map((row) => [row.id, row.version]))
  }
  const before = await versions()
  let renewed = 0
  await copyRows(moving, there, () => {
    renewed++
    return Promise.resolve()
  })
  const after = await versions()
  assert.deepEqual(
    [...after].filter(([event, version]) => before.get(event) !== version).map(([event]) => event),
    ['event7'],
  )
  // Two pages and one batch of deliveries, a page and a batch of forms, a page of senders, a page of files.
  assert.equal(renewed, 7)
  for (const text of [
    `select md5(string_agg(d::text, '' order by event_id)) as row from webhook_deliveries d where webhook_id = $1`,
    `select json_agg(json_build_array(id, flow) order by id)::text as row from forms where id = any($1)`,
  ]) {
    const value = text.includes('forms') ? forms.map((form) => form.id) : webhookId
    const [here, copied] = [await a.database.query(text, [value]), await b.database.query(text, [value])]
    assert.deepEqual(copied.rows, here.rows)
  }
})

test('a run whose pause another run has taken over cannot hand over, renew or end it', async () => {
  const account = await newAccount(a)
  const [first, second] = [held(account), held(account, 'run 2')]
  await pauseAccount(a.database, first)
  await pauseAccount(a.database, second)
  assert.equal(await renewPause(a.database, first), false)
  assert.equal(await handOver(a.database, first, 'B1'), false)
  await resumeAccount(a.database, first)
  assert.equal(await renewPause(a.database, second), true)
  await resumeAccount(a.database, second)
  await moved(account.clientId, a, b)
  const there = await enter(b, account.clientId)
  assert.equal(await openAccount(b.database, there.id, 'A1'), false, 'it was opened before')
})
