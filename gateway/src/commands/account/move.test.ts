/**
 * `postern account move`: an account moves to another cell with everything it has. Its readers continue where they were,
 * every report reaches it once, and a run that dies leaves an account that works.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitFor } from '../../../test/support/wait.ts'
import { insertCredential, listCredentials, revokeCredential } from '../../accounts/credential-queries.ts'
import { createKey } from '../../accounts/key.ts'
import { handOver, movedColumns, ownColumns, pauseAccount } from '../../accounts/moves.ts'
import { revokeTokens } from '../../accounts/queries.ts'
import { createFormId } from '../../forms/form.ts'
import { insertForm } from '../../forms/queries.ts'
import { insertWebhook } from '../../webhooks/queries.ts'
import { claimWebhooks, heartbeat, readOwned } from '../../webhooks/ownership.ts'
import { createSecret, createWebhookId, webhookDefaults } from '../../webhooks/webhook.ts'
import {
  type Cell,
  a,
  b,
  move,
  moved,
  login,
  enter,
  type Batch,
  keysOf,
  poll,
  acknowledge,
  open,
  close,
  storeFile,
  held,
  newAccount,
  passwordHash,
} from '../../../test/support/two-cells.ts'

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
  const again = await poll(b, there)
  assert.deepEqual([again.reportId, keysOf(again)], [held.reportId, keysOf(held)])
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
  const { json, error } = await move(clientId, a, b)
  const end = { json, error }
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

test('a dry run says what will happen and changes nothing', async () => {
  const account = await newAccount(a)
  await close(a, (await open(a, account.id, 3)).slice(0, 2))
  const { json } = await move(account.clientId, a, b, { dryRun: true })
  assert.deepEqual(json, {
    ...{ clientId: account.clientId, from: 'A1', to: 'B1', moved: false, reports: 2, files: 0, forms: 0 },
    ...{ webhooks: 0, open: 1, scheduled: 0, routes: [], keys: 0, rules: { onlyThere: [], onlyHere: [] } },
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

test('keys and passwords move with the account, with their ends, and a token of each works in the new cell', async () => {
  const account = await newAccount(a)
  const { clientId, id } = account
  const [kept, gone] = [createKey('A1'), createKey('A1')]
  const limits = { kind: 'key', name: '', networks: null, createdBy: 'test', endsAt: null } as const
  for (const { keyId, hash } of [kept, gone])
    await insertCredential(a.database, { accountId: id, keyId, hash, ...limits, scopes: ['report'] })
  const before = await listCredentials(a.database, id)
  await revokeCredential(a.database, before.find(({ keyId }) => keyId === gone.keyId)!.id)
  assert.equal((await move(clientId, a, b)).error, '')
  const there = await enter(b, clientId)
  const bearers = async (cell: Cell, key: string): Promise<number> => {
    const headers = { authorization: `Bearer ${key}` }
    return (await cell.api.inject({ method: 'GET', url: '/v1/report/polling', headers })).status
  }
  assert.equal(await bearers(b, kept.text), 200)
  assert.equal(await bearers(b, gone.text), 401)
  const names = (list: Awaited<ReturnType<typeof listCredentials>>) =>
    list.map(({ keyId, kind, scopes, revokedAt }) => [keyId, kind, scopes, revokedAt !== null])
  const after = await listCredentials(b.database, there.id)
  assert.deepEqual(names(after), names(await listCredentials(a.database, id)))

  assert.equal((await move(clientId, b, a)).error, '')
  await enter(a, clientId)
  assert.equal(await bearers(a, kept.text), 200)
  const back = await listCredentials(a.database, id)
  assert.deepEqual(
    back.map(({ id: number }) => number),
    before.map(({ id: number }) => number),
  )
})

test('every column of an account either moves or belongs to the cell', async () => {
  const result = await a.database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'accounts'`,
  )
  assert.deepEqual(result.rows.map(({ name }) => name).sort(), [...movedColumns, ...ownColumns].sort())
})
