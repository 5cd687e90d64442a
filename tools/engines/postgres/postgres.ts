// PostgreSQL. Every commit is written before it is acknowledged, because tests kill the server and check that
// nothing committed was lost. It is also flushed to the disk, unless the set is fast. Trusts every connection
// and therefore listens on loopback only. A set has one server, or a pair of which one follows the other;
// pair.ts changes their roles.

import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../engine.ts'
import { shortHash } from '../paths.ts'
import { host } from '../ports.ts'
import { postgresSettings } from './settings.ts'
import { runProbe } from '../probe.ts'
import { findByCommandLine, killTree, launch, runningFrom } from '../process.ts'
import { postgresAccount, programs } from '../programs.ts'
import { databaseName } from '../service-set.ts'
import type { DatabaseNumber, ServiceSet } from '../service-set.ts'
import { sql } from './sql.ts'

const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' }

export interface DatabasePaths {
  readonly folder: string
  readonly cluster: string
  readonly settings: string
  readonly port: number
}

export function databasePaths({ paths, ports }: ServiceSet, number: DatabaseNumber): DatabasePaths {
  const folder = join(paths.directory, number === 1 ? 'postgres' : 'postgres-2')
  return {
    folder,
    cluster: join(folder, 'data'),
    settings: join(folder, 'postern.conf'),
    port: number === 1 ? ports.postgres : ports.postgres2,
  }
}

export function isStandby(set: ServiceSet, number: DatabaseNumber): boolean {
  return set.pair !== undefined && set.pair.primary !== number
}

/** Part of the title of every server process, by which leftover processes of a killed server are found. */
const processTitle = (cluster: string) => `postern-${shortHash(cluster)}`

/** `synchronous` makes commits of the primary wait for the standby. */
export function writeSettings(set: ServiceSet, number: DatabaseNumber, synchronous: boolean): void {
  const { cluster, settings, port } = databasePaths(set, number)
  const peer = number === 1 ? 2 : 1
  const text = postgresSettings({
    port,
    cluster,
    title: processTitle(cluster),
    synchronous,
    fast: set.fast === true,
    ...(set.pair ? { peerPort: databasePaths(set, peer).port } : {}),
  })
  writeFileSync(settings, text)
}

/** Applies the settings of the set to the first server if it runs. */
export async function reloadSettings(set: ServiceSet): Promise<void> {
  const engine = postgresEngine(set)
  if (runningFrom(engine.pidFile) === undefined) return
  writeSettings(set, 1, false)
  await sql(engine.port, 'select pg_reload_conf()')
}

/**
 * Kills leftover processes of a killed server: they hold its shared memory and prevent a new start. Removes its
 * lock file unless a server of this cluster owns it.
 */
export async function killLeftovers(cluster: string): Promise<void> {
  const leftovers = findByCommandLine((line) => line.startsWith(`postgres: ${processTitle(cluster)}: `))
  await Promise.all(leftovers.map(killTree))
  const lockFile = join(cluster, 'postmaster.pid')
  if (!existsSync(lockFile)) return
  // The pid in the lock file may belong to another process after a reboot; PostgreSQL would then not start.
  const owner = Number(readFileSync(lockFile, 'utf8').split('\n')[0])
  const servers = findByCommandLine((line) => line.includes(cluster))
  if (!servers.some(({ pid }) => pid === owner)) rmSync(lockFile)
}

/** The file that makes a server a standby when it starts. */
export const standbySignal = (cluster: string) => join(cluster, 'standby.signal')

/** Creates an empty server or a copy of the running primary. Renames it into place when it is complete. */
export async function createCluster(set: ServiceSet, number: DatabaseNumber): Promise<void> {
  const { cluster } = databasePaths(set, number)
  const fresh = `${cluster}.new`
  rmSync(fresh, { recursive: true, force: true })
  const initdb = ['-D', fresh, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  const source = String(databasePaths(set, number === 1 ? 2 : 1).port)
  const copy = ['-D', fresh, '-h', host, '-p', source, '-U', 'postgres', '-X', 'stream', '-c', 'fast']
  const following = isStandby(set, number)
  const made = await runProbe({
    command: join(programs().postgres, following ? 'pg_basebackup' : 'initdb'),
    args: following ? copy : initdb,
    env,
    account: postgresAccount(),
    timeoutMs: 300_000,
  })
  if (!made.ok) throw new Error(`${following ? 'pg_basebackup' : 'initdb'} failed:\n${made.output}`)
  if (following) writeFileSync(standbySignal(fresh), '')
  rmSync(cluster, { recursive: true, force: true })
  renameSync(fresh, cluster)
}

export function postgresEngine(set: ServiceSet, number: DatabaseNumber = 1): Engine {
  const { folder, cluster, settings, port } = databasePaths(set, number)
  const name = number === 1 ? 'postgres' : 'postgres-2'
  const log = join(set.paths.log, `${name}.log`)
  const pidFile = join(set.paths.run, `${name}.json`)
  const program = (file: string) => join(programs().postgres, file)

  async function prepare(): Promise<void> {
    const account = postgresAccount()
    mkdirSync(folder, { recursive: true })
    if (account) chownSync(folder, account.uid, account.gid)
    writeSettings(set, number, !isStandby(set, number) && set.pair?.inSync === true)
    if (!existsSync(cluster)) return createCluster(set, number)
    if (isStandby(set, number) && !existsSync(standbySignal(cluster))) {
      throw new Error(`${name} was the primary; run npm run engines -- rejoin to make it the standby`)
    }
    await killLeftovers(cluster)
  }

  return {
    name,
    port,
    pidFile,
    logs: [log],
    stopSignal: 'SIGINT', // "fast shutdown": ends sessions, writes a checkpoint
    startWithinMs: 60_000, // crash recovery may read up to max_wal_size
    prepare,
    launch: (environment) =>
      launch({
        command: program('postgres'),
        args: ['-D', cluster, '-c', `config_file=${settings}`],
        env: { ...env, ...environment },
        cwd: folder,
        log,
        pidFile,
        account: postgresAccount(),
      }),
    isReady: async () => {
      const args = ['-q', '-h', host, '-p', String(port), '-U', 'postgres', '-d', 'postgres', '-t', '1']
      return (await runProbe({ command: program('pg_isready'), args, env })).ok
    },
    complete: async () => {
      if (isStandby(set, number)) return
      // The script was killed between recording it as the primary and promoting it.
      if (existsSync(standbySignal(cluster))) await sql(port, 'select pg_promote()')
      if ((await sql(port, `select 1 from pg_database where datname = '${databaseName}'`)) === '1') return
      await sql(port, `create database ${databaseName}`)
    },
    version: async () => {
      const { output } = await runProbe({ command: program('postgres'), args: ['-V'], env })
      return /\d+\.\d+/.exec(output)?.[0] ?? 'unknown'
    },
  }
}
