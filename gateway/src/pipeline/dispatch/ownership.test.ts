/** Ownership of partitions by leases: spread over the live workers, moved when one joins, stops, dies or is cut off. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { atEnd } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createProxy } from '../../../test/support/proxy.ts'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import type { QueryConfig } from 'pg'
import type { Queryable } from '../../platform/database.ts'
import { machine } from '../../platform/machine.ts'
import { openLeaseDatabase } from '../../platform/lease-database.ts'
import { Ownership } from './ownership.ts'
import { beat, hasSeenNoJump, listWorkers } from './workers-table.ts'

const { database, url } = await createTestDatabase()
const partitions = 32

/** Which workers run each partition now. More than one at a time is a fault. */
const running = Array.from({ length: partitions }, () => new Set<string>())
let doubled = 0

interface TestWorker {
  readonly name: string
  readonly ownership: Ownership
  connected: boolean
  /** Whether it can consume the queues of its partitions. */
  consuming: boolean
  /** The statements that fail, once each. */
  readonly failing: Set<string>
  count(): number
}

function startWorker(name: string, overUrl = url, renewWithinMs?: number): TestWorker {
  const leases = openLeaseDatabase(overUrl)
  const failing = new Set<string>()
  const database = {
    query: (statement: QueryConfig, values?: unknown[]) =>
      failing.delete(statement.name ?? '')
        ? Promise.reject(new Error('Connection terminated unexpectedly'))
        : leases.query(statement, values),
  } as Queryable
  const start = (partition: number) => {
    const owners = running[partition]!
    owners.add(name)
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
    ownership: new Ownership({
      ...{ database, partitions, start, metrics: testMetrics(), log: quietLog },
      isBrokerConnected: () => worker.connected,
      renewWithinMs,
    }),
    count: () => running.filter((owners) => owners.has(name)).length,
  }
  atEnd(async () => {
    await worker.ownership.stop()
    await leases.end()
  })
  return worker
}

const counts = (...workers: readonly TestWorker[]): number[] => workers.map((worker) => worker.count())

test('partitions are spread over the workers, and follow them when they join, stop, and lose the broker', async () => {
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

  await first.ownership.stop()
  await waitFor('the rest, at once', () => second.count() === partitions, { timeoutMs: 3_000 })
  assert.deepEqual(
    (await listWorkers(database)).map(({ id }) => id),
    [second.ownership.worker.id],
  )
  await second.ownership.stop()
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
  await Promise.all([cutOff.ownership.stop(), next.ownership.stop()])
})

test('the time in which PostgreSQL answers begins again after an outage', async () => {
  const proxy = await createProxy(url)
  const { ownership } = startWorker('interrupted', proxy.url, 2_000)
  assert.equal(ownership.answeringMs, 0, 'before the first answer')
  await waitFor('two seconds of answers', () => ownership.answeringMs > 2_000)
  proxy.block()
  await waitFor('the end of the answers', () => !ownership.renewed, { timeoutMs: 8_000 })
  assert.equal(ownership.answeringMs, 0)
  const reopened = performance.now()
  proxy.unblock()
  await waitFor('an answer', () => ownership.answeringMs > 0, { timeoutMs: 8_000 })
  assert.ok(ownership.answeringMs <= performance.now() - reopened)
  await ownership.stop()
})

test('partitions of a worker that died or is frozen are taken when its lease ends, and not before', async () => {
  await database.query(`insert into workers (id, host) values ('frozen', 'elsewhere:1')`)
  await database.query(
    `insert into dispatch_partitions (partition, worker) select n, 'frozen' from generate_series(0, 15) n
     on conflict (partition) do update set worker = 'frozen'`,
  )
  const started = performance.now()
  const worker = startWorker('alive')
  await waitFor('its own share', () => worker.count() > 0)
  assert.ok(worker.count() <= 16)
  await waitFor('all partitions', () => worker.count() === partitions, { timeoutMs: 10_000 })
  const seconds = (performance.now() - started) / 1000
  assert.ok(seconds > 6.5, `${seconds} s`)
  // It wakes and finds that nothing is its own.
  await database.query(`update workers set seen_at = now() where id = 'frozen'`)
  const { rows } = await database.query(`select from dispatch_partitions where worker = 'frozen'`)
  assert.equal(rows.length, 0)
  await worker.ownership.stop()
})

test('a worker on the same machine is replaced as soon as its process has ended, and not before', async () => {
  const running = spawn('sleep', ['60'])
  await database.query(
    `insert into workers (id, host, seen_at, machine, pid)
     values ('neighbour', 'here', now() + interval '6 seconds', $1, $2),
            ('of another machine', 'there', now() + interval '6 seconds', 'another', 2147483647)`,
    [machine, running.pid],
  )
  await database.query(
    `insert into dispatch_partitions (partition, worker)
     select n, case when n < 8 then 'neighbour' else 'of another machine' end from generate_series(0, 15) n
     on conflict (partition) do update set worker = excluded.worker`,
  )
  const worker = startWorker('beside it')
  await waitFor('what is free', () => worker.count() > 0)
  assert.ok(worker.count() <= 16)
  const ended = once(running, 'exit')
  running.kill('SIGKILL')
  await ended
  const owned = async (id: string): Promise<number> =>
    (await database.query('select from dispatch_partitions where worker = $1', [id])).rowCount!
  await waitFor('the partitions of the dead one', async () => (await owned('neighbour')) === 0, {
    timeoutMs: 4_000,
  })
  assert.equal(await owned('of another machine'), 8)
  assert.equal(doubled, 0)
  await worker.ownership.stop()
})

