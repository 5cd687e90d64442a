/**
 * Does work that only one process at a time may do, and stops itself (SIGSTOP) after the nth response to its
 * statements: its connections stay open and silent. `freezeDuring` starts it.
 */
import pg from 'pg'
import { startOutboxSweep } from '../../../src/pipeline/scheduling/outbox-sweep.ts'
import { createOutbox, type OutboxContext } from '../../../src/pipeline/scheduling/outbox.ts'
import { WaitingWatch } from '../../../src/pipeline/scheduling/waiting-watch.ts'
import { openDatabase, type Database } from '../../../src/platform/database/database.ts'
import { Membership } from '../../../src/platform/membership/membership.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { ensureDay, maintainPartitions } from '../../../src/records/partitions.ts'
import { silentLog } from '../silent-log.ts'

const idle = {
  routes: { value: [] },
  publisher: { canPublish: true, accepts: () => true },
  stepTtlSeconds: 60,
  schedulingSettings: { value: new Map() },
}
const works: Readonly<Record<string, (database: Database) => unknown>> = {
  sweep: (database) =>
    startOutboxSweep({
      outbox: createOutbox({ ...idle, database } as unknown as OutboxContext),
      waitingWatch: new WaitingWatch(database, silentLog),
      membership: new Membership({ heartbeats: database, database, role: 'worker', log: silentLog }),
      log: silentLog,
    }),
  'make a day': (database) => ensureDay(database, new Date('2031-02-03')),
  'drop days': (database) => maintainPartitions(database, 30, new Date()),
  migrate: (database) => migrate(database),
}

const [url, work, statements] = process.argv.slice(2) as [string, string, string]
let left = Number(statements)

type Query = (...parameters: unknown[]) => unknown
const prototype = pg.Client.prototype as unknown as { query: Query }
const original = prototype.query
prototype.query = function (...parameters) {
  const callback = parameters.at(-1)
  if (typeof callback === 'function') {
    parameters[parameters.length - 1] = (...answer: unknown[]): void => {
      countAnswer()
      ;(callback as Query)(...answer)
    }
  }
  const result = original.apply(this, parameters)
  if (!(result instanceof Promise)) return result
  return result.then((answer: unknown) => {
    countAnswer()
    return answer
  })
}

function countAnswer(): void {
  left--
  if (left === 0) process.kill(process.pid, 'SIGSTOP')
}

const database = openDatabase(url, silentLog, { connections: 4 })
await works[work]!(database)
// A sweep runs until it is stopped; other work has ended.
if (work !== 'sweep') process.exit()
