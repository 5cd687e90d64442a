/** Commands of accounts, senders and webhooks print the same over the admin API as on the database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/both-ways.ts'
import { acceptedJobs, createAccount, recordJobs } from '../../../test/support/fixtures.ts'

const { database, compare, onDatabase, overHttp, as } = await startBothWays()
// Not in the order of their names.
const shop = await createAccount(database, 'shop', { name: 'A \u001b[1mshop' })
await createAccount(database, 'bank', { lane: 'bulk', smppBinds: 2 })
await recordJobs(database, acceptedJobs(3, { accountId: shop }))
const because = ['--reason', 'a test']

async function local(...args: string[]): Promise<void> {
  const { exitCode, stderr } = await onDatabase(...args)
  assert.equal(exitCode, 0, stderr)
}

async function refusedAlike(...args: string[]): Promise<void> {
  const [one, other] = [await onDatabase(...args), await overHttp(...args)]
  assert.deepEqual(other, one)
  assert.notEqual(one.exitCode, 0)
}

test('account list and show', async () => {
  const { accounts } = (await compare(['account', 'list'])) as { accounts: { clientId: string }[] }
  assert.deepEqual(
    accounts.map(({ clientId }) => clientId),
    ['shop', 'bank'],
  )
  await compare(['account', 'show', 'shop'])
  await compare(['account', 'show', 'bank'])
  await refusedAlike('account', 'show', 'nobody')
  const { stdout } = await overHttp('account', 'list')
  assert.ok(!stdout.includes('\u001b'))
})

test('account block, stops and unblock', async () => {
  await compare(['account', 'block', 'shop', '--no-wait', '--hold', '--notice', 'called', ...because])
  await compare(['account', 'show', 'shop'])
  await compare(['account', 'stops', 'shop'])
  await compare(['account', 'unblock', 'shop', ...because])
  await compare(['account', 'stops', 'shop'])
  await refusedAlike('account', 'block', 'nobody', '--no-wait', ...because)
  await refusedAlike('account', 'unblock', 'nobody', ...because)
})

test('account block waits until nothing is open', async () => {
  const { exitCode, stdout, stderr } = await overHttp('account', 'block', 'bank', ...because, '--json')
  assert.equal(exitCode, 0, stderr)
  const { blocked, open } = JSON.parse(stdout) as { blocked: boolean; open: number }
  assert.deepEqual([blocked, open], [true, 0])
  await local('account', 'unblock', 'bank', ...because)
})

test('sender add, approve, reject, block, list and show', async () => {
  assert.equal((await as('support', 'sender', 'add', 'shop', '02-1234-5678')).exitCode, 0)
  await compare(['sender', 'add', 'shop', '02-1234-5678'])
  const proof = ['--proof-kind', 'certificate', '--proof', 'KT-118', '--issued', today()]
  const pending = () =>
    database.query(`update senders set state = 'pending', updated_at = '2026-11-01' where true`)
  const normalised = { before: pending }
  await sameButTimes(['sender', 'approve', 'shop', '0212345678', ...proof], normalised)
  await sameButTimes(['sender', 'approve', 'shop', '0212345678', '--valid-until', '2099-12-31'], normalised)
  await sameButTimes(['sender', 'approve', 'shop', '0212345678', '--valid-until', 'open'], normalised)
  await sameButTimes(['sender', 'reject', 'shop', '0212345678', ...because], normalised)
  await sameButTimes(['sender', 'block', 'shop', '0212345678', ...because], normalised)
  await local('sender', 'add', 'shop', '0234567890')
  await compare(['sender', 'list'])
  await compare(['sender', 'list', 'shop', '--state', 'blocked', '--limit', '1'])
  await compare(['sender', 'list', '--limit', '1'])
  await compare(['sender', 'show', 'shop', '0212345678'])
  const shown = await compare(['sender', 'show', 'shop', '0212345678', '--reveal', ...because])
  assert.ok(JSON.stringify(shown).includes('KT-118'))
  await refusedAlike('sender', 'show', 'shop', '0299999999')
  await refusedAlike('sender', 'approve', 'shop', '0234567890')
})

function today(): string {
  return new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10)
}

/** What a change answers has the time of the change. */
async function sameButTimes(args: readonly string[], { before }: { before: () => unknown }): Promise<void> {
  const documents: unknown[] = []
  for (const way of [onDatabase, overHttp]) {
    await before()
    const { exitCode, stdout, stderr } = await way(...args, '--json')
    assert.equal(exitCode, 0, stderr)
    documents.push({ ...(JSON.parse(stdout) as object), updatedAt: null })
  }
  assert.deepEqual(documents[1], documents[0])
  const texts: string[] = []
  for (const way of [onDatabase, overHttp]) {
    await before()
    texts.push((await way(...args)).stdout)
  }
  assert.equal(texts[1], texts[0])
}

