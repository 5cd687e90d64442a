import { setTimeout as pause } from 'node:timers/promises'
import {
  databaseRoles,
  leaveDatabaseStandby,
  promoteDatabase,
  rejoinDatabaseStandby,
  startService,
} from '../../../../tools/engines/index.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { query } from '../../support/processes/scratch-database.ts'
import { waitFor } from '../../support/wait.ts'
import { fillDisk, findReasonForNoDisk, freeDisk, moveBack, moveStandby } from './database-disk.ts'
import type { ChaosFault } from './fault.ts'

/** Time for which statements fail, and time for which the server is down: longer than workers continue without it (5 s). */
const [failingMs, downMs] = [5_000, 7_000]

/** The file system of a PostgreSQL server has no free space. Errors of statements and a crash of the server follow. */
export const diskFaults: readonly ChaosFault[] = [
  {
    name: `the disk of the PostgreSQL primary is full for ${(failingMs + downMs) / 1000} s`,
    on: ['full'],
    acceptsThroughout: true,
    noReplacement: true,
    leavesUnknown: true,
    byOperator: true,
    lastsMs: 0,
    findObstacle: findReasonForNoDisk,
    async inject({ base }) {
      await moveStandby()
      await promoteDatabase()
      await rejoinDatabaseStandby()
      await fillDisk()
      const reason = await waitFor('an error of PostgreSQL', () => findError(base.databaseUrl))
      printProgress(`the disk of the PostgreSQL primary is full: ${reason}`)
      await pause(failingMs)
      // Archiving switches to the next segment of WAL regularly. A server that has no space for it crashes.
      await query(base.databaseUrl, 'select pg_switch_wal()').catch(() => undefined)
      await pause(downMs)
      freeDisk()
      // The server may still end a start that failed before.
      const start = (): Promise<boolean> =>
        startService(databaseRoles().primary).then(
          () => true,
          () => false,
        )
      await waitFor('PostgreSQL to start', start, { timeoutMs: 60_000 })
    },
    async repair(installation) {
      await installation.untilAllReady(60_000)
      await installation.owner()
      await moveBack()
    },
  },
  {
    name: 'the disk of the PostgreSQL standby is full',
    on: ['full'],
    acceptsThroughout: true,
    byOperator: true,
    lastsMs: 0,
    findObstacle: findReasonForNoDisk,
    async inject({ base }) {
      await moveStandby()
      await fillDisk()
      await waitFor('commits to wait', () => isCommitWaiting(base.databaseUrl), { timeoutMs: 60_000 })
      await leaveDatabaseStandby()
    },
    repair: moveBack,
  },
]

/** Writes some megabytes into a table that disappears with its connection. Returns the error, if there is one. */
function findError(databaseUrl: string): Promise<string | undefined> {
  const statement = `create temp table rows as select repeat('-', 1000) from generate_series(1, 20000)`
  return query(databaseUrl, statement).then(
    () => undefined,
    (error: unknown) => String(error),
  )
}

/** Reports whether a commit has waited for the standby longer than a failover agent needs to detect it. */
async function isCommitWaiting(databaseUrl: string): Promise<boolean> {
  const waiting = await query(
    databaseUrl,
    `select from pg_stat_activity where wait_event = 'SyncRep' and query_start < now() - interval '2 seconds' limit 1`,
  )
  return waiting.length > 0
}
