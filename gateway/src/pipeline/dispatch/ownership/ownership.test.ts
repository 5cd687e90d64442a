import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { createProxy } from '../../../../test/support/engines/proxy.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { QueryConfig } from 'pg'
import type { Queryable } from '../../../platform/database/database.ts'
import { machine } from '../../../platform/machine.ts'
import { Membership } from '../../../platform/membership/membership.ts'
import { listWorkers, openHeartbeatDatabase } from '../../../platform/membership/tables.ts'
import { Ownership } from './ownership.ts'

const { database, url } = await createTestDatabase()
const partitions = 32

/** Workers that run each partition now; more than one at a time is a fault. */
const running = Array.from({ length: partitions }, () => new Set<string>())
let doubled = 0

interface TestWorker {
  readonly name: string
  readonly ownership: Ownership
  readonly membership: Membership
  connected: boolean
  consuming: boolean
  /** The statements that fail, once each. */
  readonly failing: Set<string>
  /** The process stands still for this long when the next heartbeat was stored. */
  frozenMs: number
  starts: number
  count(): number
  stop(): Promise<void>
}

function startWorker(name: string, databaseUrl = url): TestWorker {
  const pool = openHeartbeatDatabase(databaseUrl)
  const failing = new Set<string>()
  const database = {
    async query(statement: QueryConfig, values?: unknown[]) {
      if (failing.delete(statement.name ?? '')) throw new Error('Connection terminated unexpectedly')
      const result = await pool.query(statement, values)
      if (statement.name === 'member-heartbeat' && worker.frozenMs > 0) {
        const until = performance.now() + worker.frozenMs
        worker.frozenMs = 0
        while (performance.now() < until);
      }
      return result
    },
  } as Queryable
  const membership = new Membership({ heartbeats: database, database, role: 'worker', log: silentLog })
  const start = (partition: number) => {
    const owners = running[partition]!
    owners.add(name)
    worker.starts++
    if (owners.size > 1) doubled++
    return {
      get active() {
        return worker.consuming
      },
      stop: () => {
        owners.delete(name)
        return Promise.resolve()
      },
      drained: () => Promise.resolve(),
    }
  }
  const worker: TestWorker = {
    name,
    connected: true,
    consuming: true,
    failing,
    frozenMs: 0,
    starts: 0,
    membership,
    ownership: new Ownership({
      membership,
      partitions,
      isBrokerConnected: () => worker.connected,
      start,
      metrics: testMetrics(),
      log: silentLog,
    }),
    count: () => running.filter((owners) => owners.has(name)).length,
    async stop() {
      await worker.ownership.stop()
      await membership.leave()
    },
  }
  addCleanup(async () => {
    if (membership.state !== 'leaving') await worker.stop()
    await pool.end()
  })
  return worker
}

async function addMember(
  id: string,
  {
    seenIn = '0 s',
    machine: at = null,
    pid = null,
  }: { readonly seenIn?: string; readonly machine?: string | null; readonly pid?: number | null } = {},
): Promise<void> {
  await database.query(
    `insert into members (id, role, host, seen_at, machine, pid)
     values ($1, 'worker', 'elsewhere:1', now() + $2::interval, $3, $4)`,
    [id, seenIn, at, pid],
  )
}

async function insertOwned(member: string, from: number, to: number): Promise<void> {
  await database.query(
    `insert into owned (kind, key, member) select 'partition', n::text, $1 from generate_series($2::int, $3) n`,
    [member, from, to],
  )
}

const owned = async (member: string): Promise<number> =>
  (await database.query('select from owned where member = $1', [member])).rowCount!

const counts = (...workers: readonly TestWorker[]): number[] => workers.map((worker) => worker.count())

test('partitions are redistributed when workers join, stop or lose the broker', async () => {
  const first = startWorker('first')
  await waitFor('all partitions', () => first.count() === partitions)
  const second = startWorker('second')
  await waitFor('half of them', () => counts(first, second).every((count) => count === 16), {
    timeoutMs: 4_000,
  })
  assert.ok(first.ownership.healthy && second.ownership.healthy)

  first.connected = false
  await waitFor('the worker with a broker', () => second.count() === partitions, { timeoutMs: 6_000 })
  first.connected = true
  await waitFor('half of them again', () => first.count() === 16, { timeoutMs: 4_000 })

  await first.stop()
  await waitFor('the rest', () => second.count() === partitions, { timeoutMs: 3_000 })
  assert.deepEqual(
    (await listWorkers(database)).map(({ id }) => id),
    [second.membership.id],
  )
  await second.stop()
  assert.equal(doubled, 0, 'no partition ran twice')
})

test('a worker that is cut off from PostgreSQL stops before another takes its partitions', async () => {
  const proxy = await createProxy(url)
  const cutOff = startWorker('cut-off', proxy.url)
  await waitFor('all partitions', () => cutOff.count() === partitions)
  proxy.mute()
  const muted = performance.now()
  const next = startWorker('next')
  await waitFor('the next worker', () => next.count() === partitions, { timeoutMs: 10_000 })
  const seconds = (performance.now() - muted) / 1000
  assert.ok(seconds > 5, `${seconds} s`)
  assert.equal(cutOff.count(), 0)
  assert.equal(cutOff.ownership.healthy, false)
  assert.equal(doubled, 0, 'no partition ran twice')
  proxy.unmute()
  await waitFor('both to own half', () => counts(cutOff, next).every((count) => count === 16), {
    timeoutMs: 8_000,
  })
  assert.equal(doubled, 0)
  await Promise.all([cutOff.stop(), next.stop()])
})