test('webhook list, show, set, replay, deliveries, rotate and remove', async () => {
  const url = ['--url', 'https://shop.invalid/a?b=c']
  const added: string[] = []
  for (const way of [onDatabase, overHttp]) {
    const { exitCode, stdout, stderr } = await way('webhook', 'add', '--account', 'shop', ...url, '--json')
    assert.equal(exitCode, 0, stderr)
    const { webhookId, secret } = JSON.parse(stdout) as { webhookId: string; secret: string }
    assert.match(secret, /^whsec_/)
    added.push(webhookId)
  }
  const id = added[0]!
  await compare(['webhook', 'list'])
  await compare(['webhook', 'list', '--account', 'shop'])
  const hidden = await compare(['webhook', 'show', id])
  assert.ok(!JSON.stringify(hidden).includes('b=c'))
  await compare(['webhook', 'show', id, '--reveal', ...because])
  await compare(['webhook', 'set', id, '--per-second', '7', '--no-notices'])
  await database.query(
    `insert into webhook_deliveries (webhook_id, event_id, msg_key, step, created_at, tries, retry_at, failed_at, http_status, error)
     values ($1, 'x-1', 'x', 1, now(), 3, now(), now(), 500, 'status 500')`,
    [id],
  )
  await compare(['webhook', 'deliveries', id])
  await compare(['webhook', 'replay', id, '--all-since', new Date(Date.now() - 60_000).toISOString()])
  await refusedAlike('webhook', 'replay', id)
  await refusedAlike('webhook', 'show', 'nobody')
  assert.equal((await overHttp('webhook', 'rotate', id, '--json')).exitCode, 0)
  await compare(['webhook', 'show', id])
  const { stdout } = await overHttp('webhook', 'remove', id, '--json')
  assert.deepEqual(JSON.parse(stdout), { webhookId: id, removed: true })
  await compare(['webhook', 'list'])
})

test('account create and set', async () => {
  const settings = [
    '--send-limit',
    '50',
    '--lane',
    'bulk',
    '--erase-after',
    '30',
    '--part-counts',
    '--weight',
    '2',
  ]
  for (const [way, id] of [
    [onDatabase, 'new-1'],
    [overHttp, 'new-2'],
  ] as const) {
    const given = ['account', 'create', '--name', 'New', '--client-id', id, ...settings, ...because, '--json']
    const { exitCode, stdout, stderr } = await way(...given)
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(Object.keys(JSON.parse(stdout) as object), ['clientId', 'password', 'dayCap'])
    const { caps } = JSON.parse((await way('protection', 'show', id, '--json')).stdout) as { caps: unknown }
    assert.deepEqual(caps, [{ class: 'all', period: 'day', max: 10_000, used: 0 }])
  }
  const shown = async (id: string): Promise<object> => {
    const { stdout } = await onDatabase('account', 'show', id, '--json')
    return { ...(JSON.parse(stdout) as object), clientId: '' }
  }
  assert.deepEqual(await shown('new-2'), await shown('new-1'))
  await compare(['account', 'set', 'new-1', '--send-limit', 'default', '--lane', 'by-kind', ...because])
  await compare(['account', 'set', 'new-1', '--erase-after', 'kept', '--smpp-binds', '2', ...because])
  await compare(['account', 'set', 'new-1', '--smpp-system-id', 'NEW1', '--no-polling', '--smpp-replies'])
  await compare(['account', 'set', 'new-1', '--smpp-system-id', 'client-id', '--polling'])
  await refusedAlike('account', 'create', '--name', 'New', '--client-id', 'new-1')
  await refusedAlike('account', 'set', 'new-1', '--send-limit', '70')
  await refusedAlike('account', 'set', 'nobody', '--weight', '1')
})

