/**
 * `postern account move`: an account moves to another cell with everything it has. Its readers continue where they were,
 * every report reaches it once, and a run that dies leaves an account that works.
 */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/broker.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { recordOne } from '../../../test/support/fixtures.ts'
import {
  createTestServer,
  type Answer,
  type TestAccount,
  type TestServer,
} from '../../../test/support/server.ts'
import { waitFor } from '../../../test/support/wait.ts'
import {
  handOver,
  movedColumns,
  openAccount,
  ownColumns,
  pauseAccount,
  readMoving,
  renewPause,
  resumeAccount,
  type Pause,
} from '../../accounts/moves.ts'
import { hashPassword } from '../../accounts/password.ts'
import { revokeTokens } from '../../accounts/queries.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { createFileKey } from '../../files/file.ts'
import { announceFile, markStored } from '../../files/queries.ts'
import { createFormId } from '../../forms/form.ts'
import { insertForm } from '../../forms/queries.ts'
import { inTransaction, type Database } from '../../platform/database.ts'
import { saveConfirmedText } from '../../records/ledger/gate-gaps.ts'
import { closeMessages } from '../../records/messages/close.ts'
import { saveParked } from '../../records/parked/queries.ts'
import { insertWebhook } from '../../webhooks/queries.ts'
import { claimWebhooks, heartbeat, readOwned } from '../../webhooks/ownership.ts'
import { copyReports, prepareTarget } from './move-copy.ts'
import { forward } from './move-forward.ts'
import { copyRows } from './move-rows.ts'
import type { Move } from './moving.ts'
import { moveAccount, type MoveOptions } from './move.ts'
import { createSecret, createWebhookId, webhookDefaults } from '../../webhooks/webhook.ts'

interface Cell {
  readonly id: string
  readonly url: string
  readonly database: Database
  readonly api: TestServer
}

const { broker, topology } = await createTestBroker()
const password = 'CORRECT-HORSE'
const passwordHash = await hashPassword(password)
const [a, b] = [await openCell('A1'), await openCell('B1')]

async function openCell(id: string): Promise<Cell> {
  const { database, url } = await createTestDatabase()
  return { id, url, database, api: await createTestServer({ database, broker, topology, cell: id }) }
}

const times = { followMs: 50, quietMs: 300 }

interface Output {
  readonly json: unknown
  /** Empty when the command succeeded. */
  readonly error: string
}

async function move(
  clientId: string,
  from: Cell,
  to: Cell,
  options: Partial<MoveOptions> = {},
  progress: (text: string) => void = () => undefined,
): Promise<Output> {
  const before = { ...process.env }
  Object.assign(process.env, {
    POSTERN_DATABASE_URL: from.url,
    POSTERN_QUEUE_PREFIX: topology.parked.name.replace(/parked$/, ''),
    POSTERN_TOKEN_SECRET: 'x'.repeat(32),
    POSTERN_CELL: from.id,
  })
  const given = { to: to.url, toCell: to.id, proxyMap: 'clients.map', wait: true, ...options }
  try {
    const { json } = await moveAccount(clientId, given, times, progress)
    return { json, error: '' }
  } catch (error) {
    return { json: null, error: (error as Error).message }
  } finally {
    process.env = before
    for (const { api } of [a, b]) await api.accounts.refresh()
  }
}

async function moved(clientId: string, from: Cell, to: Cell): Promise<Record<string, unknown>> {
  const { json, error } = await move(clientId, from, to, { wait: false })
  assert.equal(error, '')
  return json as Record<string, unknown>
}

const login = ({ api }: Cell, clientId: string): Promise<Answer> =>
  api.inject({
    method: 'POST',
    url: '/v1/auth/token',
    headers: { 'x-svc-client-id': clientId, 'x-svc-client-passwd': password },
  })

/** The account as the cell knows it, with a token that the cell issued. */
async function enter(cell: Cell, clientId: string): Promise<TestAccount> {
  const { status, body } = await login(cell, clientId)
  assert.equal(status, 200, body.result)
  const { id } = cell.api.accounts.value.byClientId.get(clientId)!
  return { id, clientId, token: (body.data as { token: string }).token }
}

interface Batch {
  readonly reportId: string
  readonly report: readonly { readonly msgKey: string }[]
}

const keysOf = (batch: Pick<Batch, 'report'>): string[] => batch.report.map(({ msgKey }) => msgKey)
const poll = async (cell: Cell, account: TestAccount): Promise<Batch> =>
  (await cell.api.call(account, 'GET', '/v1/report/polling')).body.data as Batch
const acknowledge = (cell: Cell, account: TestAccount, id: string): Promise<Answer> =>
  cell.api.call(account, 'DELETE', `/v1/report/polling/${id}`)

