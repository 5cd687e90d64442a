/** Commands need the database and little else; this opens and closes it around them. */
import { loadConfig, type Config } from '../platform/config.ts'
import { openDatabase, type Database } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'

export async function withDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const database = openDatabase(config.databaseUrl, createLog('error', 'cli'), { connections: 2 })
  try {
    return await work(database, config)
  } finally {
    await database.end()
  }
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
