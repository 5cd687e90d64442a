/**
 * `npm run reports:model [-- --interleavings N]`: a hundred thousand interleavings of writers, pollers, acknowledgements
 * and crashes. Counts each account's schedule once, and how many of them were different.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { openDatabase } from '../../src/platform/database.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { maintainPartitions } from '../../src/records/partitions.ts'
import { createDatabase, dropDatabase, query } from '../support/processes/scratch-database.ts'
import { quietLog } from '../support/silent-log.ts'
import { serviceUrl } from '../support/services.ts'
import { runSchedules, schedules } from './interleavings.ts'

const { values } = parseArgs({ options: { interleavings: { type: 'string', default: '100000' } } })
const interleavings = Number(values.interleavings)
const accounts = 100
const ticks = 3
/** Concurrent groups: while one waits for PostgreSQL, another works. */
const lanes = 3

const name = `postern_model_${randomBytes(4).toString('hex')}`
const url = await createDatabase(serviceUrl('POSTERN_DATABASE_URL'), name)
// The order of events is tested, not durability.
await query(url, `alter database ${name} set synchronous_commit = off`)
const database = openDatabase(url, quietLog, { connections: lanes * 4 })
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
  const numRuns = Math.ceil(interleavings / accounts / lanes)
  await Promise.all(Array.from({ length: lanes }, () => fc.assert(property, { numRuns, endOnFailure: true })))
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(
    `${done} interleavings (${different.size} different) in ${seconds.toFixed(1)} s: every record was returned, none after its acknowledgement, none skipped\n`,
  )
} finally {
  await database.end()
  await dropDatabase(serviceUrl('POSTERN_DATABASE_URL'), name)
}