/** Messages that the cell has accepted; they stay open. */
async function open(cell: Cell, accountId: number, count: number): Promise<string[]> {
  const keys: string[] = []
  for (let n = 0; n < count; n++) {
    const msgKey = createMsgKey(cell.id, new Date())
    await recordOne(cell.database, { msgKey, accountId })
    keys.push(msgKey)
  }
  return keys
}

async function close(cell: Cell, keys: readonly string[]): Promise<void> {
  const at = new Date()
  await inTransaction(cell.database, (transaction) =>
    closeMessages(
      transaction,
      keys.map((msgKey) => ({ msgKey, step: 1, try: 1, cause: 'delivered', parts: 1, sentAt: at, at })),
    ),
  )
}

/** From cell A1 to B1, as one run of the command sees it. */
const moveOf = async (clientId: string): Promise<Move> => ({
  ...{ source: a.database, target: b.database, fromCell: a.id, toCell: b.id, clientId },
  account: (await readMoving(a.database, clientId))!,
  progress: () => undefined,
})

async function storeFile(cell: Cell, accountId: number): Promise<string> {
  const later = new Date(Date.now() + 1e9)
  const key = createFileKey(new Date(), cell.id)
  const image = { serviceType: 'MMS', kind: '', format: 'jpg', width: 1, height: 1, bytes: 9 } as const
  await announceFile(cell.database, { key, accountId, ...image, expiresAt: later }, later)
  await markStored(cell.database, key, later)
  return key
}

/** Intake has recorded the message that `api 1` confirmed. */
const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000)
const recordAtGate = (cell: Cell, accountId: number): Promise<unknown> =>
  cell.database.query('update gate_counts set recorded = confirmed where account_id = $1', [accountId])

const held = ({ clientId }: TestAccount, holder = 'run 1'): Pause => ({ clientId, holder, seconds: 30 })
const newAccount = (cell: Cell): Promise<TestAccount> => cell.api.account({ passwordHash, weight: 7 })

test('readers continue where they were, and every report reaches the account once', async () => {
  const account = await newAccount(a)
  const { clientId } = account
  const keys = await open(a, account.id, 8)
  // Acknowledged, handed out and not acknowledged, written and not handed out, open.
  await close(a, keys.slice(0, 2))
  await acknowledge(a, account, (await poll(a, account)).reportId)
  await close(a, keys.slice(2, 4))
  const held = await poll(a, account)
  assert.deepEqual(keysOf(held), keys.slice(2, 4))
  await close(a, keys.slice(4, 5))
  const stream = await a.api.call(account, 'GET', '/v1/report/stream?limit=3')
  const { cursor } = stream.body.data as { cursor: string }
  assert.equal((await a.api.call(account, 'POST', '/v1/report/stream/crm', { cursor })).status, 200)

  const result = await moved(clientId, a, b)
  assert.deepEqual(result, { clientId, from: 'A1', to: 'B1', forwarded: 0, open: 3, ended: false })

  const there = await enter(b, clientId)
  assert.deepEqual(await poll(b, there), held)
  assert.equal((await acknowledge(b, there, held.reportId)).status, 200)
  const next = await poll(b, there)
  assert.deepEqual(keysOf(next), keys.slice(4, 5))
  assert.equal((await acknowledge(b, there, next.reportId)).status, 200)
  for (const place of ['consumer=crm', `cursor=${cursor}`]) {
    const rest = await b.api.call(there, 'GET', `/v1/report/stream?${place}`)
    assert.deepEqual(keysOf(rest.body.data as Batch), keys.slice(3, 5), place)
  }
  for (const key of keys.slice(0, 5)) {
    const found = await b.api.call(there, 'GET', `/v1/report/inquiry/${key}`)
    assert.deepEqual(keysOf(found.body.data as Batch), [key])
  }

  const timeline = await b.api.call(there, 'GET', `/v1/message/${keys[7]!}`)
  assert.match(
    `${timeline.body.code} ${timeline.body.result}`,
    /^A331 .* cell A1 accepted it and keeps its timeline/,
  )
  const cancel = await b.api.call(there, 'DELETE', `/v1/send/${keys[7]!}`)
  assert.match(`${cancel.body.code} ${cancel.body.result}`, /^A330 .* cell A1 accepted the message before/)

  // The old cell finishes two of them while the new one finishes its own: one order, each once.
  await close(a, keys.slice(5, 6))
  const [own] = await open(b, there.id, 1)
  assert.deepEqual((await moved(clientId, a, b)).forwarded, 1)
  await close(b, [own!])
  await close(a, keys.slice(6, 7))
  assert.deepEqual((await moved(clientId, a, b)).forwarded, 1)
  assert.deepEqual((await moved(clientId, a, b)).forwarded, 0)
  const last = await poll(b, there)
  assert.deepEqual(keysOf(last), [keys[5], own, keys[6]])
  await acknowledge(b, there, last.reportId)

  // The last one: now the command ends by itself, and the usage of both cells is in the new one.
  await close(a, keys.slice(7))
  const end = await move(clientId, a, b)
  assert.deepEqual(end, {
    json: { clientId, from: 'A1', to: 'B1', forwarded: 1, open: 0, ended: true },
    error: '',
  })
  assert.deepEqual(keysOf(await poll(b, there)), keys.slice(7))
  const today = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10)
  const usage = await b.api.call(there, 'GET', `/v1/usage?from=${today}&to=${today}`)
  assert.match(JSON.stringify(usage.body.data), /"messages":9\b/)
})

