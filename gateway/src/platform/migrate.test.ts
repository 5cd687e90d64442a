/** Migrations: each applied once, even by concurrent processes, and never a file that was changed after it was applied. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { waitsForLock } from '../../test/support/lock-wait.ts'
import { assertWithin, waitFor } from '../../test/support/wait.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'

const folder = new URL('../../migrations/', import.meta.url)
const files = readdirSync(folder).sort()

async function applyFiles(database: Database, names: readonly string[]): Promise<void> {
  for (const name of names) await database.query(readFileSync(new URL(name, folder), 'utf8'))
}

test('every file has a number of its own, so that all agree on their order', () => {
  const numbers = files.map((name) => /^(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1])
  assert.equal(new Set(numbers).size, files.length, files.join(', '))
})

test('applies every file once, in order, and nothing the second time', async () => {
  const { database } = await createEmptyDatabase()
  const applied = await migrate(database)
  assert.deepEqual(
    applied.map(({ name }) => name),
    files,
  )
  assert.deepEqual(await migrate(database), [])
})

test('applies every file once when several processes start at the same time', async () => {
  const { database } = await createEmptyDatabase()
  const applied = await Promise.all([migrate(database), migrate(database), migrate(database)])
  assert.deepEqual(
    applied
      .flat()
      .map(({ name }) => name)
      .sort(),
    files,
  )
})

test('refuses a file that was changed after it was applied, and names it', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  await database.query(`update migrations set checksum = 'another' where name = $1`, [files[0]])
  await assert.rejects(migrate(database), new RegExp(`${files[0]} was changed`))
  // The lock was released: the next run fails for the same reason and does not hang.
  await assert.rejects(migrate(database), new RegExp(`${files[0]} was changed`))
})

test('accepts the first form of a file that was replaced by one with the same effect', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  await database.query(`update migrations set checksum = $2 where name = $1`, [
    '0036_file_quota.sql',
    '8eed8f31ce100caeb65effabc3250abf968934538658180ff5109093fe4b9788',
  ])
  assert.deepEqual(await migrate(database), [])
})

test('builds an index while others write the table, and again after a run that left it invalid', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  await database.query(`update pg_index set indisvalid = false where indexrelid = 'files_account'::regclass`)
  await database.query(`delete from migrations where name = '0036_file_quota.sql'`)
  const applied = await migrate(database)
  assert.deepEqual(applied, [{ name: '0036_file_quota.sql' }])
  const valid = await database.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = 'files_account'::regclass`,
  )
  assert.equal(valid.rows[0]!.valid, true)
})

test('rolls back a file that fails', async () => {
  const { database } = await createEmptyDatabase()
  await database.query('create table report_polls (in_the_way integer)')
  await assert.rejects(migrate(database), /0004_reports.sql failed and was rolled back/)
  const made = await database.query<{ reports: string | null }>(`select to_regclass('reports') as reports`)
  assert.equal(made.rows[0]!.reports, null)
  await database.query('drop table report_polls')
  assert.deepEqual(
    (await migrate(database)).map(({ name }) => name),
    files.filter((name) => name >= '0004'),
  )
})

test('migrations from 0013 on do not rewrite the partitions of large tables', async () => {
  const { database } = await createEmptyDatabase()
  const apply = (names: readonly string[]): Promise<void> => applyFiles(database, names)
  await apply(files.filter((name) => name < '0013'))
  for (const table of ['messages', 'attempts', 'reports'])
    await database.query(
      `create table ${table}_day partition of ${table} for values from ('20261115') to ('20261116')`,
    )
  // A rewrite gives a table another file.
  const storage = async (): Promise<unknown> =>
    (
      await database.query(
        `select relname, relfilenode from pg_class
          where relname in ('messages_day', 'attempts_day', 'reports_day', 'in_flight') order by 1`,
      )
    ).rows
  const before = await storage()
  await apply(files.filter((name) => name >= '0013'))
  assert.deepEqual(await storage(), before)
})

test('a migration that waits for a lock holds nobody up for longer than owners of routes may go without PostgreSQL', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  await database.query('alter table attempts drop column detail')
  await database.query(`delete from migrations where name = '0048_attempt_detail.sql'`)
  const holder = await database.connect()
  await holder.query('begin')
  await holder.query('set local idle_in_transaction_session_timeout = 0')
  await holder.query('select from attempts limit 1')
  const migrated = migrate(database)
  await waitFor('the migration to wait for its lock', () => waitsForLock(database, 'alter table attempts'))
  const from = performance.now()
  await database.query('select from attempts limit 1')
  const heldUpMs = performance.now() - from
  await holder.query('commit')
  holder.release()
  assert.deepEqual(await migrated, [{ name: '0048_attempt_detail.sql' }])
  // Owners stop their routes after 5 s.
  assertWithin('the reader', heldUpMs, 3_000)
})

test('who may add operators before the function is replaced may do it afterwards, and nobody else', async () => {
  const { database } = await createEmptyDatabase()
  await applyFiles(
    database,
    files.filter((name) => name < '0071'),
  )
  // A role that every server has.
  await database.query('grant execute on function add_operator to pg_monitor')
  await applyFiles(
    database,
    files.filter((name) => name >= '0071'),
  )
  const { rows } = await database.query<{ role: string; may: boolean }>(
    `select role, has_function_privilege(role, p.oid, 'execute') as may
       from pg_proc p, unnest(array['pg_monitor', 'pg_signal_backend', 'public']) role
      where p.proname = 'add_operator' order by role`,
  )
  assert.deepEqual(rows, [
    { role: 'pg_monitor', may: true },
    { role: 'pg_signal_backend', may: false },
    { role: 'public', may: false },
  ])
})
