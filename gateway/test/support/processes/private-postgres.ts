/** A PostgreSQL of one run alone, for what must not happen to a shared one: here, a clock that is moved. */
import { once } from 'node:events'
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnEngine } from '../../../../scripts/services/engine-child.ts'
import { host } from '../../../../scripts/services/ports.ts'
import { postgresSettings } from '../../../../scripts/services/postgres-settings.ts'
import { ask } from '../../../../scripts/services/probe.ts'
import { postgresAccount, programs } from '../../../../scripts/services/programs.ts'
import { waitFor } from '../wait.ts'
import { choosePort } from '../../../../scripts/services/free-ports.ts'
import type { Environment } from './postern-command.ts'
import { forgetExited, killAtExit, onInterrupt } from './process-cleanup.ts'

export interface PrivatePostgres {
  readonly url: string
  /** Of the server; its backends are its children. */
  readonly pid: number
  stop(): Promise<void>
}

/** With the settings of the services, in a folder that is removed at the end. */
export async function startPrivatePostgres(environment: Environment): Promise<PrivatePostgres> {
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
  const made = await ask({ command: program('initdb'), args, env, account, timeoutMs: 60_000 })
  if (!made.ok) throw new Error(`initdb failed:\n${made.output}`)
  writeFileSync(
    settings,
    postgresSettings({ port, cluster, title: 'private', synchronous: false, fast: false }),
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
  if (pid === undefined) throw new Error('PostgreSQL could not be started')
  killAtExit(pid)
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  const forget = onInterrupt(() => Promise.resolve(remove()))
  child.once('exit', () => forgetExited(pid))
  const probe = ['-q', '-h', host, '-p', String(port), '-U', 'postgres', '-d', 'postgres', '-t', '1']
  await waitFor(
    `PostgreSQL to be ready (log: ${folder}/postgres.log)`,
    async () => (await ask({ command: program('pg_isready'), args: probe, env })).ok,
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