test('the old cell refuses the account so that its clients request a new token; its neighbour is served', async () => {
  const [account, neighbour] = [await newAccount(a), await newAccount(a)]
  await moved(account.clientId, a, b)
  const { status, body } = await a.api.call(account, 'GET', '/v1/report/polling')
  assert.deepEqual([status, body.code], [401, 'A001'])
  assert.match(body.result, /moved to cell B1; request a new token/)
  const token = await login(a, account.clientId)
  assert.deepEqual([token.status, token.body.code, token.headers['retry-after']], [503, 'A920', '2'])
  assert.equal((await a.api.call(neighbour, 'GET', '/v1/report/polling')).status, 200)
  assert.equal((await login(a, neighbour.clientId)).status, 200)
  const there = await enter(b, account.clientId)
  assert.equal((await b.api.call(there, 'GET', '/v1/report/polling')).status, 200)
  assert.equal(b.api.accounts.value.byClientId.get(account.clientId)!.weight, 7)
})

test('webhooks, forms and files move; the old cell pushes nothing more', async () => {
  const { id, clientId } = await newAccount(a)
  const webhookId = createWebhookId(new Date())
  const webhook = {
    ...webhookDefaults,
    url: 'https://example.com/hook',
    id: webhookId,
    secret: createSecret(),
  }
  await insertWebhook(a.database, { ...webhook, accountId: id }, 20)
  await close(a, await open(a, id, 3))
  await a.database.query(`update webhook_cursors set seq = 2 where webhook_id = '${webhookId}'`)
  await a.database.query(
    `insert into webhook_deliveries (webhook_id, event_id, notice, created_at, tries, retry_at, failed_at, error)
     values ($1, 'late', '{"b": 1,  "a": 2}', now(), 3, now(), now(), 'timeout')`,
    [webhookId],
  )
  const form = {
    id: createFormId(new Date()),
    accountId: id,
    flow: [{ sms: { text: '#{b}' } }],
    expiresAt: new Date(Date.now() + 1e9),
  }
  await insertForm(a.database, form, new Date(), 10)
  const key = await storeFile(a, id)

  await moved(clientId, a, b)
  const there = b.api.accounts.value.byClientId.get(clientId)!.id
  const rows = async (cell: Cell, text: string, value: unknown): Promise<unknown[]> =>
    (await cell.database.query<{ row: unknown }>(text, [value])).rows
  for (const text of [
    `select to_jsonb(w) - 'account_id' as row from webhooks w where id = $1`,
    `select to_jsonb(c) - 'account_id' - 'owner' - 'epoch' as row from webhook_cursors c where webhook_id = $1`,
    `select to_json(d)::text as row from webhook_deliveries d where webhook_id = $1`,
  ])
    assert.deepEqual(await rows(b, text, webhookId), await rows(a, text, webhookId), text)
  assert.deepEqual(
    await rows(
      b,
      `select to_json(f)::text as row from (select id, flow, expires_at from forms where id = $1) f`,
      form.id,
    ),
    await rows(
      a,
      `select to_json(f)::text as row from (select id, flow, expires_at from forms where id = $1) f`,
      form.id,
    ),
  )
  assert.deepEqual(await rows(b, 'select account_id as row from files where stored and key = $1', key), [
    { row: there },
  ])

  for (const [cell, expected] of [
    [a, []],
    [b, [webhookId]],
  ] as const) {
    await heartbeat(cell.database, 'pusher', 10_000)
    await claimWebhooks(cell.database, 'pusher', 10_000, 20)
    const owned = await readOwned(cell.database, 'pusher')
    assert.deepEqual(
      owned.filter(({ id: one }) => one === webhookId).map(({ id: one, seq }) => [one, seq]),
      expected.map((one) => [one, 2]),
    )
  }
})

