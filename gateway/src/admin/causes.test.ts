/** Causes of stopped traffic on the first screen and on the pages of routes and messages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../test/support/http/admin.ts'
import { acceptedJob, attempt, createAccount, recordJobs } from '../../test/support/fixtures.ts'
import { testRoute } from '../../test/support/routes.ts'
import { waitFor } from '../../test/support/wait.ts'
import { textReportCodes } from '../channels/report-codes.ts'
import { timeDigits } from '../contract/msg-key.ts'
import { inTransaction } from '../platform/database/database.ts'
import { recordAttempts } from '../records/attempts/attempts.ts'
import { insertReports } from '../records/reports/queries.ts'
import { maxCountedWaiting } from '../records/waiting/count-waiting.ts'
import { upsertRoute } from '../carriers/routes/queries.ts'
import type { RouteFailures } from '../operations/routes/failures.ts'
import type { Now } from '../operations/now/figures.ts'
import { readFailures } from '../operations/now/read-failures.ts'

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop-1', { name: 'Harbour Bakery' })
await upsertRoute(database, testRoute('north', { channels: ['sms', 'international'], prefixes: ['+84'] }))

const readNow = (): Promise<Now> => admin.get<Now>('viewer', '/admin/v1/now')

/** Submits messages to the numbers, refused by the carrier or delivered. */
async function submit(prefix: string, count: number, refused: boolean): Promise<string> {
  const jobs = Array.from({ length: count }, (_, nth) =>
    acceptedJob({ accountId: shop, to: `${prefix}${1_000_000 + nth}` }),
  )
  const keys = await recordJobs(database, jobs)
  await recordAttempts(
    database,
    keys.map((key, nth) =>
      attempt(key, {
        recipient: jobs[nth]!.to,
        outcome: refused ? 'refused' : 'accepted',
        ...(refused ? { code: 'smpp:0x0000000b', carrierId: null, cause: 'bad-number' } : {}),
      }),
    ),
  )
  const at = new Date()
  const report = { serviceType: 'SMS', msgType: 'SM', sentAt: at, reportedAt: at, carrier: '10001', parts: 1 }
  const code = refused
    ? { reportCode: '23003', reportText: 'Wrong recipient number' }
    : { reportCode: '10000', reportText: 'Delivered' }
  await inTransaction(database, async (transaction) => {
    await insertReports(
      transaction,
      keys.map(({ msgKey }) => ({ ...report, ...code, msgKey, step: 1, accountId: shop, ref: null })),
    )
    if (!refused)
      await transaction.query(`update attempts set result = 'delivered' where msg_key = any($1)`, [
        keys.map(({ msgKey }) => msgKey),
      ])
  })
  return keys.at(-1)!.msgKey
}

test('a carrier that refuses a range of numbers is reported with range and code', async () => {
  await submit('+8491', 30, false)
  await submit('+8490', 25, true)
  const { codes, sent, failed, delivered } = await admin.get<RouteFailures>(
    'viewer',
    '/admin/v1/routes/north/failures',
  )
  assert.deepEqual({ sent, failed, delivered }, { sent: 55, failed: 25, delivered: 30 })
  const [{ code, text, carrierCode, prefixes }] = codes as [RouteFailures['codes'][number]]
  assert.deepEqual([code, text, carrierCode], ['23003', 'Wrong recipient number', 'smpp:0x0000000b'])
  assert.deepEqual(prefixes, [{ prefix: '+84901', failed: 25, sent: 25 }])
  const now = await readNow()
  const alarm = now.alarms.find(({ id }) => id === 'route-failing')
  assert.match(alarm!.text, /^route north: 25 of 25 messages to numbers that begin with \+84901 failed/)
  assert.equal(alarm!.path, '/admin/v1/routes/north')
  const unknown = await admin.call('viewer', 'GET', '/admin/v1/routes/south/failures')
  assert.equal(unknown.status, 404)
})

test('a message explains for each route whether it serves it, without its number', async () => {
  const [key] = await recordJobs(database, [acceptedJob({ accountId: shop, to: '01012345678' })])
  const path = `/admin/v1/messages/${key!.msgKey}/routes`
  const answer = await admin.get<{ route: string | null; channel: string; routes: { reason: string }[] }>(
    'viewer',
    path,
  )
  assert.deepEqual([answer.route, answer.channel], [null, 'sms'])
  assert.match(answer.routes[0]!.reason, /serves only numbers that begin with \+84/)
  assert.ok(!JSON.stringify(answer).includes('12345678'))
  assert.equal((await admin.call('viewer', 'GET', `${path}?step=2`)).status, 400)
})

