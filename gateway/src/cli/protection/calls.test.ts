/**
 * `postern protection` has the same output, effects and errors on the database and over the admin API.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { readProtection } from '../../trust/abuse/protection.ts'

const bed = await startBothWays()
const { database, compare, onDatabase, overHttp, as } = bed
const shop = await createAccount(database, 'shop')
const because = ['--reason', 'a test']
const show = ['protection', 'show', 'shop']
const clear = async (): Promise<void> => {
  await database.query('delete from account_protection')
  await database.query('delete from account_caps')
}

async function getCommonRefusal(...args: string[]): Promise<string> {
  const [local, remote] = [await onDatabase(...args), await overHttp(...args)]
  assert.deepEqual(remote, local)
  assert.notEqual(local.exitCode, 0)
  return local.stderr
}

/** Checks the last four changes, two over each backend. */
async function getCommonAuditDetails(action: string): Promise<string> {
  const rows = await listAudit(database, { limit: 4 })
  for (const row of rows)
    assert.deepEqual(
      [row.action, row.target, row.account, row.reason, row.actor, row.result],
      [action, 'shop', 'shop', 'a test', 'admin', 'done'],
    )
  assert.equal(new Set(rows.map(({ details }) => details)).size, 1)
  return rows[0]!.details
}

test('`protection set` and `show` handle exempt numbers', async () => {
  await compare(show)
  const change = [
    ...['--countries', 'DE,JP', '--on-suspicion', 'hold', '--recipient-per-hour', '7'],
    ...['--prefix-per-10-minutes', '90', '--links', 'listed', '--link-domains', 'shop.kr,가게.kr'],
    ...['--safe-numbers', '01012345678,+4915'],
  ]
  const set = await compare(['protection', 'set', 'shop', ...change, ...because], { before: clear })
  assert.ok(!JSON.stringify(set).includes('01012345678'))
  assert.ok(!(await getCommonAuditDetails('protection set')).includes('01012345678'))
  assert.deepEqual(await compare(show), set)
  const whole = await compare([...show, '--reveal', ...because])
  const [look] = await listAudit(database, { limit: 1 })
  assert.deepEqual([look!.action, look!.result, look!.account], ['protection show', 'looked', 'shop'])
  assert.deepEqual(whole, { clientId: 'shop', ...(await readProtection(database, shop)) })
  assert.deepEqual(whole.safeNumbers, ['01012345678', '+4915'])
  // Omitted values are kept.
  const more = ['--countries', 'all', '--recipient-per-hour', 'none', '--safe-numbers', 'none']
  assert.deepEqual(await compare(['protection', 'set', 'shop', ...more, ...because]), {
    ...(set as object),
    countries: ['*'],
    recipientPerHour: null,
    safeNumbers: [],
  })
})

test('`protection cap` sets a daily and a monthly cap in one change', async () => {
  await clear()
  const cap = ['protection', 'cap', 'shop']
  await compare([...cap, '--day', '100', '--month', '2000', '--class', 'sms', ...because])
  assert.deepEqual(JSON.parse(await getCommonAuditDetails('protection cap')), {
    class: 'sms',
    day: 100,
    month: 2_000,
  })
  await database.query(
    `insert into cap_counts (account_id, class, period, begins, used)
     select $1, 'sms', 'day', (now() at time zone 'Asia/Seoul')::date + d, 12
       from generate_series(-1, 1) d`,
    [shop],
  )
  const { caps } = (await compare(show)) as { caps: unknown }
  assert.deepEqual(caps, [
    { class: 'sms', period: 'day', max: 100, used: 12 },
    { class: 'sms', period: 'month', max: 2_000, used: 0 },
  ])
  await compare([...cap, '--day', '0', '--class', 'US', ...because])
  const left = await compare([...cap, '--day', 'none', '--month', 'none', '--class', 'sms', ...because])
  assert.deepEqual((left as { caps: unknown }).caps, [{ class: 'US', period: 'day', max: 0, used: 0 }])
})

test('a role without the right changes and reveals nothing, which is recorded', async () => {
  const before = (await onDatabase(...show, '--json')).stdout
  const viewed = await as('viewer', ...show, '--json')
  assert.deepEqual([viewed.exitCode, viewed.stdout], [0, before])
  for (const [role, right, args] of [
    ['operator', 'trust', ['protection', 'set', 'shop', '--countries', 'FR']],
    ['operator', 'trust', ['protection', 'cap', 'shop', '--day', '1']],
    ['support', 'reveal', [...show, '--reveal']],
  ] as const) {
    const { exitCode, stdout, stderr } = await as(role, ...args, ...because)
    assert.deepEqual([exitCode, stdout], [1, ''])
    assert.match(stderr, new RegExp(`lacks the right '${right}'`))
    const [row] = await listAudit(database, { limit: 1 })
    assert.deepEqual([row!.actor, row!.action, row!.result], [role, args.slice(0, 2).join(' '), 'refused'])
  }
  assert.equal((await onDatabase(...show, '--json')).stdout, before)
})

