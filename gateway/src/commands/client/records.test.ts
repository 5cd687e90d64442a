/** Commands of parked jobs, usage, the ledger and the audit log print the same over the admin API as on the database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/both-ways.ts'
import { acceptedJob, createAccount, recordJobs } from '../../../test/support/fixtures.ts'
import { never } from '../../records/waiting/waiting-step.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'

const { database, compare, onDatabase, overHttp, as } = await startBothWays()
const accountId = await createAccount(database, 'shop')
await recordJobs(database, [acceptedJob({ accountId })])
const because = ['--reason', 'a test']

async function park(stage: 'intake' | 'unreadable', id: number): Promise<void> {
  const job = acceptedJob({ accountId })
  await database.query(
    `insert into parked (id, digest, stage, msg_key, reason, payload, parked_at) overriding system value
     values ($1, $2, $3, $2, 'error 22021', $4, '2026-11-16T00:00:00Z')`,
    [id, job.msgKey, stage, Buffer.from(JSON.stringify(job))],
  )
}

async function refusedAlike(...args: string[]): Promise<void> {
  const [one, other] = [await onDatabase(...args), await overHttp(...args)]
  assert.deepEqual(other, one)
  assert.notEqual(one.exitCode, 0)
}

test('parked list, show, retry and drop', async () => {
  await compare(['parked', 'list'])
  await park('intake', 1_001)
  await park('unreadable', 1_002)
  const { parked } = (await compare(['parked', 'list'])) as { parked: unknown[] }
  assert.equal(parked.length, 2)
  await compare(['parked', 'show', '1001'])
  const shown = await compare(['parked', 'show', '1001', '--reveal', ...because])
  assert.ok(JSON.stringify(shown).includes('Your code is'))
  await database.query('delete from parked where id = 1001')
  const again = { before: () => park('intake', 1_003) }
  await compare(['parked', 'retry', '1003'], again)
  await compare(['parked', 'retry', '--stage', 'intake'], again)
  await compare(['parked', 'retry', '--all'], again)
  await compare(['parked', 'retry', '--stage', 'settle'])
  await refusedAlike('parked', 'show', '9')
  await refusedAlike('parked', 'retry', '9')
  await refusedAlike('parked', 'retry')
  await refusedAlike('parked', 'drop', '9', ...because)
  await refusedAlike('parked', 'drop', '1002')
  for (const [way, id] of [
    [onDatabase, 1_004],
    [overHttp, 1_005],
  ] as const) {
    await park('intake', id)
    const { exitCode, stdout, stderr } = await way('parked', 'drop', String(id), ...because, '--json')
    assert.equal(exitCode, 0, stderr)
    assert.equal((JSON.parse(stdout) as { id: number }).id, id)
  }
})

test('more parked jobs than a page has are listed and retried', async () => {
  await database.query(
    `insert into parked (id, digest, stage, msg_key, reason, payload) overriding system value
     select 2000 + n, 'd' || n, 'unreadable', null, 'many', 'x' from generate_series(1, 450) n`,
  )
  const { parked } = (await compare(['parked', 'list'])) as { parked: unknown[] }
  assert.ok(parked.length > 450)
  const { jobs } = (await compare(['parked', 'retry', '--all'])) as { jobs: unknown[] }
  assert.equal(jobs.length, parked.length)
})

test('usage', async () => {
  await compare(['usage', 'shop'])
  await database.query(
    `insert into usage_days (account_id, day, channel, carrier, outcome, payment_code, messages, steps, parts)
     values ($1, '2026-11-01', 'sms', '10001', 'delivered', '', 3, 4, 5), ($1, '2026-11-02', 'mms', '10002', 'failed', 'p', 1, 1, 1)`,
    [accountId],
  )
  const days = ['--from', '2026-11-01', '--to', '2026-11-30']
  const { usage } = (await compare(['usage', 'shop', ...days])) as { usage: unknown[] }
  assert.equal(usage.length, 2)
  await compare(['usage', 'shop', ...days, '--group-by', 'channel,outcome,paymentCode'])
  await refusedAlike('usage', 'nobody')
  await refusedAlike('usage', 'shop', '--group-by', 'hour')
  await refusedAlike('usage', 'shop', '--from', '2020-01-01', '--to', '2026-11-30')
})

test('ledger, whole, with a gap, and acknowledged', async () => {
  await compare(['ledger'])
  await database.query('delete from in_flight')
  await compare(['ledger'], { exitCode: 1 })
  await compare(['ledger', '--acknowledge'], { exitCode: 1 })
})

test('audit list, show, verify and checkpoint', async () => {
  const { rows } = (await compare(['audit', 'list'])) as { rows: { seq: number }[] }
  assert.ok(rows.length > 5)
  const filters = ['--actor', 'admin', '--action', 'parked', '--since', '2020-01-01T00:00:00Z']
  await compare(['audit', 'list', ...filters, '--limit', '3', '--before', String(rows[0]!.seq)])
  await compare(['audit', 'show', String(rows[0]!.seq)])
  await refusedAlike('audit', 'show', '999999')
  await compare(['audit', 'verify'])
  await compare(['audit', 'checkpoint'])
})

test('worker list, trust list, enable and disable', async () => {
  await compare(['worker', 'list'])
  await database.query(`insert into members (id, role, host) values ('one', 'worker', 'gw-1:1')`)
  // The text has the seconds since the last heartbeat.
  const [one, other] = [
    await onDatabase('worker', 'list', '--json'),
    await overHttp('worker', 'list', '--json'),
  ]
  assert.deepEqual(other, one)
  await compare(['trust', 'list'])
  await compare(['trust', 'enable', 'sender-number-shape', 'sender-number-registered', ...because])
  await compare(['trust', 'list'])
  await compare(['trust', 'disable', 'sender-number-shape', ...because])
  await refusedAlike('trust', 'enable', 'sender-number-shape', 'nothing', ...because)
})

test('held list, release and refuse', async () => {
  const hold = async (): Promise<void> => {
    await database.query('delete from waiting')
    await holdSteps(database, [
      {
        ...{
          msgKey: held.msgKey,
          step: 1,
          try: 1,
          accountId,
          routeId: '',
          lane: 'normal',
          parts: 1,
          tries: 0,
        },
        ...{ releaseAt: never, resumeAt: new Date(), reason: 'rule', rule: 'link-allowed' },
      },
    ])
  }
  const held = acceptedJob({ accountId })
  await recordJobs(database, [held])
  await hold()
  await compare(['held', 'list'])
  await compare(['held', 'list', '--account', 'shop', '--rule', 'link-allowed', '--limit', '1'])
  const unknown = '20261116004512345A17QKX2M8R4ZT0V'
  await compare(['held', 'release', held.msgKey, held.msgKey, unknown, ...because], { before: hold })
  await compare(['held', 'refuse', unknown, ...because])
})

test('a role without the right is refused', async () => {
  const refused = await as('viewer', 'audit', 'list')
  assert.equal(refused.exitCode, 1)
  assert.match(refused.stderr, /\(right: audit\); the roles that may: operator, admin/)
})
