// PostgreSQL with full durability: fsync and synchronous commit stay on, because tests that kill it ask
// whether anything committed was lost. Trusts every connection, and therefore listens on loopback only.

import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from './engine.ts'
import { shortHash } from './places.ts'
import { host } from './ports.ts'
import { postgresSettings } from './postgres-settings.ts'
import { ask } from './probe.ts'
import { findByCommandLine, killTree, launch } from './process.ts'
import { postgresAccount, programs } from './programs.ts'
import { databaseName } from './set.ts'
import type { ServiceSet } from './set.ts'

export function postgresEngine({ places, ports }: ServiceSet): Engine {
  const folder = join(places.directory, 'postgres')
  const cluster = join(folder, 'data')
  const settings = join(folder, 'postern.conf')
  const log = join(places.log, 'postgres.log')
  const pidFile = join(places.run, 'postgres.json')
  const port = ports.postgres
  // Shown in the title of every server process, by which leftovers of a killed server are found.
  const title = `postern-${shortHash(cluster)}`
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' }
  const program = (name: string) => join(programs().postgres, name)
  const sql = (statement: string) =>
    ask({
      command: program('psql'),
      args: ['-X', '-q', '-t', '-A', '-h', host, '-p', String(port), '-U', 'postgres', '-c', statement],
      env,
    })

  async function prepare(): Promise<void> {
    const account = postgresAccount()
    mkdirSync(folder, { recursive: true })
    if (account) chownSync(folder, account.uid, account.gid)
    writeFileSync(settings, postgresSettings({ port, title, cluster }))
    if (existsSync(cluster)) return clearCrash()
    // Made beside and renamed, so that an interrupted initdb never passes for a data folder.
    const fresh = `${cluster}.new`
    rmSync(fresh, { recursive: true, force: true })
    const made = await ask({
      command: program('initdb'),
      args: ['-D', fresh, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
      env,
      account,
      timeoutMs: 60_000,
    })
    if (!made.ok) throw new Error(`initdb failed:\n${made.output}`)
    renameSync(fresh, cluster)
  }

  /** A killed server's processes hold its shared memory, and a new server refuses to start beside them. */
  async function clearCrash(): Promise<void> {
    const leftovers = findByCommandLine((line) => line.startsWith(`postgres: ${title}: `))
    await Promise.all(leftovers.map(killTree))
    const lockFile = join(cluster, 'postmaster.pid')
    if (!existsSync(lockFile)) return
    // After a reboot the pid in the lock file may be a stranger's, for which PostgreSQL would not start.
    const owner = Number(readFileSync(lockFile, 'utf8').split('\n')[0])
    const servers = findByCommandLine((line) => line.includes(cluster))
    if (!servers.some(({ pid }) => pid === owner)) rmSync(lockFile)
  }

  return {
    name: 'postgres',
    port,
    pidFile,
    logs: [log],
    stopSignal: 'SIGINT', // "fast shutdown": ends sessions, writes a checkpoint
    startWithinMs: 60_000, // crash recovery may read up to max_wal_size
    prepare,
    launch: () =>
      launch({
        command: program('postgres'),
        args: ['-D', cluster, '-c', `config_file=${settings}`],
        env,
        cwd: folder,
        log,
        pidFile,
        account: postgresAccount(),
      }),
    isReady: async () => {
      const args = ['-q', '-h', host, '-p', String(port), '-U', 'postgres', '-d', 'postgres', '-t', '1']
      return (await ask({ command: program('pg_isready'), args, env })).ok
    },
    complete: async () => {
      const found = await sql(`select 1 from pg_database where datname = '${databaseName}'`)
      if (found.output === '1') return
      const created = await sql(`create database ${databaseName}`)
      if (!created.ok) throw new Error(`The database ${databaseName} could not be created: ${created.output}`)
    },
    version: async () => {
      const { output } = await ask({ command: program('postgres'), args: ['-V'], env })
      return /\d+\.\d+/.exec(output)?.[0] ?? 'unknown'
    },
  }
}
