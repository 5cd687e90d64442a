import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createEmptyDatabase, createTestDatabase } from '../../test/support/engines/database.ts'
import { freezeDuring } from '../../test/support/pipeline/freeze.ts'
import { acceptedJob, recordOne } from '../../test/support/fixtures.ts'
import { assertWithin, waitFor } from '../../test/support/wait.ts'
import { clock } from '../platform/time/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { toKeyDay, ensureDay, ensureScheduledDay, maintainPartitions } from './partitions.ts'

const tables = ['messages', 'attempts', 'reports']
// The database already has the partitions of today.
const { database, url } = await createTestDatabase()
const now = new Date()

async function daysOf(table: string, of: Database = database): Promise<string[]> {
  const result = await of.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = $1::regclass and not i.inhdetachpending order by 1`,
    [table],
  )
  return result.rows.map(({ name }) => name.slice(table.length + 1))
}

const days = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => toKeyDay(now, from + index))

async function addPartition(table: string, offset: number): Promise<string> {
  const name = `${table}_${toKeyDay(now, offset)}`
  await database.query(
    `create table ${name} partition of ${table} for values from ('${toKeyDay(now, offset)}') to ('${toKeyDay(now, offset + 1)}')`,
  )
  return name
}

async function exists(name: string): Promise<boolean> {
  return (await database.query('select from pg_class where relname = $1', [name])).rowCount === 1
}

test('creates the partitions of yesterday, today and tomorrow, once, while others read the tables', async () => {
  const { database: fresh } = await createEmptyDatabase()
  await migrate(fresh)
  const reader = await fresh.connect()
  await reader.query('begin')
  await reader.query('select count(*) from messages')
  // Three workers start concurrently: one does it, the others leave it to that one.
  await Promise.all([1, 2, 3].map(() => maintainPartitions(fresh, 30, now)))
  await reader.query('rollback')
  reader.release()
  await maintainPartitions(fresh, 30, now)
  for (const table of tables) assert.deepEqual(await daysOf(table, fresh), days(-1, 1))
})

test('a day of scheduled messages gets its attempts partition even after an idle period', async () => {
  const { database: fresh } = await createEmptyDatabase()
  await migrate(fresh)
  const dayMs = 86_400_000
  const at = (offset: number): Date => new Date(now.getTime() + offset * dayMs)
  await maintainPartitions(fresh, 30, now)
  for (const offset of [1, 2, 5, 9, 60]) await ensureScheduledDay(fresh, at(offset), now)
  assert.deepEqual(await daysOf('attempts', fresh), days(-1, 1), 'a receipt is compared with these days only')
  for (const table of ['messages', 'reports'])
    assert.deepEqual(await daysOf(table, fresh), [...days(-1, 2), ...[5, 9, 60].map((n) => toKeyDay(now, n))])
  await maintainPartitions(fresh, 30, at(1))
  assert.deepEqual(await daysOf('attempts', fresh), days(-1, 2))
  // No worker ran on the days 3 to 11.
  await maintainPartitions(fresh, 30, at(12))
  const expected = [...days(-1, 2), toKeyDay(now, 5), toKeyDay(now, 9), ...days(11, 13)]
  assert.deepEqual(await daysOf('attempts', fresh), expected)
})

test('drops partitions past retention and no others', async () => {
  for (const table of tables) for (const offset of [-60, -31, -30]) await addPartition(table, offset)
  await maintainPartitions(database, 30, now)
  for (const table of tables) {
    assert.deepEqual(await daysOf(table), [toKeyDay(now, -30), ...days(-1, 1)])
    assert.equal(await exists(`${table}_${toKeyDay(now, -31)}`), false, 'the table itself is dropped')
  }
})

suite('a day past retention that is still used', () => {
  const dayMs = 86_400_000
  const insertReport = async (key: string, accountId: number, createdAt: Date): Promise<void> => {
    await database.query(
      `insert into reports (msg_key, step, account_id, seq, service_type, msg_type, sent_at, reported_at, report_code,
                            report_text, carrier, parts, created_at)
       values ($1, 1, $2, 1, 'SMS', 'SM', $3, $3, '10000', 'Delivered', '', 1, $3)`,
      [key, accountId, createdAt],
    )
  }

  test('keeps its reports until the last of them is as old as the retention', async () => {
    const account = await database.query<{ id: number }>(
      `insert into accounts (client_id, name) values ('late', 'late') returning id`,
    )
    const { id } = account.rows[0]!
    for (const offset of [-33, -32]) for (const table of tables) await addPartition(table, offset)
    const written = new Date(now.getTime() - 30 * dayMs + 60_000)
    await insertReport(`${toKeyDay(now, -33)}LATE`, id, written)
    await insertReport(`${toKeyDay(now, -32)}EARLY`, id, new Date(now.getTime() - 30 * dayMs - 60_000))
    await maintainPartitions(database, 30, now)
    const listPartitionDays = async (): Promise<string[]> =>
      (await daysOf('reports')).filter((day) => day < toKeyDay(now, -30))
    assert.deepEqual(
      await listPartitionDays(),
      [toKeyDay(now, -33)],
      'its report is a minute younger than the retention',
    )
    for (const table of ['messages', 'attempts'])
      assert.ok(!(await daysOf(table)).includes(toKeyDay(now, -33)), table)
    await maintainPartitions(database, 30, new Date(written.getTime() + 30 * dayMs))
    assert.deepEqual(await listPartitionDays(), [])
  })

  test('keeps all its partitions while one of its messages is open', async () => {
    for (const table of tables) await addPartition(table, -34)
    const { msgKey } = await recordOne(database, {
      msgKey: acceptedJob().msgKey.replace(/^.{8}/, toKeyDay(now, -34)),
    })
    await maintainPartitions(database, 30, now)
    for (const table of tables) assert.ok((await daysOf(table)).includes(toKeyDay(now, -34)), table)
    await database.query('delete from in_flight where msg_key = $1', [msgKey])
    await maintainPartitions(database, 30, now)
    for (const table of tables) assert.ok(!(await daysOf(table)).includes(toKeyDay(now, -34)), table)
  })
})

test("a process whose host's clock disagrees with PostgreSQL's creates days and drops none", async (t) => {
  const { database: fresh } = await createEmptyDatabase()
  await migrate(fresh)
  await ensureDay(fresh, new Date(now.getTime() - 40 * 86_400_000))
  const { maxSkewMs } = clock
  t.after(() => (clock.maxSkewMs = maxSkewMs))
  clock.maxSkewMs = -1
  await maintainPartitions(fresh, 30, now)
  for (const table of tables)
    assert.deepEqual(await daysOf(table, fresh), [toKeyDay(now, -40), ...days(-1, 1)])
  clock.maxSkewMs = maxSkewMs
  await maintainPartitions(fresh, 30, now)
  for (const table of tables) assert.deepEqual(await daysOf(table, fresh), days(-1, 1))
})

test('many days past retention are dropped only when an operator confirms it', async () => {
  const { database: fresh } = await createEmptyDatabase()
  await migrate(fresh)
  const at = (offset: number): Date => new Date(now.getTime() + offset * 86_400_000)
  for (let offset = -30; offset <= -23; offset++) await ensureDay(fresh, at(offset))
  const before = await daysOf('messages', fresh)
  // PostgreSQL's clock and the host's were ahead when the process started.
  const { unconfirmed } = await maintainPartitions(fresh, 30, at(31))
  assert.deepEqual(unconfirmed, days(-30, -23))
  const closed = await fresh.query<{ name: string }>(
    `select relname as name from pg_class where relname ~ '^messages_' and 'autovacuum_freeze_min_age=0' = any (reloptions) order by 1`,
  )
  assert.deepEqual(
    closed.rows.map(({ name }) => name.slice(-8)),
    days(-30, -23),
    'days are closed whether or not others can be dropped',
  )
  assert.deepEqual((await daysOf('messages', fresh)).slice(0, before.length), before)
  // Days that pass one after another, and a weekend.
  for (const offset of [1, 2, 5]) await maintainPartitions(fresh, 30, at(offset))
  assert.equal((await daysOf('messages', fresh))[0], toKeyDay(now, -25))
  assert.deepEqual(await maintainPartitions(fresh, 30, at(31), { confirmed: true }), { unconfirmed: [] })
  for (const table of tables) assert.equal((await daysOf(table, fresh))[0], toKeyDay(now, 1))
})

for (const statements of [1, 2, 3]) {
  test(`a process stopped after statement ${statements} of partition maintenance blocks no other process`, async () => {
    const past = await addPartition('messages', -50)
    const frozen = [
      await freezeDuring('make a day', url, statements),
      await freezeDuring('drop days', url, statements),
    ]
    // The same day, and another one.
    for (const day of ['2031-02-03', `2031-03-0${statements}`]) {
      const started = performance.now()
      await ensureDay(database, new Date(day))
      assertWithin('the day', performance.now() - started, 10_000)
      for (const table of tables) assert.ok((await daysOf(table)).includes(day.replaceAll('-', '')))
    }
    for (const process of frozen) process.kill()
    await maintainPartitions(database, 30, now)
    assert.equal(await exists(past), false, 'the next process finishes what it began')
  })
}

test('a transaction that reads delays the drop of an old day, and nothing else', async () => {
  const name = await addPartition('messages', -42)
  const reader = await database.connect()
  await reader.query('begin')
  await reader.query('select count(*) from messages')
  const dropping = maintainPartitions(database, 30, now)
  const refused = database.query(`select drop_day('${name.slice(9)}', 'messages')`)
  await assert.rejects(refused, { code: '55P03' }, 'it waits for its lock for 100 ms only')
  await database.query('select from messages limit 1')
  await ensureDay(database, new Date('2031-04-01'))
  assert.ok((await daysOf('messages')).includes('20310401'))
  assert.ok(await exists(name))
  await reader.query('rollback')
  reader.release()
  await dropping
  assert.equal(await exists(name), false)
})

test('processes that drop the same days concurrently leave nothing behind and affect no other day', async () => {
  for (const offset of [-43, -44]) await addPartition('messages', offset)
  await Promise.allSettled([1, 2, 3].map(() => maintainPartitions(database, 30, now)))
  await maintainPartitions(database, 30, now)
  for (const offset of [-43, -44]) assert.equal(await exists(`messages_${toKeyDay(now, offset)}`), false)
  for (const day of days(-1, 1)) assert.ok((await daysOf('messages')).includes(day))
})

test('keeps the last millisecond of a day and the first of the next apart', async () => {
  const midnight = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`)
  for (const acceptedAt of [midnight - 1, midnight]) await recordOne(database, { acceptedAt })
  for (const day of [toKeyDay(now, -1), toKeyDay(now)]) {
    const result = await database.query<{ msg_key: string }>(`select msg_key from messages_${day}`)
    assert.equal(result.rowCount, 1)
    assert.equal(result.rows[0]!.msg_key.slice(0, 8), day)
  }
})

