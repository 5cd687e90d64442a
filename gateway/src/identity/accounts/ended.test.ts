/**
 * Expired and revoked credentials: no process accepts them, the hashes of expired ones are erased, and a revocation
 * names the webhooks whose URL the key set.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCredentialFixture } from '../../../test/support/http/credentials.ts'
import { waitsForLock } from '../../../test/support/engines/lock-wait.ts'
import type { TestResponse } from '../../../test/support/http/server.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { createWebhookId, createSecret, webhookDefaults } from '../../edge/webhooks/webhook.ts'
import { insertWebhook } from '../../edge/webhooks/queries.ts'
import { eraseEndedCredentials } from './credential-queries.ts'
import { accountsVersion, directoryVersion } from './queries.ts'

const { database, api, passwordHash, command, login, use, end: expire } = await openCredentialFixture()
const codeOf = async (answer: Promise<TestResponse>): Promise<string> => (await answer).body.code
const passwordsOf = async (id: number): Promise<{ keyId: string; hash: string | null }[]> =>
  (
    await database.query<{ keyId: string; hash: string | null }>(
      `select key_id as "keyId", hash from credentials where account_id = $1 and kind = 'password' order by id`,
      [id],
    )
  ).rows

test('hashes are erased when a credential expires, which is still reported as expired', async () => {
  const { id, clientId } = await api.account({ passwordHash })
  const first = await command('key', 'add', clientId, '--name', 'test')
  const second = await command('key', 'rotate', clientId, first.keyId)
  const changed = await command('password', clientId)
  const [original] = await passwordsOf(id)
  for (const keyId of [first.keyId, original!.keyId]) await expire(keyId)
  await eraseEndedCredentials(database)
  await api.accounts.refresh()
  const dump = JSON.stringify((await database.query('select to_json(c) from credentials c')).rows)
  assert.equal(dump.includes(passwordHash), false)
  assert.deepEqual(
    (await passwordsOf(id)).map(({ hash }) => hash === null),
    [true, false],
  )
  assert.deepEqual([await codeOf(use(first.key)), await codeOf(login(clientId, first.key))], ['A001', 'A100'])
  assert.equal(await codeOf(login(clientId, 'FIRST')), 'A100')
  assert.deepEqual(
    [await codeOf(use(second.key)), await codeOf(login(clientId, changed.password))],
    ['A000', 'A000'],
  )
  const version = await directoryVersion(database)
  await eraseEndedCredentials(database)
  assert.equal(await directoryVersion(database), version, 'a round without work makes no process read again')
})

test('an account locked by a command waits for the next round and delays no other account', async () => {
  const [busy, other] = [await api.account({ passwordHash }), await api.account({ passwordHash })]
  for (const { id } of [busy, other]) await expire((await passwordsOf(id))[0]!.keyId)
  const erased = async (id: number): Promise<boolean> => (await passwordsOf(id))[0]!.hash === null
  const holder = await database.connect()
  let done = false
  try {
    await holder.query('begin')
    await holder.query('select from accounts where id = $1 for no key update', [busy.id])
    const erasing = eraseEndedCredentials(database).then(() => (done = true))
    await waitFor(
      'the round to end or to wait',
      async () => done || waitsForLock(database, 'erase_ended_credentials'),
    )
    assert.ok(done, 'it does not wait for the account')
    await erasing
    assert.deepEqual([await erased(busy.id), await erased(other.id)], [false, true])
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  await eraseEndedCredentials(database)
  assert.equal(await erased(busy.id), true)
})

test('a leaked password ends even if its own successor was revoked', async () => {
  const { clientId } = await api.account({ passwordHash })
  const second = await command('password', clientId)
  await command('key', 'revoke', clientId, second.keyId)
  const third = await command('password', clientId)
  assert.ok(third.previousUntil !== null, 'the first one still works, and the command says so')
  assert.equal(await codeOf(login(clientId, 'FIRST')), 'A000')
  const forced = await command('password', clientId, '--overlap-hours', '0', '--force')
  assert.equal(forced.previousUntil, null)
  for (const password of ['FIRST', second.password, third.password])
    assert.equal(await codeOf(login(clientId, password)), 'A100')
  assert.equal(await codeOf(login(clientId, forced.password)), 'A000')
})

test('a password can be limited to networks and a time, and its successor keeps both', async () => {
  const { id, clientId } = await api.account({ passwordHash })
  const limited = await command('password', clientId, '--networks', '203.0.113.0/24', '--days', '30')
  const next = await command('password', clientId, '--force')
  for (const { password } of [limited, next]) {
    assert.equal(await codeOf(login(clientId, password)), 'A113')
    assert.equal(await codeOf(login(clientId, password, '203.0.113.7')), 'A000')
  }
  const ends = await database.query<{ days: number }>(
    `select round(extract(epoch from ends_at - now()) / 86400)::int as days from credentials where key_id = $1`,
    [next.keyId],
  )
  assert.equal(ends.rows[0]!.days, 30)
  const free = await command('password', clientId, '--networks', 'none', '--days', '0', '--force')
  assert.equal(await codeOf(login(clientId, free.password)), 'A000')
  assert.equal((await passwordsOf(id)).length, 4)
})

test('a revocation names webhooks whose URL the key set, and disables them on request', async () => {
  const { id, clientId } = await api.account({ passwordHash })
  const [key, other] = [
    await command('key', 'add', clientId, '--name', 'test'),
    await command('key', 'add', clientId, '--name', 'test'),
  ]
  const webhook = {
    ...webhookDefaults,
    url: 'https://example.com/hook',
    secret: createSecret(),
    accountId: id,
  }
  const webhookIds: string[] = []
  for (const urlSetBy of [key.keyId, other.keyId, null]) {
    webhookIds.push(createWebhookId(new Date()))
    await insertWebhook(database, { ...webhook, id: webhookIds.at(-1)!, urlSetBy }, 20)
  }
  const [listed] = (await command('key', 'revoke', clientId, key.keyId)).webhooks
  assert.deepEqual([listed!.id, listed!.enabled], [webhookIds[0], true])
  const [disabled] = (await command('key', 'revoke', clientId, other.keyId, '--disable-webhooks')).webhooks
  assert.deepEqual([disabled!.id, disabled!.enabled], [webhookIds[1], false])
  const states = await database.query('select id, enabled from webhooks where account_id = $1 order by id', [
    id,
  ])
  assert.deepEqual(
    new Map(states.rows.map((row: { id: string; enabled: boolean }) => [row.id, row.enabled])),
    new Map([
      [webhookIds[0], true],
      [webhookIds[1], false],
      [webhookIds[2], true],
    ]),
  )
})

test('credential changes affect the version of API processes, but not of workers', async () => {
  const { clientId } = await api.account({ passwordHash })
  const before = [await directoryVersion(database), await accountsVersion(database)]
  await command('key', 'add', clientId, '--name', 'test')
  const after = [await directoryVersion(database), await accountsVersion(database)]
  assert.notEqual(after[0], before[0])
  assert.equal(after[1], before[1])
})