test('a run that dies during the pause leaves the account in its old cell', async () => {
  const account = await newAccount(a)
  await pauseAccount(a.database, { ...held(account), seconds: 1 })
  await a.api.accounts.refresh()
  const paused = await a.api.call(account, 'GET', '/v1/report/polling')
  assert.deepEqual([paused.status, paused.body.code, paused.headers['retry-after']], [503, 'A920', '2'])
  await waitFor('the pause to end', async () => {
    await a.api.accounts.refresh()
    return (await a.api.call(account, 'GET', '/v1/report/polling')).status === 200
  })
  assert.equal(await handOver(a.database, held(account), 'B1'), false, 'the pause has ended')
  await moved(account.clientId, a, b)
  await enter(b, account.clientId)
})

test('a run that dies after the hand-over is completed by the next one', async () => {
  const account = await newAccount(a)
  const keys = await open(a, account.id, 2)
  await close(a, keys.slice(0, 1))
  await pauseAccount(a.database, held(account))
  assert.equal(await handOver(a.database, held(account), 'B1'), true)
  await close(a, keys.slice(1))
  await moved(account.clientId, a, b)
  assert.deepEqual(keysOf(await poll(b, await enter(b, account.clientId))), keys)
})

test('an account moves back, and then to the other cell again', async () => {
  const account = await newAccount(a)
  const keys = await open(a, account.id, 3)
  await close(a, keys.slice(0, 1))
  const stream = await a.api.call(account, 'GET', '/v1/report/stream')
  const { cursor } = stream.body.data as { cursor: string }
  await moved(account.clientId, a, b)
  const there = await enter(b, account.clientId)
  const [own] = await open(b, there.id, 1)
  await close(b, [own!])
  const early = await move(account.clientId, b, a, { wait: false })
  assert.match(early.error, /from cell A1 has not ended/)
  await close(a, keys.slice(1))
  assert.equal((await move(account.clientId, a, b)).error, '')
  const order = [keys[0], own, ...keys.slice(1)]
  assert.equal((await move(account.clientId, b, a)).error, '')
  assert.deepEqual(keysOf(await poll(a, await enter(a, account.clientId))), order)
  assert.equal((await move(account.clientId, a, b)).error, '')
  const again = await enter(b, account.clientId)
  assert.deepEqual(keysOf(await poll(b, again)), order)
  const rest = await b.api.call(again, 'GET', `/v1/report/stream?cursor=${cursor}`)
  assert.deepEqual(keysOf(rest.body.data as Batch), order.slice(1))
  const usage = await b.database.query<{ n: number }>(
    'select sum(messages)::bigint as n from usage_days where account_id = $1',
    [again.id],
  )
  assert.equal(usage.rows[0]!.n, 4)
})

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

test('a token that was revoked in the other cell stays invalid when the account returns', async () => {
  const account = await newAccount(a)
  const { clientId } = account
  assert.equal((await move(clientId, a, b)).error, '')
  assert.equal(await revokeTokens(b.database, clientId), true)
  assert.equal((await move(clientId, b, a)).error, '')
  const { status, body } = await a.api.call(account, 'GET', '/v1/report/polling')
  assert.deepEqual([status, body.code], [401, 'A002'])
  assert.equal((await a.api.call(await enter(a, clientId), 'GET', '/v1/report/polling')).status, 200)
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
  // Two pages and one batch of deliveries, a page and a batch of forms, a page of files.
  assert.equal(renewed, 6)
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

test('a dry run says what will happen and changes nothing', async () => {
  const account = await newAccount(a)
  await close(a, (await open(a, account.id, 3)).slice(0, 2))
  const { json } = await move(account.clientId, a, b, { dryRun: true })
  assert.deepEqual(json, {
    ...{ clientId: account.clientId, from: 'A1', to: 'B1', moved: false, reports: 2, files: 0, forms: 0 },
    ...{ webhooks: 0, open: 1, scheduled: 0, routes: [] },
  })
  assert.equal((await a.api.call(account, 'GET', '/v1/report/polling')).status, 200)
  assert.equal(b.api.accounts.value.byClientId.has(account.clientId), false)
})

test('refuses a client id that the other cell has, an unknown one, and its own cell', async () => {
  const account = await newAccount(a)
  await b.api.account({ clientId: account.clientId, passwordHash })
  const taken = await move(account.clientId, a, b)
  assert.match(taken.error, /has an account .* of its own/)
  assert.match((await move('nobody', a, b)).error, /there is no account 'nobody'/)
  assert.match((await move(account.clientId, a, { ...b, id: 'A1' })).error, /must name another cell/)
  assert.equal((await a.api.call(account, 'GET', '/v1/report/polling')).status, 200)
})

test('every column of an account either moves or belongs to the cell', async () => {
  const result = await a.database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'accounts'`,
  )
  assert.deepEqual(result.rows.map(({ name }) => name).sort(), [...movedColumns, ...ownColumns].sort())
})
