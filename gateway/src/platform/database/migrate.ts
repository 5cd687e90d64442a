/**
 * Forward-only migrations: numbered SQL files, each applied once, in order and in its own transaction, under
 * one lock so that several processes can start at the same time. A file that begins with `-- no transaction`
 * builds one index on a table that is being written. A file must never change after it was applied.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './database.ts'
import { withMigrationLock } from './migration-lock.ts'

const migrations = new URL('../../../migrations/', import.meta.url)

export interface AppliedMigration {
  readonly name: string
}

export function migrate(database: Database, directory = migrations): Promise<AppliedMigration[]> {
  return withMigrationLock(database, async (client) => {
    await client.query(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    return applyMissing(client, directory)
  })
}

async function applyMissing(client: pg.PoolClient, directory: URL): Promise<AppliedMigration[]> {
  const storedRows = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations',
  )
  const checksums = new Map(storedRows.rows.map((row) => [row.name, row.checksum]))
  const applied: AppliedMigration[] = []
  const names = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
  if (checksums.size > 0 && !checksums.has(names[0]!))
    throw new Error(
      'cannot migrate: this database has the schema of an unreleased version; run `postern migrate` with an empty database',
    )
  for (const name of names) {
    const sql = await readFile(new URL(name, directory), 'utf8')
    const checksum = createHash('sha256').update(sql).digest('hex')
    const appliedChecksum = checksums.get(name)
    if (appliedChecksum === checksum) continue
    if (appliedChecksum !== undefined)
      throw new Error(
        `migration ${name} was changed after it was applied; restore the file, or run \`postern migrate\` with an empty database`,
      )
    const file = { name, sql, checksum }
    await (sql.startsWith('-- no transaction\n')
      ? applyIndex(client, file)
      : applyInTransaction(client, file))
    applied.push({ name })
  }
  return applied
}

interface MigrationFile {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/**
 * All other statements wait behind one that waits for a table lock. A migration stops waiting after this time
 * and is retried, so that a long transaction of another program does not stop the running processes.
 */
const lockMs = 1_000
const lockTries = 60
const lockPauseMs = 1_000

/**
 * Qualifies table names in functions that run with the rights of the table owner, whichever schema holds the
 * tables.
 */
async function nameSchema(client: pg.PoolClient, sql: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_schema()) as name')
  return sql.replaceAll('{schema}', rows[0]!.name)
}

async function applyInTransaction(client: pg.PoolClient, file: MigrationFile): Promise<void> {
  for (let tries = 1; ; tries++) {
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = ${lockMs}`)
      await client.query(await nameSchema(client, file.sql))
      await saveApplied(client, file)
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      const isLocked = (error as { code?: unknown }).code === '55P03'
      if (!isLocked || tries === lockTries)
        throw new Error(
          isLocked
            ? `migration ${file.name} got no lock in ${lockTries} attempts of ${lockMs / 1000} s and was rolled back; end the long transactions that hold it (pg_stat_activity) and run the command again`
            : `migration ${file.name} failed and was rolled back`,
          { cause: error },
        )
      await delay(lockPauseMs)
    }
  }
}

/**
 * Applies one `create index concurrently if not exists`, which runs outside a transaction. A killed run
 * leaves an invalid index, which is dropped first.
 */
async function applyIndex(client: pg.PoolClient, file: MigrationFile): Promise<void> {
  const index = /create index concurrently if not exists (\w+) /.exec(file.sql)?.[1]
  if (index === undefined) throw new Error(`migration ${file.name} must create one index concurrently`)
  try {
    const invalid = await client.query(
      `select from pg_index where indexrelid = to_regclass($1) and not indisvalid`,
      [index],
    )
    if (invalid.rowCount === 1) await client.query(`drop index concurrently ${index}`)
    await client.query(file.sql)
    await saveApplied(client, file)
  } catch (error) {
    throw new Error(`migration ${file.name} failed; run the command again`, { cause: error })
  }
}

async function saveApplied(client: pg.PoolClient, { name, checksum }: MigrationFile): Promise<void> {
  await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
}
