/**
 * `postern account block` with waiting messages: within two seconds no further message of the account reaches
 * a connector, each of its messages has one outcome, and other accounts continue. It runs the API and a whole
 * worker.
 */
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { suite, test } from 'node:test'
import { createTestBroker } from '../../test/support/engines/broker.ts'
import { addCleanup } from '../../test/support/cleanup.ts'
import { runCommand } from '../../test/support/command.ts'
import { createTestDatabase } from '../../test/support/engines/database.ts'
import { readAccountLedger } from '../../test/support/fixtures.ts'
import { createTestServer, type TestAccount } from '../../test/support/http/server.ts'
import { serviceUrl } from '../../test/support/engines/services.ts'
import { createTestRuntime } from '../../test/support/runtime.ts'
import { waitFor } from '../../test/support/wait.ts'
import { upsertRoute } from '../carriers/routes/queries.ts'
import { startWorker } from './worker.ts'

/** Messages of the blocked account; POSTERN_TEST_WAITING=10000 is a large run. */
const waiting = Number(process.env.POSTERN_TEST_WAITING ?? 800)
const { database, url } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const environment = {
  POSTERN_DATABASE_URL: url,
  POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
  POSTERN_TOKEN_SECRET: 'a secret of the tests that is long enough',
}
// Slow, so that most messages wait.
await upsertRoute(database, {
  id: 'texts',
  channels: ['sms'],
  protocol: 'sandbox',
  options: {},
  priority: 100,
  partsPerSecond: 40,
  enabled: true,
})
const worker = await startWorker(createTestRuntime({ database, broker, topology }))
addCleanup(() => worker.drain())
const api = await createTestServer({ database, broker, topology, admit: () => undefined })
const neighbour = await api.account()

const destinations = Array.from({ length: 10 }, (_, n) => ({ to: `0101234567${n}` }))
const messageFlow = [
  { sms: { from: '0234567890', text: 'first' } },
  { sms: { from: '0234567890', text: 'second' } },
]
const inAnHour = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString())

/** Sends messages, half of them scheduled. */
async function send(account: TestAccount, count: number): Promise<string[]> {
  const keys: string[] = []
  const request = async (n: number): Promise<void> => {
    const url = `/v1/send/omni${n % 2 === 0 ? '' : `?sendAt=${inAnHour}`}`
    const { body } = await api.call(account, 'POST', url, { destinations, messageFlow })
    assert.equal(body.code, 'A000', body.result)
    const { destinations: sent } = body.data as { destinations: { msgKey: string }[] }
    keys.push(...sent.map(({ msgKey }) => msgKey))
  }
  for (let n = 0; n < count / 10; n += 20)
    await Promise.all(Array.from({ length: Math.min(20, count / 10 - n) }, (_, m) => request(n + m)))
  return keys
}

const count = async (sql: string, ...values: unknown[]): Promise<number> =>
  (await database.query<{ n: number }>(`select count(*)::int as n from ${sql}`, values)).rows[0]!.n
const recorded = (account: TestAccount, n: number) =>
  waitFor('intake', async () => (await count('messages where account_id = $1', account.id)) === n, {
    timeoutMs: 60_000,
  })
/** Counts submissions of the account that reached the connector, by the time of PostgreSQL. */
const submitted = (account: TestAccount, after = new Date(0)): Promise<number> =>
  count(
    `attempts a join messages m on m.msg_key = a.msg_key
      where m.account_id = $1 and a.outcome <> 'refused' and a.submitted_at > $2`,
    account.id,
    after,
  )
async function command<Json>(...args: string[]): Promise<Json> {
  const { exitCode, stdout, stderr } = await runCommand(environment, ...args, '--json')
  assert.equal(exitCode, 0, stderr)
  return JSON.parse(stdout) as Json
}
const stoppedAt = async (account: TestAccount): Promise<number> =>
  (
    await database.query<{ at: Date }>('select at from account_stops where account_id = $1 order by id', [
      account.id,
    ])
  ).rows
    .at(-1)!
    .at.getTime()

