/** A scratch database with all migrations applied, dropped after use. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openDatabase, type Database } from '../../src/platform/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'

export async function withMigratedDatabase<T>(
  serverUrl: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  const name = `postern_schema_${randomBytes(6).toString('hex')}`
  try {
    await admin.query(`create database ${name} template template0`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    const database = openDatabase(url.href, createLog('error', 'schema'), { connections: 1 })
    try {
      await migrate(database)
      return await work(database)
    } finally {
      await database.end()
    }
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
}