test('after PostgreSQL moved to a host whose clock is behind, the partitions of a dead worker are taken', async () => {
  await database.query('delete from workers')
  await database.query(
    `insert into workers (id, host, seen_at) values ('ahead', 'elsewhere:2', now() + interval '1 hour')`,
  )
  await database.query(`update dispatch_partitions set worker = 'ahead'`)
  const worker = startWorker('after failover')
  await waitFor('all partitions', () => worker.count() === partitions, { timeoutMs: 5_000 })
  assert.ok((await listWorkers(database)).every(({ id, live }) => live === (id !== 'ahead')))
  await worker.ownership.stop()
})

test('a partition that its worker could not free is freed with a later renewal', async () => {
  const first = startWorker('careless')
  await waitFor('all partitions', () => first.count() === partitions)
  first.failing.add('free-partitions')
  const second = startWorker('joining')
  await waitFor('half of them', () => counts(first, second).every((count) => count === 16), {
    timeoutMs: 6_000,
  })
  assert.equal(first.failing.size, 0, 'the statement has failed')

  // The same while it has no broker: it owns nothing then.
  first.failing.add('free-partitions')
  first.connected = false
  await waitFor('the worker with a broker', () => second.count() === partitions, { timeoutMs: 8_000 })
  await Promise.all([first.ownership.stop(), second.ownership.stop()])
  assert.equal(doubled, 0)
})

test('partitions that a worker of another version leaves free are taken and kept', async () => {
  // It takes none: by its own assignment all of them belong to the others. The row stays live for 13 s.
  await database.query(
    `insert into workers (id, host, seen_at) values ('earlier version', 'elsewhere:4', now() + interval '6 seconds')`,
  )
  const first = startWorker('upgraded')
  await waitFor('all partitions', () => first.count() === partitions, { timeoutMs: 5_000 })
  const second = startWorker('upgraded, too')
  await waitFor(
    'an owner for each',
    () => first.count() + second.count() === partitions && second.count() > 8,
    {
      timeoutMs: 5_000,
    },
  )
  await database.query(`delete from workers where id = 'earlier version'`)
  await waitFor('half of them', () => counts(first, second).every((count) => count === 16), {
    timeoutMs: 4_000,
  })
  await Promise.all([first.ownership.stop(), second.ownership.stop()])
  assert.equal(doubled, 0)
})

test('partitions have owners again after PostgreSQL lost the last changes of their rows', async () => {
  const first = startWorker('earlier')
  await waitFor('all partitions', () => first.count() === partitions)
  const second = startWorker('later')
  await waitFor('half of them', () => counts(first, second).every((count) => count === 16), {
    timeoutMs: 4_000,
  })
  // As a standby that takes over without the last asynchronous commits has them.
  await database.query('update dispatch_partitions set worker = $1', [first.ownership.worker.id])
  const rows = (): Promise<boolean> =>
    database
      .query('select from dispatch_partitions where worker = $1', [second.ownership.worker.id])
      .then(({ rowCount }) => rowCount === 16)
  await waitFor('the rows', rows, { timeoutMs: 6_000 })
  await waitFor('an owner for each', () => counts(first, second).every((count) => count === 16))
  await Promise.all([first.ownership.stop(), second.ownership.stop()])
})

test('a partition whose queue is not consumed any more is stopped and started again', async () => {
  const worker = startWorker('deaf')
  await waitFor('all partitions', () => worker.count() === partitions)
  worker.consuming = false
  await waitFor('the stop', () => worker.count() === 0, { timeoutMs: 13_000 })
  worker.consuming = true
  await waitFor('the start', () => worker.count() === partitions)
  assert.ok(worker.ownership.healthy)
  await worker.ownership.stop()
})

test('a worker learns the oldest receipt of others, also of one that hangs, until the broker has passed it on', async () => {
  const own = { id: 'own', host: 'here:1' }
  const oldest = new Date(Date.now() - 30_000)
  await beat(database, { id: 'peer', host: 'elsewhere:3' }, true, true, oldest)
  const settledThrough = async () => (await beat(database, own, true, true)).othersSettledThrough
  assert.deepEqual(await settledThrough(), oldest)
  await database.query(`update workers set seen_at = now() - interval '9 seconds' where id = 'peer'`)
  assert.deepEqual(await settledThrough(), oldest)
  await database.query(`update workers set seen_at = now() - interval '11 seconds' where id = 'peer'`)
  assert.equal(await settledThrough(), null)
  await database.query(`delete from workers where id in ('peer', 'own')`)
})

test('a jump of the clock is explained by a worker that ran before it and has seen none, and by no other', async () => {
  const jumpedAt = new Date(Date.now() - 60_000)
  const explained = async (agrees: boolean, startedAt: Date): Promise<boolean> => {
    await database.query(
      `insert into workers (id, host, started_at, available, clock_agrees) values ('peer', 'elsewhere:3', $1, false, $2)`,
      [startedAt, agrees],
    )
    const isExplained = await hasSeenNoJump(database, jumpedAt)
    await database.query(`delete from workers where id = 'peer'`)
    return isExplained
  }
  const [before, after] = [new Date(jumpedAt.getTime() - 60_000), new Date(jumpedAt.getTime() + 1_000)]
  assert.equal(await explained(true, before), true)
  assert.equal(await explained(false, before), false, 'it has seen the jump, too: the clock was set')
  assert.equal(
    await explained(true, after),
    false,
    'it started under the new time and cannot have seen a jump',
  )
})
