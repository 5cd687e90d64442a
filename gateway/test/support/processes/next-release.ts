/**
 * Applies the migration of a fictitious next release, so that an upgrade always changes tables that both
 * releases use.
 */
import { nextMigration, withMigrations } from './next-migration.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'

export async function migrateToNextRelease(databaseUrl: string): Promise<void> {
  const database = openDatabase(databaseUrl, createLog('error', 'upgrade'), { connections: 1 })
  try {
    await withMigrations([nextMigration], (directory) => migrate(database, directory))
  } finally {
    await database.end()
  }
}
