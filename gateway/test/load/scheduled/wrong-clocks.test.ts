/**
 * With real processes on hosts with wrong clocks, keys, tokens, schedules, deadlines and partitions follow
 * PostgreSQL's time. Irreversible work is left to a process whose clock is right.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { AccountClient, type SendResponse } from '../../support/processes/account-client.ts'
import { wrongClock } from '../../support/processes/faketime.ts'
import { createAccount, readLedger } from '../../support/processes/postern-command.ts'
import type { RoleName } from '../../support/processes/gateway.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'

const from = '0234567890'
const dayMs = 86_400_000

test('processes with wrong clocks send, schedule and keep data correctly', async (t) => {
  const base = await TestInstallation.open()
  const database = new pg.Pool({ connectionString: base.databaseUrl, max: 2 })
  let failed = true
  t.after(async () => {
    await database.end()
    await base.close(failed)
  })
  await base.putRoute({ id: 'sandbox', channels: ['sms'] })
  const credentials = await createAccount(base.environment, 'clocks')
  // The oldest day that is kept.
  const oldest = new Date(Date.now() - 29 * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  await database.query(
    `create table messages_${oldest} partition of messages for values from ('${oldest}') to ('${oldest}Z')`,
  )
  const daysOf = async (): Promise<string> => {
    const { rows } = await database.query<{ days: string }>(
      `select string_agg(inhrelid::regclass::text, ' ' order by 1) as days from pg_inherits where inhparent = 'messages'::regclass`,
    )
    return rows[0]!.days
  }
  const daysBefore = await daysOf()

  const start = (role: RoleName, offset: string) =>
    base.startGateway(role, `${role}${offset}`, wrongClock(offset))
  const worker = await start('worker', '+31d')
  const apis = [await start('api', '+31d'), await start('all', '+10m'), await start('all', '-10m')]
  await apis[0]!.untilReady(60_000)
  // Processes that run a worker report that they leave work to other workers, and do everything else.
  for (const gateway of [worker, ...apis.slice(1)])
    await waitFor(
      `${gateway.name} to be ready but for its clock`,
      async () => {
        const failing = Object.entries(await gateway.readiness()).filter(([, works]) => !works)
        return failing.map(([check]) => check).join() === 'clock'
      },
      { timeoutMs: 60_000 },
    )
  for (const [gateway, expected] of [
    [worker, 31 * 86_400] as const,
    [apis[1]!, 600] as const,
    [apis[2]!, -600] as const,
  ])
    await waitFor(`the skew of ${gateway.name}`, async () => {
      return Math.abs((await gateway.metric('postern_clock_skew_seconds')) - expected) < 5
    })

  const clients = apis.map((api) => new AccountClient(api.url, credentials))
  t.after(() => clients.forEach((client) => client.close()))
  const [first] = clients
  const silent: string[] = []
  const scheduled: string[] = []
  for (const client of clients) {
    // Each token is used at another process.
    const { data } = (await client.login()).body
    for (const other of clients)
      assert.equal(
        (await other.call('GET', '/v1/report/polling', undefined, `Bearer ${data!.token}`)).httpStatus,
        200,
      )

    const sent = await client.send('sms', { from, to: '01000000011', text: 'arrives after two seconds' })
    assert.equal(sent.body.code, 'A000')
    const key = sent.body.msgKey!
    const keyTime = Date.parse(
      `${key.slice(0, 4)}-${key.slice(4, 6)}-${key.slice(6, 8)}T${key.slice(8, 10)}:${key.slice(10, 12)}:${key.slice(12, 14)}Z`,
    )
    assert.ok(Math.abs(keyTime - Date.now()) < 10_000, `${key} must begin with the time of PostgreSQL`)

    const code = await client.call<{ data: { destinations: { msgKey: string; code: string }[] } }>(
      'POST',
      '/v1/send/omni',
      JSON.stringify({
        destinations: [{ to: '01000000011' }],
        messageFlow: [{ sms: { from, text: 'a code of three minutes', ttl: '180' } }],
      }),
    )
    assert.equal(code.body.data.destinations[0]!.code, 'A000')
    const short = await client.call<{ data: { destinations: { msgKey: string; code: string }[] } }>(
      'POST',
      '/v1/send/omni',
      JSON.stringify({
        destinations: [{ to: '01000000003' }],
        messageFlow: [{ sms: { from, text: 'never answered', ttl: '3' } }],
      }),
    )
    silent.push(short.body.data.destinations[0]!.msgKey)
    for (const [inMs, accepted] of [
      [3_600_000, true],
      [59 * dayMs, true],
      [-3_600_000, false],
      [61 * dayMs, false],
    ] as const) {
      const sendAt = encodeURIComponent(new Date(Date.now() + inMs).toISOString())
      const response = await client.call<SendResponse>(
        'POST',
        `/v1/send/sms?sendAt=${sendAt}`,
        JSON.stringify({ from, to: '01000000001', text: 'later' }),
      )
      assert.equal(response.body.code, accepted ? 'A000' : 'A300', `in ${inMs} ms`)
      if (accepted) scheduled.push(response.body.msgKey!)
    }
  }

  const reports = new Map<string, string[]>()
  const collect = async (count: number): Promise<void> => {
    await waitFor(
      `${count} reports`,
      async () => {
        const { data } = (await first!.poll()).body
        for (const { msgKey, reportCode } of data?.report ?? [])
          reports.set(msgKey, [...(reports.get(msgKey) ?? []), reportCode])
        if (data !== undefined && data.report.length > 0) await first!.acknowledge(data.reportId)
        return reports.size >= count
      },
      { timeoutMs: 20_000 },
    )
  }
  // Six delivered. The three without a response are past their deadline, and no wrong clock expires them.
  await collect(6)
  await waitFor('the short deadlines to pass', async () => {
    const { rows } = await database.query<{ n: number }>(
      "select count(*)::int as n from in_flight where due_at < now() - interval '2 s'",
    )
    return rows[0]!.n === 3
  })
  assert.deepEqual([...reports.values()].flat(), Array(6).fill('10000'))

  const right = await base.startGateway('worker', 'worker-right')
  await right.untilReady(60_000)
  await collect(9)
  for (const key of silent) assert.deepEqual(reports.get(key), ['22000'])
  assert.equal(reports.size, 9)
  const { rows } = await database.query<{ msg_key: string }>(
    `select msg_key from waiting where reason = 'scheduled' order by 1`,
  )
  assert.deepEqual(
    rows.map((row) => row.msg_key),
    scheduled.toSorted(),
  )
  const later = new Set(scheduled.map((key) => key.slice(0, 8)))
  const daysAfter = (await daysOf()).split(' ')
  for (const day of daysBefore.split(' ')) assert.ok(daysAfter.includes(day), `${day} must be kept`)
  for (const name of daysAfter)
    assert.ok(daysBefore.includes(name) || later.has(name.slice(-8)), `${name} must not be created`)
  const { accepted, final, inFlight, gap } = await readLedger(base.environment)
  assert.deepEqual([accepted, final, inFlight, gap], [15, 9, 6, 0])
  failed = false
})
