/**
 * Permissions, advertisements and hours of accounts are shown and changed, and changes refused, in the same way
 * on the database and over the admin API.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { readAccountTrust } from '../../trust/accounts.ts'
import { readAccountAdvertising } from '../../trust/advertising/accounts.ts'
import { readQuietHours } from '../../trust/quiet-hours/settings.ts'

const bed = await startBothWays()
const { database, compare, onDatabase, overHttp, as } = bed
const shop = await createAccount(database, 'shop')
const because = ['--reason', 'a test']
const clear = (table: string) => () => database.query(`delete from ${table}`)

async function refusedAlike(...args: string[]): Promise<string> {
  const [local, remote] = [await onDatabase(...args), await overHttp(...args)]
  assert.deepEqual(remote, local)
  assert.notEqual(local.exitCode, 0)
  return local.stderr
}

/** Checks that every role can show the settings, only admins can change them, and the refusal is recorded. */
async function onlyAdminsChange(show: readonly string[], change: readonly string[]): Promise<void> {
  const shown = await as('viewer', ...show, '--json')
  assert.equal(shown.exitCode, 0, shown.stderr)
  assert.equal(shown.stdout, (await onDatabase(...show, '--json')).stdout)
  const refused = await as('operator', ...change, ...because)
  assert.match(refused.stderr, /lacks the right 'trust'/)
  const [row] = await listAudit(database, { limit: 1 })
  assert.deepEqual(
    [row!.actor, row!.action, row!.result],
    ['operator', change.slice(0, 3).join(' '), 'refused'],
  )
  assert.equal((await onDatabase(...show, '--json')).stdout, shown.stdout)
  assert.match((await overHttp(...change)).stderr, /--reason <\w+> is required/)
  assert.match((await onDatabase(...change)).stderr, /--reason <\w+> is required/)
}

/** Checks that the last four changes, two over each backend, left equal rows. */
async function recordedAlike(action: string, account: string | null): Promise<void> {
  const rows = (await listAudit(database, { limit: 4 })).filter(({ result }) => result === 'done')
  assert.equal(rows.length, 4)
  for (const row of rows)
    assert.deepEqual([row.action, row.account, row.reason, row.actor], [action, account, 'a test', 'admin'])
  assert.equal(new Set(rows.map(({ details, target }) => `${target} ${details}`)).size, 1)
}

test('trust settings of an account are set and shown', async () => {
  const before = clear('account_trust')
  const [show, set] = [
    ['trust', 'account', 'show', 'shop'],
    ['trust', 'account', 'set', 'shop'],
  ]
  await compare(show)
  const change = ['--kind', 'reseller', '--origin-codes', '123456789,987654321', '--sandbox']
  const changed = await compare([...set, ...change, ...because], { before })
  assert.deepEqual(changed, {
    clientId: 'shop',
    kind: 'reseller',
    sandbox: true,
    originCodes: ['123456789', '987654321'],
  })
  await recordedAlike('trust account set', 'shop')
  assert.deepEqual({ clientId: 'shop', ...(await readAccountTrust(database, shop)) }, changed)
  assert.deepEqual(await compare(show), changed)
  // Omitted values are kept.
  const less = await compare([...set, '--origin-codes', 'none', '--no-sandbox', ...because])
  assert.deepEqual(less, { clientId: 'shop', kind: 'reseller', sandbox: false, originCodes: [] })
  await onlyAdminsChange(show, [...set, '--sandbox'])
  await refusedAlike('trust', 'account', 'show', 'nobody')
  await refusedAlike('trust', 'account', 'set', 'nobody', '--sandbox', ...because)
  const codes = Array.from({ length: 21 }, (_one, n) => String(100_000_000 + n)).join(',')
  for (const given of ['12345678', 'x', codes])
    await refusedAlike(...set, '--origin-codes', given, ...because)
})

test('advertisement requirements of an account are set and shown', async () => {
  const before = clear('account_advertising')
  const [show, set] = [
    ['trust', 'advertising', 'show', 'shop'],
    ['trust', 'advertising', 'set', 'shop'],
  ]
  await compare(show)
  const change = ['--names', 'Shop,가게', '--opt-out-numbers', '080-123-4567', '--advertiser']
  const changed = await compare([...set, ...change, ...because], { before })
  assert.deepEqual(changed, {
    clientId: 'shop',
    advertiser: true,
    names: ['Shop', '가게'],
    optOutNumbers: ['0801234567'],
  })
  await recordedAlike('trust advertising set', 'shop')
  assert.deepEqual({ clientId: 'shop', ...(await readAccountAdvertising(database, shop)) }, changed)
  const less = await compare([...set, '--names', 'none', ...because])
  assert.deepEqual(less, { ...(changed as object), names: [] })
  await onlyAdminsChange(show, [...set, '--no-advertiser'])
  await refusedAlike('trust', 'advertising', 'show', 'nobody')
  await refusedAlike('trust', 'advertising', 'set', 'nobody', '--advertiser', ...because)
  for (const [option, given] of [
    ['--opt-out-numbers', '0212345678'],
    ['--names', 'x'.repeat(41)],
    ['--names', Array.from({ length: 21 }, (_one, n) => `n${n}`).join(',')],
    // The character reverses the direction of the following text, so that the name is read as another one.
    ['--names', 'Shop\u202epohS'],
  ] as const)
    await refusedAlike(...set, option, given, ...because)
  assert.match(
    await refusedAlike(...set, '--advertiser', '--reason', 'a\u202etset'),
    /--reason must be 1 to 200 characters/,
  )
})

