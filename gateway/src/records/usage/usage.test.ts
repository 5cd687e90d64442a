import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, longStep, recordJobs, smsStep } from '../../../test/support/fixtures.ts'
import { createTestServer, type TestAccount } from '../../../test/support/http/server.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { assertWithin } from '../../../test/support/wait.ts'
import type { Cause } from '../../channels/cause.ts'
import { endSteps } from '../../pipeline/settle/end-steps.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import { inTransaction, openDatabase } from '../../platform/database/database.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { countUsage } from './count.ts'
import { toCsv } from './csv.ts'
import { foldUsage, otherCodes } from './queries.ts'
import { readUsageQuery } from './query.ts'

const { database, url } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology })
const zone = 'Asia/Seoul'

async function close(
  account: TestAccount,
  cause: Cause,
  parts: number,
  job: Partial<AcceptedJob> = {},
): Promise<void> {
  const [key] = await recordJobs(database, [acceptedJob({ accountId: account.id, ...job })])
  const at = new Date()
  for (let step = 1; step <= (job.steps?.length ?? 1); step++) {
    const endedStep = { ...key!, step, cause, parts, sentAt: at, at }
    await inTransaction(database, (transaction) => endSteps(transaction, [endedStep], 60))
  }
}

const usage = async (account: TestAccount, query = ''): Promise<object[]> => {
  const { status, body } = await api.call(account, 'GET', `/v1/usage${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return (body.data as { usage: object[] }).usage
}

test('counts messages, steps and parts by the requested groupings, the same before and after folding', async () => {
  const [account, other] = [await api.account(), await api.account()]
  await close(account, 'delivered', 1)
  await close(account, 'delivered', 1, { paymentCode: 'sales' })
  await close(account, 'phone-off', 2, { steps: [longStep, smsStep], paymentCode: 'sales' })
  await close(account, 'timeout', 1)
  await close(other, 'delivered', 1)
  const readGrouped = async () => [
    await usage(account, '?by='),
    await usage(account, '?by=channel,outcome'),
    await usage(account, '?by=paymentCode'),
    await usage(account, '?by=carrier'),
  ]
  const before = await readGrouped()
  assert.deepEqual(before, [
    [{ messages: 4, steps: 5, parts: 7 }],
    [
      { channel: 'international', outcome: 'failed', messages: 0, steps: 1, parts: 2 },
      { channel: 'sms', outcome: 'delivered', messages: 2, steps: 2, parts: 2 },
      { channel: 'sms', outcome: 'expired', messages: 1, steps: 1, parts: 1 },
      { channel: 'sms', outcome: 'failed', messages: 1, steps: 1, parts: 2 },
    ],
    [
      { paymentCode: '', messages: 2, steps: 2, parts: 2 },
      { paymentCode: 'sales', messages: 2, steps: 3, parts: 5 },
    ],
    [{ carrier: '10000', messages: 4, steps: 5, parts: 7 }],
  ])
  await Promise.all([foldUsage(database, zone, 1_000), foldUsage(database, zone, 1_000)])
  await foldUsage(database, zone, 1_000)
  assert.equal((await database.query('select from usage_deltas')).rowCount, 0)
  assert.deepEqual(await readGrouped(), before)
  await close(account, 'delivered', 1)
  await foldUsage(database, zone, 1_000)
  assert.deepEqual(await usage(account, '?by='), [{ messages: 5, steps: 6, parts: 8 }])
})

test('a message closed twice counts once, and a rolled-back close does not count', async () => {
  const account = await api.account()
  const [key] = await recordJobs(database, [acceptedJob({ accountId: account.id })])
  const at = new Date()
  const end = () =>
    inTransaction(database, (transaction) =>
      endSteps(transaction, [{ ...key!, cause: 'delivered', parts: 1, sentAt: at, at }], 60),
    )
  await assert.rejects(
    inTransaction(database, async (transaction) => {
      await endSteps(transaction, [{ ...key!, cause: 'delivered', parts: 1, sentAt: at, at }], 60)
      throw new Error('killed')
    }),
  )
  await end()
  await end()
  assert.deepEqual(await usage(account, '?by='), [{ messages: 1, steps: 1, parts: 1 }])
})

test('closed messages are counted by combination and quarter of an hour', () => {
  const closed = (at: string) => ({
    msgKey: createMsgKey('00', new Date(at)),
    accountId: 1,
    channel: 'sms',
    carrier: '10000',
    cause: 'delivered' as const,
    parts: 1,
    paymentCode: null,
    last: true,
  })
  const entries = countUsage([
    ...Array.from({ length: 500 }, () => closed('2026-11-15T14:59:59Z')),
    closed('2026-11-15T15:00:00Z'),
  ])
  assert.deepEqual(
    entries.map(({ quarter, messages }) => [quarter.toISOString(), messages]),
    [
      ['2026-11-15T14:45:00.000Z', 500],
      ['2026-11-15T15:00:00.000Z', 1],
    ],
  )
})

test('usage is available as CSV, and no text of a client becomes a formula', async () => {
  const account = await api.account()
  await close(account, 'delivered', 1, { paymentCode: 'a,"b"' })
  const response = await api.server.inject({
    url: '/v1/usage?by=channel,paymentCode',
    headers: { authorization: `Bearer ${account.token}`, accept: 'text/csv' },
  })
  assert.match(response.headers['content-type'] as string, /^text\/csv/)
  assert.equal(response.body, 'channel,paymentCode,messages,steps,parts\r\nsms,"a,""b""",1,1,1\r\n')
  assert.equal(toCsv(['a'], [{ a: '=1+1' }]), "a\r\n'=1+1\r\n")
})

test('rejects an invalid day, too long a range and an unknown grouping', async () => {
  const account = await api.account()
  const wrong = [
    '?from=yesterday',
    '?to=2026-02-30',
    '?from=2026-11-02&to=2026-11-01',
    '?by=colour',
    '?by=day,day',
  ]
  for (const query of [...wrong, '?from=2024-01-01&to=2026-01-01']) {
    const { status, body } = await api.call(account, 'GET', `/v1/usage${query}`)
    assert.deepEqual([status, body.code], [400, 'A300'], query)
  }
  const standard = readUsageQuery({}, zone, new Date('2026-11-14T15:00:00Z'))
  const page = { limit: 10_000, after: null }
  assert.deepEqual(standard, { from: '2026-10-17', to: '2026-11-15', by: ['day'], page })
})

test('an account has a limited number of payment codes per day; others count together', async () => {
  const account = await api.account()
  const codes = ['a', 'b', 'c', 'd', 'e', 'f']
  await close(account, 'delivered', 1)
  for (const code of codes.slice(0, 4)) await close(account, 'delivered', 1, { paymentCode: code })
  await foldUsage(database, zone, 3)
  for (const code of codes) await close(account, 'delivered', 1, { paymentCode: code })
  await close(account, 'phone-off', 1, { paymentCode: 'a' })
  await foldUsage(database, zone, 3)
  const counted = (await usage(account, '?by=paymentCode')) as { paymentCode: string; messages: number }[]
  const byCode = Object.fromEntries(counted.map(({ paymentCode, messages }) => [paymentCode, messages]))
  assert.deepEqual(byCode, { '': 1, a: 3, b: 2, c: 2, [otherCodes]: 4 })
  await foldUsage(database, zone, 3)
  assert.deepEqual(await usage(account, '?by='), [{ messages: 12, steps: 12, parts: 12 }])
})

test('folding keeps up with the messages even if each has its own payment code', async () => {
  const account = await api.account()
  await database.query(
    `insert into usage_deltas
       select now(), $1, 'sms', '', 'delivered', 'order ' || n, 1, 1, 1 from generate_series(1, 20000) as n`,
    [account.id],
  )
  // Workers can use a hash join in maintenance: nested loops compare all pairs of codes.
  const maintenance = openDatabase(url, silentLog, { connections: 1 })
  addCleanup(() => maintenance.end())
  const startedMs = performance.now()
  await foldUsage(maintenance, zone, 1_000)
  assertWithin('the usage', performance.now() - startedMs, 10_000)
  const [sum] = (await usage(account, '?by=')) as { messages: number }[]
  assert.equal(sum!.messages, 20_000)
})

test('usage is returned in pages that have every row once', async () => {
  const account = await api.account()
  for (const paymentCode of ['', 'a', "b'", 'ㄱ', 'z'])
    await close(account, 'delivered', 1, paymentCode === '' ? {} : { paymentCode })
  for (const by of ['paymentCode', 'channel,paymentCode', 'paymentCode,day']) {
    const complete = await usage(account, `?by=${by}`)
    const paged: object[] = []
    let after = ''
    for (let page = 0; page < 10; page++) {
      const { body } = await api.call(account, 'GET', `/v1/usage?by=${by}&limit=2${after}`)
      const data = body.data as { usage: object[]; next?: string }
      assert.ok(data.usage.length <= 2)
      paged.push(...data.usage)
      if (data.next === undefined) break
      after = `&after=${data.next}`
    }
    assert.deepEqual(paged, complete, by)
  }
  for (const query of [
    'limit=0',
    'limit=10001',
    'limit=x',
    'after=x',
    'by=&after=W10',
    'after=WyJcdTAwMDAiXQ',
  ])
    assert.equal((await api.call(account, 'GET', `/v1/usage?${query}`)).status, 400, query)
})