test('a worker that stood still for less than five seconds keeps its partitions', async () => {
  const worker = startWorker('slow')
  await waitFor('all partitions', () => worker.count() === partitions)
  worker.frozenMs = 2_500
  await waitFor('the pause', () => worker.frozenMs === 0)
  const { starts } = worker
  await waitFor('the next heartbeats', () => worker.membership.respondingMs > 5_000, { timeoutMs: 10_000 })
  assert.deepEqual([worker.count(), worker.starts], [partitions, starts])
  await worker.stop()
})

test('partitions of a dead or frozen worker move after seven seconds, not before', async () => {
  await addMember('frozen')
  await insertOwned('frozen', 0, 15)
  const started = performance.now()
  const worker = startWorker('alive')
  await waitFor('its own partitions', () => worker.count() > 0)
  assert.ok(worker.count() <= 16)
  await waitFor('all partitions', () => worker.count() === partitions, { timeoutMs: 10_000 })
  const seconds = (performance.now() - started) / 1000
  assert.ok(seconds > 6.5, `${seconds} s`)
  // The frozen worker wakes and detects that it owns nothing.
  await database.query(`update members set seen_at = now() where id = 'frozen'`)
  assert.equal(await owned('frozen'), 0)
  await worker.stop()
})

test('a worker on the same machine is replaced as soon as its process has ended, and not before', async () => {
  const sleeping = spawn('sleep', ['60'])
  await addMember('neighbour', { seenIn: '6 s', machine, pid: sleeping.pid! })
  await addMember('of another machine', { seenIn: '6 s', machine: 'another', pid: 2_147_483_647 })
  await insertOwned('neighbour', 0, 7)
  await insertOwned('of another machine', 8, 15)
  const worker = startWorker('next to it')
  await waitFor('what is free', () => worker.count() > 0)
  assert.ok(worker.count() <= 16)
  const ended = once(sleeping, 'exit')
  sleeping.kill('SIGKILL')
  await ended
  await waitFor('the partitions of the dead one', async () => (await owned('neighbour')) === 0, {
    timeoutMs: 4_000,
  })
  assert.equal(await owned('of another machine'), 8)
  assert.equal(doubled, 0)
  await worker.stop()
})

test("partitions of a dead worker move even after PostgreSQL's clock was set back", async () => {
  await database.query('delete from members')
  await addMember('ahead', { seenIn: '1 hour' })
  await insertOwned('ahead', 0, 31)
  const worker = startWorker('after failover')
  await waitFor('all partitions', () => worker.count() === partitions, { timeoutMs: 5_000 })
  assert.ok((await listWorkers(database)).every(({ id, live }) => live === (id !== 'ahead')))
  await worker.stop()
})

test('a partition that its worker could not free is freed with a later renewal', async () => {
  const first = startWorker('careless')
  await waitFor('all partitions', () => first.count() === partitions)
  first.failing.add('release-owned')
  const second = startWorker('joining')
  await waitFor('half of them', () => counts(first, second).every((count) => count === 16), {
    timeoutMs: 6_000,
  })
  assert.equal(first.failing.size, 0, 'the statement has failed')

  // A worker without a broker owns nothing.
  first.failing.add('release-owned')
  first.connected = false
  await waitFor('the worker with a broker', () => second.count() === partitions, { timeoutMs: 8_000 })
  await Promise.all([first.stop(), second.stop()])
  assert.equal(doubled, 0)
})

test('partitions have owners again after PostgreSQL lost the last changes of their rows', async () => {
  const first = startWorker('earlier')
  await waitFor('all partitions', () => first.count() === partitions)
  const second = startWorker('later')
  await waitFor('half of them', () => counts(first, second).every((count) => count === 16), {
    timeoutMs: 4_000,
  })
  // A standby that takes over without the last asynchronous commits has such rows.
  await database.query('update owned set member = $1', [first.membership.id])
  const hasClaimed = async (): Promise<boolean> => (await owned(second.membership.id)) === 16
  await waitFor('the rows of the second worker', hasClaimed, { timeoutMs: 6_000 })
  await waitFor('an owner for each', () => counts(first, second).every((count) => count === 16))
  await Promise.all([first.stop(), second.stop()])
})

test('a partition whose queue is no longer consumed is restarted', async () => {
  const worker = startWorker('deaf')
  await waitFor('all partitions', () => worker.count() === partitions)
  worker.consuming = false
  await waitFor('the stop', () => worker.count() === 0, { timeoutMs: 13_000 })
  worker.consuming = true
  await waitFor('the start', () => worker.count() === partitions)
  assert.ok(worker.ownership.healthy)
  await worker.stop()
})
