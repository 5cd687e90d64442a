/**
 * `npm run suite -- reports:model [--interleavings N]` runs random interleavings of writers, pollers,
 * acknowledgements and crashes, by default 100,000. Counts the schedules of all accounts and the different
 * ones.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { maintainPartitions } from '../../../src/records/partitions.ts'
import { createDatabase, dropDatabase, query } from '../../support/processes/scratch-database.ts'
import { silentLog } from '../../support/silent-log.ts'
import { serviceUrl } from '../../support/engines/services.ts'
import { runSchedules, schedules } from './interleavings.ts'

const { values } = parseArgs({ options: { interleavings: { type: 'string', default: '100000' } } })
const interleavings = Number(values.interleavings)
const accounts = 100
const ticks = 3
/** Number of concurrent groups, so that one works while another waits for PostgreSQL. */
const groups = 3

const name = `postern_model_${randomBytes(4).toString('hex')}`
const url = await createDatabase(serviceUrl('POSTERN_DATABASE_URL'), name)
// The test checks the order of events, not durability.
await query(url, `alter database ${name} set synchronous_commit = off`)
const database = openDatabase(url, silentLog, { connections: groups * 4 })
const different = new Set<string>()
let done = 0
try {
  await migrate(database)
  await maintainPartitions(database, 30, new Date())
  const started = performance.now()
  const property = fc.asyncProperty(schedules(accounts, ticks), async (drawn) => {
    await runSchedules(database, drawn)
    const shared = JSON.stringify(drawn.ticks)
    for (const turns of drawn.accounts) different.add(`${turns.join()} ${shared}`)
    done += accounts
  })
  const numRuns = Math.ceil(interleavings / accounts / groups)
  await Promise.all(
    Array.from({ length: groups }, () => fc.assert(property, { numRuns, endOnFailure: true })),
  )
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(
    `${done} interleavings (${different.size} different) in ${seconds.toFixed(1)} s: every record was returned, none after its acknowledgement, none skipped\n`,
  )
} finally {
  await database.end()
  await dropDatabase(serviceUrl('POSTERN_DATABASE_URL'), name)
}