/** A block stops submissions within two seconds in which this process, and so its worker, can run. */
const pauses = monitorEventLoopDelay({ resolution: 20 })
pauses.enable()
const submittedTooLate = async (account: TestAccount): Promise<number> =>
  submitted(account, new Date((await stoppedAt(account)) + 2_000 + pauses.max / 1e6))

interface Blocked {
  readonly closed: number
  readonly held: number
  readonly submitted: number
  readonly open: number
}

suite('a block', () => {
  test('ends waiting messages with one outcome each, and delays no other account', async () => {
    const account = await api.account()
    const keys = await send(account, waiting)
    await recorded(account, waiting)
    await waitFor('its first submissions', async () => (await submitted(account)) > 0)
    const blocking = command<Blocked>(
      'account',
      'block',
      account.clientId,
      '--reason',
      'case 1',
      '--by',
      'kim',
    )
    const theirs = await api.call(neighbour, 'POST', '/v1/send/sms', {
      from: '0234567890',
      to: '01012345678',
      text: 'hello',
    })
    await waitFor("the neighbour's message", async () =>
      count('reports where msg_key = $1', theirs.body.msgKey).then((n) => n === 1),
    )
    const { closed, held, open } = await blocking
    assert.deepEqual([held, open], [0, 0])
    // Nothing else reads the whole table; no index contains the account.
    const scans = await count(`pg_stat_user_tables where relname = 'in_flight' and seq_scan between 1 and 5`)
    assert.equal(scans, 1, 'all open messages are counted a few times only')
    assert.equal(await submittedTooLate(account), 0)
    await waitFor('the outcomes of what was submitted before', async () =>
      count('in_flight where account_id = $1', account.id).then((n) => n === 0),
    )
    assert.equal(await count('waiting where account_id = $1', account.id), 0)
    // Messages that failed as blocked have one report, whatever steps their flow has.
    assert.equal(await count('reports where account_id = $1', account.id), waiting)
    const ended = await count(`reports where account_id = $1 and report_code = '90011'`, account.id)
    assert.ok(closed <= ended && ended >= waiting - (await submitted(account)), `${closed} ${ended}`)
    const ledger = await readAccountLedger(database, account.id)
    assert.deepEqual([ledger.accepted, ledger.final, ledger.gap], [waiting, waiting, 0])

    await api.accounts.refresh()
    assert.equal((await api.call(account, 'GET', '/v1/report/polling')).body.code, 'A110')
    await command('account', 'unblock', account.clientId, '--reason', 'test')
    await api.accounts.refresh()
    const inquiry = await api.call(account, 'GET', `/v1/report/inquiry/${keys.at(-1)!}`)
    const { report } = inquiry.body.data as { report: { reportCode: string }[] }
    assert.deepEqual(
      report.map(({ reportCode }) => reportCode),
      ['90011'],
    )
    const { stops } = await command<{ stops: { reason: string; by: string; endedAt: string | null }[] }>(
      ...['account', 'show', account.clientId],
    )
    assert.deepEqual([stops[0]!.reason, stops[0]!.by, stops[0]!.endedAt === null], ['case 1', 'kim', false])
  })

  test('with --hold stores waiting messages; an unblock sends due ones, another block ends them', async () => {
    const account = await api.account()
    const held = 60
    await send(account, held)
    await recorded(account, held)
    const result = await command<Blocked>(
      'account',
      'block',
      account.clientId,
      '--hold',
      '--reason',
      'leaked key',
    )
    assert.deepEqual([result.closed, result.open], [0, 0])
    assert.ok(result.held >= held / 2, String(result.held))
    assert.equal(await submittedTooLate(account), 0)
    const other = await api.account()
    await send(other, 20)
    await recorded(other, 20)
    await command('account', 'block', other.clientId, '--hold', '--reason', 'leaked key')
    const ended = await command<Blocked>('account', 'block', other.clientId, '--reason', 'spam')
    assert.deepEqual([ended.held, ended.open], [0, 0])
    assert.ok(ended.closed >= 10, String(ended.closed))

    await command('account', 'unblock', account.clientId, '--reason', 'test')
    await waitFor('what was due', async () => (await submitted(account)) === held / 2, { timeoutMs: 20_000 })
    assert.equal(await count(`waiting where account_id = $1 and reason = 'scheduled'`, account.id), held / 2)
  })
})