test('account key add, list, rotate and revoke, password and revoke-tokens', async () => {
  const document = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { exitCode, stdout, stderr } = await overHttp(...args, '--json')
    assert.equal(exitCode, 0, stderr)
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const limited = ['--scopes', 'report,usage', '--days', '90', '--networks', '203.0.113.0/24']
  const { keyId, key, endsAt } = await document(
    'account',
    'key',
    'add',
    'shop',
    '--name',
    'billing',
    ...limited,
  )
  assert.match(String(key), /^postern_/)
  assert.match(String(endsAt), /^\d{4}-/)
  assert.match((await overHttp('account', 'key', 'add', 'shop')).stderr, /--name is missing/)
  await compare(['account', 'key', 'list', 'shop'])
  const rotated = await document('account', 'key', 'rotate', 'shop', String(keyId), '--overlap-hours', '1')
  assert.notEqual(rotated['keyId'], keyId)
  assert.match(String(rotated['previousUntil']), /^\d{4}-/)
  await refusedAlike('account', 'key', 'rotate', 'shop', String(keyId))
  await local('webhook', 'add', '--account', 'shop', '--url', 'https://shop.invalid/a?token=secret')
  await database.query('update webhooks set url_set_by = $1', [rotated['keyId']])
  const revoked = await document('account', 'key', 'revoke', 'shop', String(rotated['keyId']))
  const [{ url, enabled }] = revoked['webhooks'] as [{ url: string; enabled: boolean }]
  assert.ok(url.startsWith('https://shop.invalid/') && !url.includes('secret') && enabled, url)
  await compare(['account', 'key', 'list', 'shop'])
  const { password, previousUntil } = await document(
    ...['account', 'password', 'shop', '--overlap-hours', '0', '--force', '--networks', '10.0.0.0/8'],
  )
  assert.equal(typeof password, 'string')
  assert.equal(previousUntil, null)
  await compare(['account', 'key', 'list', 'shop'])
  await compare(['account', 'revoke-tokens', 'shop'])
  const smpp = await document('account', 'key', 'add', 'bank', '--name', 'binds', '--smpp')
  assert.deepEqual(Object.keys(smpp), ['clientId', 'keyId', 'systemId', 'password', 'endsAt'])
  await refusedAlike('account', 'key', 'list', 'nobody')
  await refusedAlike('account', 'revoke-tokens', 'nobody')
})

test('account erase-recipient', async () => {
  await compare(['account', 'erase-recipient', 'shop', '01099998888', ...because])
  await refusedAlike('account', 'erase-recipient', 'nobody', '01099998888', ...because)
})

test('suppression add, show and remove', async () => {
  const number = '010-4444-0001'
  const of = ['--account', 'shop', ...because]
  await overHttp('suppression', 'add', number, '01044440002', ...of)
  await compare(['suppression', 'add', number, '01044440002', ...of])
  const shown = (await compare(['suppression', 'show', number, ...of])) as { state: string }
  assert.equal(shown.state, 'suppressed')
  await compare(['suppression', 'show', number, ...because])
  await overHttp('suppression', 'remove', number, ...of)
  await compare(['suppression', 'remove', number, ...of])
  await compare(['suppression', 'show', number, ...of])
  await refusedAlike('suppression', 'add', 'nobody', ...of)
  await refusedAlike('suppression', 'add', number, '--account', 'nobody', ...because)
})
