import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { nextMigration, withMigrations } from '../../../test/support/processes/next-migration.ts'
import { createEmptyDatabase } from '../../../test/support/engines/database.ts'
import { waitsForLock } from '../../../test/support/engines/lock-wait.ts'
import { assertWithin, waitFor } from '../../../test/support/wait.ts'
import type { Database } from './database.ts'
import { migrate, type AppliedMigration } from './migrate.ts'

const files = readdirSync(new URL('../../../migrations/', import.meta.url)).sort()

/** Applies a migration of the next release. */
function migrateTo(database: Database, name: string, sql: string): Promise<AppliedMigration[]> {
  return withMigrations([{ name, sql }], (directory) => migrate(database, directory))
}

test('every file has a unique number', () => {
  const numbers = files.map((name) => /^(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1])
  assert.equal(new Set(numbers).size, files.length, files.join(', '))
})

test('applies every file once when several processes start at the same time', async () => {
  const { database } = await createEmptyDatabase()
  const applied = await Promise.all([migrate(database), migrate(database), migrate(database)])
  assert.deepEqual(
    applied.flat().map(({ name }) => name),
    files,
  )
  assert.deepEqual(await migrate(database), [])
})

test('applies only new files', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  const { name, sql } = nextMigration
  assert.deepEqual(await migrateTo(database, name, sql), [{ name }])
})

test('refuses a file that was changed after it was applied', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  await database.query(`update migrations set checksum = 'another' where name = $1`, [files[0]])
  await assert.rejects(migrate(database), new RegExp(`${files[0]} was changed`))
  // The lock was released: the next run fails for the same reason and does not hang.
  await assert.rejects(migrate(database), new RegExp(`${files[0]} was changed`))
})

test('refuses a database that other files created', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  await database.query(`update migrations set name = '0001_accounts.sql'`)
  await assert.rejects(migrate(database), /empty database/)
})

test("functions with the owner's rights name the schema of their tables", async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  const { rows } = await database.query(
    `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~ '{schema}'`,
  )
  assert.deepEqual(rows, [])
  await database.query(`insert into audit_log (seq, at, actor, role, source, request_id, action, result, target, reason, details,
                                               previous_hash, hash)
                        values (0, now(), 'kim', 'admin', 'here', '1', 'test', 'done', '', '', '{}', '', '')`)
})

test('builds an index concurrently, and again after an interrupted run', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  await database.query('create index files_format on files (format)')
  await database.query(`update pg_index set indisvalid = false where indexrelid = 'files_format'::regclass`)
  const name = '9999_files_format.sql'
  const sql = `-- no transaction\ncreate index concurrently if not exists files_format on files (format);`
  assert.deepEqual(await migrateTo(database, name, sql), [{ name }])
  const valid = await database.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = 'files_format'::regclass`,
  )
  assert.equal(valid.rows[0]!.valid, true)
})

test('rolls back a failed file', async () => {
  const { database } = await createEmptyDatabase()
  await database.query('create table report_polls (in_the_way integer)')
  await assert.rejects(migrate(database), /0001_baseline.sql failed and was rolled back/)
  const table = await database.query<{ reports: string | null }>(`select to_regclass('reports') as reports`)
  assert.equal(table.rows[0]!.reports, null)
  await database.query('drop table report_polls')
  assert.equal((await migrate(database)).length, files.length)
})

test('a migration that waits for a lock delays readers less than route owners tolerate', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  const holder = await database.connect()
  await holder.query('begin')
  await holder.query('set local idle_in_transaction_session_timeout = 0')
  await holder.query('select from attempts limit 1')
  const name = '9999_attempt_note.sql'
  const migrated = migrateTo(database, name, 'alter table attempts add column note text')
  await waitFor('the migration to wait for its lock', () => waitsForLock(database, 'alter table attempts'))
  const from = performance.now()
  await database.query('select from attempts limit 1')
  const delayMs = performance.now() - from
  await holder.query('commit')
  holder.release()
  assert.deepEqual(await migrated, [{ name }])
  // Owners stop their routes after 5 s.
  assertWithin('the reader', delayMs, 3_000)
})