test('invalid input is refused with the same error over both backends and changes nothing', async () => {
  const before = await readProtection(database, shop)
  for (const args of [
    ['show', 'nobody'],
    ['show', 'shop', '--reveal'],
    ['set', 'nobody', '--countries', 'DE', ...because],
    ['set', 'shop', ...because],
    ['set', 'shop', '--countries', 'XX', ...because],
    ['set', 'shop', '--link-domains', 'co.kr', ...because],
    [
      'set',
      'shop',
      '--link-domains',
      Array.from({ length: 201 }, (_, n) => `a${n}.kr`).join(','),
      ...because,
    ],
    ['set', 'shop', '--safe-numbers', '12', ...because],
    ['set', 'shop', '--safe-numbers', Array.from({ length: 1_001 }, () => '010').join(','), ...because],
    ['set', 'shop', '--recipient-per-hour', '0', ...because],
    ['cap', 'nobody', '--day', '1', ...because],
    ['cap', 'shop', ...because],
    ['cap', 'shop', '--day', '1', '--class', 'letters', ...because],
    ['cap', 'shop', '--day', '1000000001', ...because],
  ])
    await getCommonRefusal('protection', ...args)
  assert.deepEqual(await readProtection(database, shop), before)
})

test('the admin API refuses values out of range and names their fields', async () => {
  const refusal = async (method: 'PATCH' | 'POST', path: string, body: object): Promise<string> => {
    const url = `/admin/v1/accounts/shop/${path}`
    const answer = await bed.call('admin', method, url, { reason: 'a test', ...body })
    assert.equal(answer.body.code, 'invalid-request', JSON.stringify(answer.body))
    return answer.body.detail
  }
  for (const [body, expected] of [
    [{}, /at least one of countries, onSuspicion/],
    [{ countries: ['XX'] }, /'countries' must be ISO codes/],
    [{ countries: Array.from({ length: 301 }, () => 'DE') }, /'countries'/],
    [{ linkDomains: ['co.kr'] }, /'linkDomains' must be domains/],
    [{ safeNumbers: ['x1234'] }, /'safeNumbers' must be numbers/],
    [{ safeNumbers: Array.from({ length: 1_001 }, () => '010') }, /'safeNumbers'/],
    [{ recipientPerHour: 0 }, /'recipientPerHour'/],
    [{ links: 'none' }, /'links'/],
  ] as const)
    assert.match(await refusal('PATCH', 'protection', body), expected)
  assert.match(await refusal('POST', 'cap', { class: 'sms' }), /daily or monthly cap is required/)
  assert.match(await refusal('POST', 'cap', { class: 'letters', day: 1 }), /'class' must be/)
  assert.match(await refusal('POST', 'cap', { class: 'sms', day: -1 }), /'day'/)
})

test('a long list does not hide other changes from the audit log', async () => {
  await clear()
  const linkDomains = Array.from({ length: 200 }, (_, n) => `${String(n).padStart(83, 'a')}.kr`)
  const change = { countries: ['*'], linkDomains, reason: 'a test' }
  const answer = await bed.call('admin', 'PATCH', '/admin/v1/accounts/shop/protection', change)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const [row] = await listAudit(database, { limit: 1 })
  assert.deepEqual(JSON.parse(row!.details), {
    countries: { from: [], to: ['*'] },
    linkDomains: { from: [], to: { omittedCharacters: JSON.stringify(linkDomains).length } },
  })
})

test('the longest allowed lists are set over both backends', async () => {
  const fill = (count: number, length: number, of: (n: string) => string): string[] =>
    Array.from({ length: count }, (_, n) => of(String(n).padStart(length, '0')))
  const labels = Array.from({ length: 3 }, () => 'a'.repeat(61)).join('.')
  const domains = fill(200, 64, (n) => `${n}.${labels}.kr`)
  assert.equal(domains[0]!.length, 253)
  const numbers = fill(1_000, 13, (n) => `+49${n}`)
  const lists = ['--link-domains', domains.join(','), '--safe-numbers', numbers.join(',')]
  await compare(['protection', 'set', 'shop', ...lists, ...because], { before: clear })
  const { linkDomains, safeNumbers } = await readProtection(database, shop)
  assert.deepEqual([linkDomains, safeNumbers], [domains, numbers])
})
