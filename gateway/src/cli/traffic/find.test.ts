/**
 * Traffic records are found over the admin API as on the database: the newest, by recipient and by sender, and
 * each request is recorded.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { maintainTraffic } from '../../records/traffic/months.ts'
import { insertTraffic } from '../../records/traffic/queries.ts'

const { database, compare, onDatabase, overHttp, as } = await startBothWays()
const [shop, cafe] = [await createAccount(database, 'shop'), await createAccount(database, 'cafe')]
const index = await openEncryption({}).blindIndex(database)
await maintainTraffic(database, 365, new Date('2026-10-10T00:00:00Z'))
const because = ['--reason', 'request 2026-117']

/**
 * One message per minute for 400 minutes, stored in the order of their end, which differs from the order of
 * their keys.
 */
const minutes = Array.from({ length: 400 }, (_, n) => (n * 171) % 400)
await insertTraffic(
  database,
  ['2026-10-01', '2026-10-31', '2026-11-02'].flatMap((day) =>
    minutes.map((minute) => {
      const sentAt = new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000)
      const [accountId, to] =
        minute % 2 === 0 ? ([shop, '01012345678'] as const) : ([cafe, '01099990000'] as const)
      return {
        msgKey: createMsgKey('00', sentAt),
        accountId,
        recipientIndex: index.of(to, accountId),
        sentAt,
        sender: minute % 2 === 0 ? '0212345678' : null,
        channel: 'sms',
        reportCode: '10000',
      }
    }),
  ),
)
const count = (document: unknown): number => (document as { items: unknown[] }).items.length

test('both backends return the same records in the same order', async () => {
  assert.equal(count(await compare(['traffic', 'find', '+82 10-1234-5678', ...because])), 600)
  assert.equal(
    count(await compare(['traffic', 'find', '--sender', '0212345678', '--limit', '301', ...because])),
    301,
  )
  const october = ['--from', '2026-10-31', '--until', '2026-11-01T00:00:00Z']
  assert.equal(count(await compare(['traffic', 'find', '01012345678', ...october, ...because])), 200)
  assert.equal(count(await compare(['traffic', 'find', '01012345678', '--limit', '3', ...because])), 3)
  assert.equal(count(await compare(['traffic', 'find', '01012345678', '--account', 'cafe', ...because])), 0)
  assert.equal(
    count(await compare(['traffic', 'find', '01099990000', '--sender', '0212345678', ...because])),
    0,
  )
})

test('both backends refuse the same invalid input', async () => {
  for (const args of [
    [...because],
    ['01012345678'],
    ['01012345678', '--account', 'nobody', ...because],
    ['01012345678', '--from', 'yesterday', ...because],
    ['01012345678', '--limit', '0', ...because],
  ]) {
    const local = await onDatabase('traffic', 'find', ...args)
    assert.deepEqual(await overHttp('traffic', 'find', ...args), local)
    assert.notEqual(local.exitCode, 0)
  }
})

test('a search requires the right to see numbers, and is recorded with the last digits', async () => {
  const refused = await as('support', 'traffic', 'find', '01012345678', ...because)
  assert.equal(refused.exitCode, 1)
  assert.match(refused.stderr, /lacks the right/)
  const found = await as(
    'operator',
    'traffic',
    'find',
    '01012345678',
    '--account',
    'shop',
    '--limit',
    '1',
    ...because,
  )
  assert.equal(found.exitCode, 0, found.stderr)
  const [row] = await listAudit(database, { action: 'traffic find', limit: 1 })
  const { actor, result, target, account, reason } = row!
  assert.deepEqual(
    [actor, result, target, account, reason],
    ['operator', 'looked', '*******5678', 'shop', 'request 2026-117'],
  )
})

test('ignored characters of a number do not hide it, and a mobile sender is masked', async () => {
  const recorded = async (...args: string[]): Promise<string | null> => {
    assert.equal((await overHttp('traffic', 'find', ...args, ...because)).exitCode, 0)
    const [row] = await listAudit(database, { action: 'traffic find', limit: 1 })
    return row!.target
  }
  assert.equal(await recorded('010.1234.5678....'), '*******5678')
  for (const sender of [
    ...['01012345678', ' 01012345678', '(010)1234-5678', '010.1234.5678....', '０１０–１２３４–５６７８'],
    ...['+821012345678', '821012345678', '00821012345678', '+82 (0)10-1234-5678', '1012345678'],
    ...['tel:+82-10-1234-5678', '010\u200b12345678'],
  ])
    assert.equal(await recorded('--sender', sender), 'from *******5678', sender)
  for (const sender of [
    '0212345678',
    '1588-1234',
    '050101234567',
    '16170001234',
    'key-1',
    'BR.a-01012',
    '4f01a9',
  ])
    assert.equal(await recorded('--sender', sender), `from ${sender}`)
})