test('quiet hours are set, listed and removed', async () => {
  const before = clear('quiet_hours')
  const [list, set, remove] = [
    ['trust', 'quiet-hours', 'list'],
    ['trust', 'quiet-hours', 'set'],
    ['trust', 'quiet-hours', 'remove'],
  ]
  const early = ['--night', 'hold', '--closes', '18:00']
  const common = await compare([...set, ...early, ...because], { before })
  assert.deepEqual(common, { account: null, channel: '*', opens: '08:00', closes: '18:00', night: 'hold' })
  await recordedAlike('trust quiet-hours set', null)
  const scope = ['--account', 'shop', '--channel', 'friendtalk']
  // Omitted values keep the value that applied to the account.
  const changed = await compare([...set, ...scope, '--opens', '9:30', ...because])
  assert.deepEqual(changed, {
    account: 'shop',
    channel: 'friendtalk',
    opens: '09:30',
    closes: '18:00',
    night: 'hold',
  })
  const [, stored] = await readQuietHours(database)
  assert.deepEqual(stored, {
    accountId: shop,
    clientId: 'shop',
    channel: 'friendtalk',
    opensAt: 570,
    closesAt: 1_080,
    choice: 'hold',
  })
  assert.deepEqual(await compare(list), { items: [common, changed] })
  assert.deepEqual(await compare([...list, '--account', 'shop']), { items: [changed] })
  await onlyAdminsChange(list, [...set, '--night', 'refuse'])
  await onlyAdminsChange(list, remove)
  await refusedAlike(...list, '--account', 'nobody')
  await refusedAlike(...remove, '--account', 'nobody', ...because)
  for (const args of [
    ['--account', 'nobody', '--night', 'hold'],
    ['--closes', '21:01'],
    ['--opens', '20:00', '--closes', '09:00'],
    // Not after the current closing time.
    ['--account', 'shop', '--channel', 'friendtalk', '--opens', '20:00'],
  ])
    await refusedAlike(...set, ...args, ...because)
  await compare([...remove, ...scope, ...because])
  await recordedAlike('trust quiet-hours remove', 'shop')
  assert.equal((await readQuietHours(database)).length, 1)
})

test('a list of hours of any length is read in pages', async () => {
  const id = await createAccount(database, 'another')
  await database.query(
    `insert into quiet_hours (account_id, channel, opens_at, closes_at, choice)
     select $1 + n, channel, 480, 1200, 'hold' from generate_series(0, 49) n, unnest(array['sms', 'mms', 'rcs', '*', 'friendtalk']) channel`,
    [id],
  )
  const { items } = (await compare(['trust', 'quiet-hours', 'list'])) as { items: unknown[] }
  assert.equal(items.length, 251)
})

test('the admin API refuses invalid or empty changes and names its fields', async () => {
  const refusal = async (path: string, body: object): Promise<string> => {
    const answer = await bed.call('admin', 'PATCH', `/admin/v1/${path}`, { reason: 'a test', ...body })
    assert.equal(answer.body.code, 'invalid-request', JSON.stringify(answer.body))
    return answer.body.detail
  }
  const many = (text: string) => Array.from({ length: 21 }, () => text)
  assert.match(await refusal('accounts/shop/trust', {}), /at least one of kind, sandbox, originCodes/)
  assert.match(await refusal('accounts/shop/trust', { originCodes: many('123456789') }), /'originCodes'/)
  assert.match(await refusal('accounts/shop/trust', { originCodes: ['1-2'] }), /'originCodes/)
  assert.match(await refusal('accounts/shop/advertising', {}), /at least one of advertiser, names/)
  assert.match(await refusal('accounts/shop/advertising', { names: ['a\u202eb'] }), /'names/)
  assert.match(await refusal('accounts/shop/advertising', { names: ['x'.repeat(41)] }), /'names/)
  assert.match(
    await refusal('accounts/shop/advertising', { optOutNumbers: ['02-1234-5678'] }),
    /'optOutNumbers' must be 080 numbers/,
  )
  assert.match(await refusal('quiet-hours', {}), /at least one of opens, closes, night/)
  assert.match(await refusal('quiet-hours', { opens: '07:59' }), /'opens' must be a time from 08:00 to 21:00/)
  assert.match(await refusal('quiet-hours', { channel: 'letter', night: 'hold' }), /'channel'/)
  const wrong = Buffer.from('[99999999999,"*"]').toString('base64url')
  const listed = await bed.call('admin', 'GET', `/admin/v1/quiet-hours?cursor=${wrong}`)
  assert.equal(listed.body.code, 'invalid-request')
})
