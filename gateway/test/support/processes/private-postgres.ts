/** A PostgreSQL for a single run, for faults and settings that must not affect a shared one, such as a moved clock. */
import { once } from 'node:events'
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnEngine } from '../../../../tools/engines/engine-child.ts'
import { host } from '../../../../tools/engines/ports.ts'
import { postgresSettings } from '../../../../tools/engines/postgres/settings.ts'
import { runProbe } from '../../../../tools/engines/probe.ts'
import { postgresAccount, programs } from '../../../../tools/engines/programs.ts'
import { waitFor } from '../wait.ts'
import { choosePort } from '../../../../tools/engines/free-ports.ts'
import type { Environment } from './postern-command.ts'
import { forgetExited, killAtExit, onInterrupt } from './process-cleanup.ts'

export interface PrivatePostgres {
  readonly url: string
  /** Process id of the server; its backends are its children. */
  readonly pid: number
  stop(): Promise<void>
}

export interface PrivatePostgresOptions {
  /** Does not flush to the disk. */
  readonly fast?: boolean
  /** More lines of its settings. */
  readonly settings?: string
}

/** Starts it with the settings of the services, in a folder that is removed at the end. */
export async function startPrivatePostgres(
  environment: Environment,
  { fast = false, settings: more = '' }: PrivatePostgresOptions = {},
): Promise<PrivatePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-postgres-'))
  const account = postgresAccount()
  const cluster = join(folder, 'data')
  const settings = join(folder, 'postern.conf')
  mkdirSync(cluster)
  for (const path of [folder, cluster]) if (account) chownSync(path, account.uid, account.gid)
  const port = await choosePort()
  const program = (name: string): string => join(programs().postgres, name)
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' }
  const args = ['-D', cluster, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  const made = await runProbe({ command: program('initdb'), args, env, account, timeoutMs: 60_000 })
  if (!made.ok) throw new Error(`initdb failed:\n${made.output}`)
  writeFileSync(
    settings,
    postgresSettings({ port, cluster, title: 'private', synchronous: false, fast }) + more,
  )
  const log = openSync(join(folder, 'postgres.log'), 'a')
  const child = spawnEngine(
    {
      command: program('postgres'),
      args: ['-D', cluster, '-c', `config_file=${settings}`],
      env: { ...env, ...environment },
      account,
    },
    ['ignore', log, log],
  )
  closeSync(log)
  const pid = child.pid
  if (pid === undefined) throw new Error('PostgreSQL failed to start')
  killAtExit(pid)
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  const forget = onInterrupt(() => Promise.resolve(remove()))
  child.once('exit', () => forgetExited(pid))
  const probe = ['-q', '-h', host, '-p', String(port), '-U', 'postgres', '-d', 'postgres', '-t', '1']
  await waitFor(
    `PostgreSQL to be ready (log: ${folder}/postgres.log)`,
    async () => (await runProbe({ command: program('pg_isready'), args: probe, env })).ok,
    { timeoutMs: 30_000, everyMs: 100 },
  )
  return {
    url: `postgres://postgres@${host}:${port}/postgres`,
    pid,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      await exited
      forget()
      remove()
    },
  }
}