test('a failed attempt has no code of a later delivery, and a message counts once', async () => {
  await upsertRoute(database, testRoute('east', { channels: ['sms'] }))
  const [first, second, third] = await recordJobs(
    database,
    Array.from({ length: 3 }, () => acceptedJob({ accountId: shop, to: '01012345678' })),
  )
  const refused = { outcome: 'refused', code: 'smpp:0x00000008', carrierId: null, cause: 'failed' } as const
  await recordAttempts(database, [
    attempt(first!, { routeId: 'east', ...refused }),
    attempt({ ...first!, try: 2 }, { routeId: 'west', carrierId: 'w-1' }),
    attempt(second!, { routeId: 'east', ...refused }),
    attempt({ ...second!, try: 2 }, { routeId: 'east', ...refused }),
    // A refusal by a rule of the gateway counts with the name of the rule.
    attempt(third!, { routeId: 'east', ...refused, code: 'advertisement-quiet-hours' }),
  ])
  const at = new Date()
  const report = { serviceType: 'SMS', msgType: 'SM', sentAt: at, reportedAt: at, carrier: '', parts: 1 }
  await inTransaction(database, (transaction) =>
    insertReports(
      transaction,
      [first!, second!].map(({ msgKey }, nth) => ({
        ...report,
        msgKey,
        step: 1,
        accountId: shop,
        ref: null,
        ...(nth === 0
          ? { reportCode: '10000', reportText: 'Delivered' }
          : { reportCode: '90002', reportText: 'Failed' }),
      })),
    ),
  )
  const { sent, failed, codes } = await admin.get<RouteFailures>('viewer', '/admin/v1/routes/east/failures')
  assert.deepEqual([sent, failed], [2, 2])
  assert.deepEqual(codes.map(({ code, carrierCode, failed: count }) => [code, carrierCode, count]).sort(), [
    [null, 'smpp:0x00000008', 1],
    ['90002', 'smpp:0x00000008', 1],
  ])
})

test('cancelled scheduled messages do not hide messages that no route serves', async () => {
  const unserved = await recordJobs(
    database,
    Array.from({ length: 5 }, () => acceptedJob({ accountId: shop, to: '01012345678' })),
  )
  const later = timeDigits(new Date(Date.now() + 3_600_000))
  const cancelled = Array.from({ length: 2_000 }, (_, nth) => `${later}A0${String(nth).padStart(13, '0')}`)
  const at = new Date()
  const report = { serviceType: 'SMS', msgType: 'SM', sentAt: at, reportedAt: at, carrier: '', parts: 1 }
  const of = (msgKey: string, reportCode: string) => ({
    ...report,
    msgKey,
    reportCode,
    reportText: '',
    step: 1,
    accountId: shop,
    ref: null,
  })
  await inTransaction(database, (transaction) =>
    insertReports(transaction, [
      ...unserved.map(({ msgKey }) => of(msgKey, textReportCodes['no-route'].code)),
      ...cancelled.map((msgKey) => of(msgKey, textReportCodes.cancelled.code)),
    ]),
  )
  const { unserved: found } = await readFailures(database, new Date())
  assert.equal(found, 5)
})

test('an account with a backlog is reported, with the wait of other accounts', async () => {
  const cafe = await createAccount(database, 'cafe-2')
  await database.query(
    `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason)
     select 'waiting-' || n, 1, 1, case when n = 0 then $2::int else $1::int end, 'north', 'normal', 1,
            now() - make_interval(secs => case when n = 0 then 4 else 20 end), 'backlog'
       from generate_series(0, 300) as n
     union all select 'later', 1, 1, $2, '', 'normal', 1, now() + interval '1 hour', 'scheduled'`,
    [shop, cafe],
  )
  const { backlog } = await waitFor(
    'the backlog',
    async () => {
      const now = await readNow()
      return now.backlog.due > 0 ? now : undefined
    },
    { everyMs: 200 },
  )
  assert.equal(backlog.due, 301)
  const [first] = backlog.accounts
  assert.deepEqual([first!.account, first!.name, first!.waiting], ['shop-1', 'Harbour Bakery', 300])
  assert.ok(first!.oldestSeconds >= 20 && backlog.othersSeconds! >= 4 && backlog.othersSeconds! < 15)
})

test('the holder of a lock is reported, even if the lock blocks the figures', async () => {
  const holder = await database.connect()
  try {
    await holder.query(`set application_name = 'monthly-report'; begin; lock table parked in exclusive mode`)
    const waiting = database.query(`update parked set reason = reason where false`)
    const alarm = await waitFor(
      'the alarm',
      async () => (await readNow()).alarms.find(({ id }) => id === 'database-locked'),
      { everyMs: 300, timeoutMs: 30_000 },
    )
    assert.match(
      alarm.text,
      /^PostgreSQL is slow: 1 statement waits for a lock on parked, the first for \d+ s; process \d+ \(monthly-report, user \S+\) holds it$/,
    )
    await holder.query('commit; begin; lock table parked in access exclusive mode')
    await waiting
    const refused = await waitFor(
      'an answer without figures',
      async () => {
        const answer = await admin.call('viewer', 'GET', '/admin/v1/now')
        return answer.status === 503 && answer.body.detail.includes('monthly-report') ? answer : undefined
      },
      { everyMs: 300, timeoutMs: 30_000 },
    )
    assert.match(refused.body.detail, /^PostgreSQL is slow: .* for a lock on parked.*pg_terminate_backend/)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})

test('waiting steps of a route are counted up to a limit, and the page reports more', async () => {
  await upsertRoute(database, testRoute('east', { channels: ['sms'] }))
  const counted = async (): Promise<[number, boolean]> => {
    const { waiting, waitingMore } = await admin.get<{ waiting: number; waitingMore: boolean }>(
      'viewer',
      '/admin/v1/routes/east',
    )
    return [waiting, waitingMore]
  }
  const wait = (from: number, to: number): Promise<unknown> =>
    database.query(
      `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, release_at, reason)
       select 'east/' || n, 1, 1, $1, 'east', 'bulk', 1, now(), 'backlog' from generate_series($2::int, $3::int) n`,
      [shop, from, to],
    )
  await wait(1, maxCountedWaiting)
  assert.deepEqual(await counted(), [maxCountedWaiting, false])
  await wait(maxCountedWaiting + 1, maxCountedWaiting + 2)
  assert.deepEqual(await counted(), [maxCountedWaiting, true])
})