test('a past day is frozen once, but not yesterday', async () => {
  const { database: fresh } = await createEmptyDatabase()
  await migrate(fresh)
  const day = new Date(now.getTime() - 3 * 86_400_000)
  await ensureDay(fresh, day)
  const read = async (name: string): Promise<{ frozen: string; options: readonly string[] | null }> => {
    const { rows } = await fresh.query<{ frozen: string; options: readonly string[] | null }>(
      'select relfrozenxid::text as frozen, reloptions as options from pg_class where relname = $1',
      [name],
    )
    return rows[0]!
  }
  const name = `messages_${toKeyDay(day)}`
  const before = await read(name)
  await fresh.query(
    `insert into messages (msg_key, account_id, recipient, flow, accepted_at) values ($1, 1, '', '[]', now())`,
    [`${toKeyDay(day)}0001`],
  )
  await withFrequentAutovacuum(async () => {
    await maintainPartitions(fresh, 30, now)
    await waitFor('autovacuum to freeze the day', async () => (await read(name)).frozen !== before.frozen, {
      timeoutMs: 60_000,
    })
  })
  const closed = await read(name)
  assert.ok(closed.options!.includes('autovacuum_freeze_min_age=0'))
  await maintainPartitions(fresh, 30, now)
  assert.deepEqual(await read(name), closed)
  assert.deepEqual((await read(`messages_${toKeyDay(now, -1)}`)).options, ['fillfactor=100'])
})

