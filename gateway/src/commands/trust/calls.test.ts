/** What accounts may do, their advertisements and their hours are shown, changed and refused alike on the database and over the admin API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/both-ways.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../audit/queries.ts'
import { readAccountTrust } from '../../trust/accounts.ts'
import { readAccountAdvertising } from '../../trust/advertising/accounts.ts'
import { readQuietHours } from '../../trust/quiet-hours/settings.ts'

const both = await startBothWays()
const { database, compare, onDatabase, overHttp, as } = both
const shop = await createAccount(database, 'shop')
const because = ['--reason', 'a test']
const clear = (table: string) => () => database.query(`delete from ${table}`)

async function refusedAlike(...args: string[]): Promise<string> {
  const [one, other] = [await onDatabase(...args), await overHttp(...args)]
  assert.deepEqual(other, one)
  assert.notEqual(one.exitCode, 0)
  return one.stderr
}

/** Shown to everybody, changed by admins alone; the refusal is recorded. */
async function onlyAdminsChange(command: readonly string[], change: readonly string[]): Promise<void> {
  const shown = await as('viewer', ...command, '--json')
  assert.equal(shown.exitCode, 0, shown.stderr)
  assert.equal(shown.stdout, (await onDatabase(...command, '--json')).stdout)
  const refused = await as('operator', ...command, ...change, ...because)
  assert.match(refused.stderr, /has the role operator, which may not .* \(right: trust\)/)
  const [row] = await listAudit(database, { limit: 1 })
  assert.deepEqual(
    [row!.actor, row!.action, row!.result],
    ['operator', command.slice(0, 2).join(' '), 'refused'],
  )
  assert.equal((await onDatabase(...command, '--json')).stdout, shown.stdout)
  assert.match((await overHttp(...command, ...change)).stderr, /--reason is missing/)
  assert.match((await onDatabase(...command, ...change)).stderr, /--reason is missing/)
}

/** Of the last change over the admin API and of the one before it, on the database. */
async function recordedAlike(action: string, account: string | null): Promise<void> {
  const rows = (await listAudit(database, { limit: 4 })).filter(({ result }) => result === 'done')
  assert.equal(rows.length, 4)
  for (const row of rows)
    assert.deepEqual([row.action, row.account, row.reason, row.actor], [action, account, 'a test', 'admin'])
  assert.equal(new Set(rows.map(({ details, target }) => `${target} ${details}`)).size, 1)
}

test('trust account', async () => {
  const before = clear('account_trust')
  await compare(['trust', 'account', 'shop'])
  const change = ['--kind', 'reseller', '--origin-codes', '123456789,987654321', '--sandbox']
  const set = await compare(['trust', 'account', 'shop', ...change, ...because], { before })
  assert.deepEqual(set, {
    ...{ clientId: 'shop', kind: 'reseller', sandbox: true },
    originCodes: ['123456789', '987654321'],
  })
  await recordedAlike('trust account', 'shop')
  assert.deepEqual({ clientId: 'shop', ...(await readAccountTrust(database, shop)) }, set)
  assert.deepEqual(await compare(['trust', 'account', 'shop']), set)
  // What is left out stays.
  const less = await compare([
    'trust',
    'account',
    'shop',
    '--origin-codes',
    'none',
    '--no-sandbox',
    ...because,
  ])
  assert.deepEqual(less, { clientId: 'shop', kind: 'reseller', sandbox: false, originCodes: [] })
  await onlyAdminsChange(['trust', 'account', 'shop'], ['--sandbox'])
  await refusedAlike('trust', 'account', 'nobody')
  await refusedAlike('trust', 'account', 'nobody', '--sandbox', ...because)
  const codes = Array.from({ length: 21 }, (_one, n) => String(100_000_000 + n)).join(',')
  for (const given of ['12345678', 'x', codes])
    assert.match(
      await refusedAlike('trust', 'account', 'shop', '--origin-codes', given, ...because),
      /an origin code must be nine digits|--origin-codes must be at most 20/,
    )
})

