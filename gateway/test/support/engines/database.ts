/**
 * A database for one test file: cloned from a template that is migrated once and shared by all files of a
 * run, dropped when the file ends. The name of the template is a hash of the migrations, the day and the code
 * of the partitions, so a changed migration never uses an old template.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { openDatabase, type Database } from '../../../src/platform/database/database.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { toKeyDay, maintainPartitions } from '../../../src/records/partitions.ts'
import { addCleanup } from '../cleanup.ts'
import { passMidnight } from '../midnight.ts'
import { silentLog } from '../silent-log.ts'
import { serviceUrl } from './services.ts'
import { waitFor } from '../wait.ts'

export interface TestDatabase {
  readonly url: string
  readonly database: Database
}

const migrations = new URL('../../../migrations/', import.meta.url)
const lockKey = 0x74657374
const staleAfterMs = 3_600_000
/** PostgreSQL's object_in_use. */
const inUse = '55006'

export async function createTestDatabase(): Promise<TestDatabase> {
  await passMidnight()
  return open(
    await withTemplateLock(async (admin) => {
      const template = await ensureTemplate(admin)
      const name = freshName()
      await createDatabase(admin, name, template)
      return name
    }),
  )
}

/** Returns a database without tables, for tests of migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return open(
    await withAdmin(async (admin) => {
      const name = freshName()
      await createDatabase(admin, name, 'template0')
      return name
    }),
  )
}

function open(name: string): TestDatabase {
  const url = urlOf(name)
  const database = openDatabase(url, silentLog, { connections: 12, onlyIndexPlans: true })
  addCleanup(() => withAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`)))
  addCleanup(() => database.end())
  return { url, database }
}

/**
 * Holds a lock over all test files: the template is built once, and not dropped while another file clones it.
 * Dropping a file's own database needs no lock: it waits for a checkpoint, and would make the next file wait
 * as well.
 */
function withTemplateLock<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  return withAdmin(async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [lockKey])
    return work(admin)
  })
}

async function withAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: serviceUrl('POSTERN_DATABASE_URL') })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

async function ensureTemplate(admin: pg.Client): Promise<string> {
  const name = templateName()
  const existing = await admin.query('select from pg_database where datname = $1', [name])
  if (existing.rowCount === 1) return name
  await dropStale(admin)
  const building = `${name}_building`
  await admin.query(`drop database if exists ${building} with (force)`)
  await createDatabase(admin, building, 'template0')
  const database = openDatabase(urlOf(building), silentLog, { connections: 1 })
  await migrate(database)
  await maintainPartitions(database, 30, new Date())
  // Disables the trust rules of a new installation: a test of a rule enables it.
  await database.query('update trust_rules set enabled = false')
  await database.end()
  // Renamed when it is complete: a killed run leaves no partial template behind.
  await whenUnused(() => admin.query(`alter database ${building} rename to ${name}`))
  return name
}

/** Drops templates of other days and migrations, and test databases older than an hour, which killed runs left. */
async function dropStale(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname ~ '^postern_(template|test)_'`,
  )
  for (const { datname } of rows) {
    const madeAt = parseInt(/^postern_test_([0-9a-z]+)_/.exec(datname)?.[1] ?? '0', 36)
    if (Date.now() - madeAt > staleAfterMs) await admin.query(`drop database ${datname} with (force)`)
  }
}

async function createDatabase(admin: pg.Client, name: string, template: string): Promise<void> {
  await whenUnused(() => admin.query(`create database ${name} template ${template}`))
}

/** Retries, because the server notices the disconnect of the last client with a delay. */
async function whenUnused(work: () => Promise<unknown>): Promise<void> {
  await waitFor('the template to have no other client', async () => {
    try {
      await work()
      return true
    } catch (error) {
      if ((error as { code?: string }).code === inUse) return false
      throw error
    }
  })
}

function templateName(): string {
  // Change the text 'rules off' if `ensureTemplate` changes the migrated database in another way.
  const hash = createHash('sha256').update(toKeyDay(new Date())).update('rules off')
  for (const file of readdirSync(migrations).sort()) hash.update(readFileSync(new URL(file, migrations)))
  hash.update(readFileSync(new URL('../../../src/records/partitions.ts', import.meta.url)))
  return `postern_template_${hash.digest('hex').slice(0, 12)}`
}

function freshName(): string {
  return `postern_test_${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`
}

function urlOf(name: string): string {
  const url = new URL(serviceUrl('POSTERN_DATABASE_URL'))
  url.pathname = `/${name}`
  return url.href
}