/** Autovacuum visits a database once per minute by default; while `work` runs, it does so every second. */
async function withFrequentAutovacuum(work: () => Promise<void>): Promise<void> {
  const set = async (statement: string): Promise<void> => {
    await database.query(statement)
    await database.query('select pg_reload_conf()')
  }
  await set(`alter system set autovacuum_naptime = '1s'`)
  try {
    await work()
  } finally {
    await set('alter system reset autovacuum_naptime')
  }
}

test('a lookup by msgKey touches one partition, even as a prepared statement', async () => {
  const { msgKey } = acceptedJob()
  for (const table of tables) {
    const literal = await database.query<{ 'QUERY PLAN': string }>(
      `explain select * from ${table} where msg_key = '${msgKey}'`,
    )
    assert.deepEqual(partitionsIn(literal.rows, table), [`${table}_${msgKey.slice(0, 8)}`])
  }
  const session = await database.connect()
  await session.query('set plan_cache_mode = force_generic_plan')
  await session.query('prepare look_up (text) as select * from reports where msg_key = $1 and account_id = 1')
  const generic = await session.query<{ 'QUERY PLAN': string }>(`explain execute look_up ('${msgKey}')`)
  session.release()
  assert.deepEqual(partitionsIn(generic.rows, 'reports'), [`reports_${msgKey.slice(0, 8)}`])
})

function partitionsIn(plan: { 'QUERY PLAN': string }[], table: string): string[] {
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  return [...new Set([...text.matchAll(new RegExp(`on (${table}_\\d{8})`, 'g'))].map((match) => match[1]!))]
}