test('trust advertising', async () => {
  const before = clear('account_advertising')
  await compare(['trust', 'advertising', 'shop'])
  const change = ['--names', 'Shop,가게', '--opt-out-numbers', '080-123-4567', '--advertiser']
  const set = await compare(['trust', 'advertising', 'shop', ...change, ...because], { before })
  assert.deepEqual(set, {
    ...{ clientId: 'shop', advertiser: true, names: ['Shop', '가게'] },
    optOutNumbers: ['0801234567'],
  })
  await recordedAlike('trust advertising', 'shop')
  assert.deepEqual({ clientId: 'shop', ...(await readAccountAdvertising(database, shop)) }, set)
  const less = await compare(['trust', 'advertising', 'shop', '--names', 'none', ...because])
  assert.deepEqual(less, { ...(set as object), names: [] })
  await onlyAdminsChange(['trust', 'advertising', 'shop'], ['--no-advertiser'])
  await refusedAlike('trust', 'advertising', 'nobody')
  await refusedAlike('trust', 'advertising', 'nobody', '--advertiser', ...because)
  for (const [option, given, received] of [
    ['--opt-out-numbers', '0212345678', "'0212345678'"],
    ['--names', 'x'.repeat(41), `'${'x'.repeat(41)}'`],
    ['--names', Array.from({ length: 21 }, (_one, n) => `n${n}`).join(','), '21'],
  ] as const)
    assert.match(
      await refusedAlike('trust', 'advertising', 'shop', option, given, ...because),
      new RegExp(`${option} must .*, not ${received}`),
    )
  // It turns the direction of what follows it: the name is read as another one.
  const turned = ['trust', 'advertising', 'shop', '--names', 'Shop\u202epohS']
  assert.match(await refusedAlike(...turned, ...because), /--names must have .* without control characters/)
  const reason = ['trust', 'advertising', 'shop', '--advertiser', '--reason', 'a\u202etset']
  assert.match(await refusedAlike(...reason), /--reason must be 1 to 200 characters/)
})

test('trust quiet-hours', async () => {
  const before = clear('quiet_hours')
  await compare(['trust', 'quiet-hours'])
  const early = ['--night', 'hold', '--closes', '18:00']
  const all = await compare(['trust', 'quiet-hours', ...early, ...because], { before })
  const hours = { opens: '08:00', closes: '18:00', night: 'hold' }
  assert.deepEqual(all, { quietHours: [{ account: null, channel: '*', ...hours }] })
  await recordedAlike('trust quiet-hours', null)
  const own = ['trust', 'quiet-hours', '--account', 'shop', '--channel', 'friendtalk']
  // What is left out stays as it applied to the account until now.
  const set = await compare([...own, '--opens', '9:30', ...because])
  const changed = { opens: '09:30', closes: '18:00', night: 'hold' }
  assert.deepEqual(set, { quietHours: [{ account: 'shop', channel: 'friendtalk', ...changed }] })
  const [, stored] = await readQuietHours(database)
  assert.deepEqual(stored, {
    ...{ accountId: shop, clientId: 'shop', channel: 'friendtalk' },
    ...{ opensAt: 570, closesAt: 1_080, choice: 'hold' },
  })
  await compare([...own, '--night', 'next-step', ...because])
  await compare(['trust', 'quiet-hours'])
  await compare(['trust', 'quiet-hours', '--account', 'shop'])
  await onlyAdminsChange(['trust', 'quiet-hours'], ['--night', 'refuse'])
  await onlyAdminsChange(['trust', 'quiet-hours'], ['--remove'])
  for (const args of [
    ['--account', 'nobody'],
    ['--account', 'nobody', '--night', 'hold', ...because],
    ['--account', 'nobody', '--remove', ...because],
    ['--remove', '--night', 'hold', ...because],
    ['--closes', '21:01', ...because],
    ['--opens', '20:00', '--closes', '09:00', ...because],
    // Not after what is set.
    ['--account', 'shop', '--channel', 'friendtalk', '--opens', '20:00', ...because],
  ])
    await refusedAlike('trust', 'quiet-hours', ...args)
  assert.deepEqual(await compare([...own, '--remove', ...because]), { quietHours: [] })
  await recordedAlike('trust quiet-hours', 'shop')
  assert.equal((await readQuietHours(database)).length, 1)
})

test('a list of hours is read in pages, as long as it is', async () => {
  const id = await createAccount(database, 'another')
  await database.query(
    `insert into quiet_hours (account_id, channel, opens_at, closes_at, choice)
     select $1 + n, channel, 480, 1200, 'hold' from generate_series(0, 49) n, unnest(array['sms', 'mms', 'rcs', '*', 'friendtalk']) channel`,
    [id],
  )
  const { quietHours } = (await compare(['trust', 'quiet-hours'])) as { quietHours: unknown[] }
  assert.equal(quietHours.length, 251)
})

test('the admin API refuses what is out of bounds or changes nothing, and names its fields', async () => {
  const refusal = async (path: string, body: object): Promise<string> => {
    const answer = await both.call('admin', 'PATCH', `/admin/v1/${path}`, { reason: 'a test', ...body })
    assert.equal(answer.body.code, 'invalid-request', JSON.stringify(answer.body))
    return answer.body.result
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
  const listed = await both.call('admin', 'GET', `/admin/v1/quiet-hours?cursor=${wrong}`)
  assert.equal(listed.body.code, 'invalid-request')
})
