/**
 * Forward-only migrations: numbered SQL files, each applied once, in order and in its own transaction, under one lock so
 * that several processes can start at the same time. A file must never change after it was applied.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { Database } from './database.ts'
import { withMigrationLock } from './migration-lock.ts'

const folder = new URL('../../migrations/', import.meta.url)

export interface AppliedMigration {
  readonly name: string
}

export function migrate(database: Database): Promise<AppliedMigration[]> {
  return withMigrationLock(database, async (client) => {
    await client.query(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    return applyMissing(client)
  })
}

async function applyMissing(client: pg.PoolClient): Promise<AppliedMigration[]> {
  const known = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations',
  )
  const checksums = new Map(known.rows.map((row) => [row.name, row.checksum]))
  const applied: AppliedMigration[] = []
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()) {
    const sql = await readFile(new URL(name, folder), 'utf8')
    const checksum = createHash('sha256').update(sql).digest('hex')
    const before = checksums.get(name)
    if (before === checksum) continue
    if (before !== undefined)
      throw new Error(
        `migration ${name} was changed after it was applied; restore the file and put the change into a new one`,
      )
    await client.query('begin')
    try {
      await client.query(sql)
      await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw new Error(`migration ${name} failed and was rolled back`, { cause: error })
    }
    applied.push({ name })
  }
  return applied
}
