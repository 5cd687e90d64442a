// Changes the roles of a pair of PostgreSQL servers, as an operator or a failover agent does: turns
// synchronous commit on or off, promotes the standby, rejoins the old primary as the new standby. The order
// of the steps guarantees that a server that may lack an acknowledged commit is never promoted. Call with the
// lock of lock.ts held.

import { rmSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { killEngine, startEngine, stopEngine } from '../lifecycle.ts'
import { host } from '../ports.ts'
import {
  killLeftovers,
  createCluster,
  databasePaths,
  postgresEngine,
  standbySignal,
  writeSettings,
} from './postgres.ts'
import { standbyName } from './settings.ts'
import { runProbe } from '../probe.ts'
import { runningFrom } from '../process.ts'
import { postgresAccount, programs } from '../programs.ts'
import { print, formatElapsed } from '../print.ts'
import { rememberSet } from '../service-set.ts'
import type { DatabaseNumber, DatabasePair, ServiceSet } from '../service-set.ts'
import { sql } from './sql.ts'
import { waitForCondition } from '../wait-for-condition.ts'

const catchUpWithinMs = 120_000

export function requirePair(set: ServiceSet): DatabasePair {
  if (!set.pair) throw new Error('this set has one PostgreSQL; run npm run engines -- up --standby')
  return set.pair
}

export function getStandby(set: ServiceSet): DatabaseNumber {
  return requirePair(set).primary === 1 ? 2 : 1
}

function remember(set: ServiceSet, pair: DatabasePair): ServiceSet {
  return rememberSet(set.block, set.nodes, pair)
}

async function reload(set: ServiceSet, number: DatabaseNumber, synchronous: boolean): Promise<void> {
  writeSettings(set, number, synchronous)
  await sql(databasePaths(set, number).port, 'select pg_reload_conf()')
}

/** Marks the standby as not promotable, then stops making commits wait for it. */
export async function stopWaitingForStandby(set: ServiceSet): Promise<ServiceSet> {
  const { primary } = requirePair(set)
  const after = remember(set, { primary, inSync: false })
  await reload(after, primary, false)
  print('commits no longer wait for the standby')
  return after
}

/** Waits until the standby has caught up, then makes every commit wait for it. */
export async function makeCommitsWaitForStandby(set: ServiceSet): Promise<ServiceSet> {
  const since = performance.now()
  const { primary } = requirePair(set)
  const { port } = databasePaths(set, primary)
  const follows = (condition: string) => async (): Promise<boolean> =>
    (await sql(
      port,
      `select count(*) from pg_stat_replication
        where application_name = '${standbyName}' and state = 'streaming' and ${condition}`,
    )) === '1'
  // Wait until it has nearly caught up; otherwise commits would block in the meantime.
  const near = 'flush_lsn > pg_current_wal_flush_lsn() - 1000000'
  if (!(await waitForCondition(catchUpWithinMs, follows(near))))
    throw new Error('the standby does not catch up; see its log')
  await reload(set, primary, true)
  // The checkpointer and the walsenders apply synchronous_standby_names some time after the reload, for which a
  // second is allowed. Until then commits can return without waiting, so their WAL must be on the standby too.
  await pause(1_000)
  const inSyncCondition = `sync_state = 'sync' and flush_lsn >= '${await sql(port, 'select pg_current_wal_lsn()')}'`
  if (!(await waitForCondition(30_000, follows(inSyncCondition)))) {
    await reload(set, primary, false)
    throw new Error('the standby does not replicate synchronously')
  }
  print(`every commit waits for the standby (${formatElapsed(since)})`)
  return remember(set, { primary, inSync: true })
}

/** Promotes the standby. Kills the old primary if it still runs: two primaries would destroy the data. */
export async function promoteStandby(set: ServiceSet): Promise<ServiceSet> {
  const since = performance.now()
  const { primary, inSync } = requirePair(set)
  const next = getStandby(set)
  if (!inSync) {
    throw new Error(
      'the standby was not promoted because it may lack acknowledged commits. Start the primary:\n' +
        `  npm run engines -- start ${postgresEngine(set, primary).name}`,
    )
  }
  const old = postgresEngine(set, primary)
  if (runningFrom(old.pidFile)) await killEngine(old)
  const after = remember(set, { primary: next, inSync: false })
  const promoted = await sql(databasePaths(after, next).port, 'select pg_promote(true, 60)')
  if (promoted !== 't') throw new Error(`${postgresEngine(after, next).name} was not promoted`)
  print(`${postgresEngine(after, next).name} … is the primary now (${formatElapsed(since)})`)
  return after
}

/** Starts the standby, rebuilt from the primary if necessary, and makes commits wait for it again. */
export async function rejoinStandby(set: ServiceSet): Promise<ServiceSet> {
  const number = getStandby(set)
  const engine = postgresEngine(set, number)
  const { cluster } = databasePaths(set, number)
  // A server without the signal file was the primary: it may have WAL that the new primary lacks.
  if (existsSync(cluster) && !existsSync(standbySignal(cluster))) {
    await stopEngine(engine)
    await rebuildStandby(set, number)
  }
  await startEngine(engine)
  return makeCommitsWaitForStandby(set)
}

/** Rewinds the old primary to the new one, or copies the new one if that fails. */
async function rebuildStandby(set: ServiceSet, number: DatabaseNumber): Promise<void> {
  const since = performance.now()
  const { cluster, settings } = databasePaths(set, number)
  const { port } = databasePaths(set, requirePair(set).primary)
  await killLeftovers(cluster)
  // A promoted server writes its new timeline to its files only at the next checkpoint; pg_rewind reads the
  // files.
  await sql(port, 'checkpoint')
  const done = await runProbe({
    command: join(programs().postgres, 'pg_rewind'),
    args: [
      ...['--target-pgdata', cluster, '--config-file', settings],
      ...['--source-server', `host=${host} port=${port} user=postgres dbname=postgres`],
    ],
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    account: postgresAccount(),
    timeoutMs: 120_000,
  })
  if (done.ok) {
    writeFileSync(standbySignal(cluster), '')
    print(`${postgresEngine(set, number).name} … rewound (${formatElapsed(since)})`)
    return
  }
  print(`pg_rewind failed: ${done.output.split('\n').at(-1)}; copying the primary instead`)
  rmSync(cluster, { recursive: true, force: true })
  await createCluster(set, number)
}
