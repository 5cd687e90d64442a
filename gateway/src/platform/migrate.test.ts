/** Migrations: each applied once, even by concurrent processes, and never a file that was changed after it was applied. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { migrate } from './migrate.ts'

const files = readdirSync(new URL('../../migrations/', import.meta.url)).sort()

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
  const folder = new URL('../../migrations/', import.meta.url)
  const apply = async (names: readonly string[]): Promise<void> => {
    for (const name of names) await database.query(readFileSync(new URL(name, folder), 'utf8'))
  }
  await apply(files.filter((name) => name < '0013'))
  for (const table of ['messages', 'attempts', 'reports'])
    await database.query(
      `create table ${table}_day partition of ${table} for values from ('20261115') to ('20261116')`,
    )
  // A rewrite gives a table another file.
  const storage = async (): Promise<unknown> =>
    (
      await database.query(
        `select relname, relfilenode from pg_class where relname like '%\\_day' or relname = 'in_flight' order by 1`,
      )
    ).rows
  const before = await storage()
  await apply(files.filter((name) => name >= '0013'))
  assert.deepEqual(await storage(), before)
})
