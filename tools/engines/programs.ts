// Finds the engines' programs on Debian, inside their root if they have one, and their packages.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inEngineRoot } from './engine-root.ts'
import { isRoot } from './paths.ts'

const oldestPostgres = 15

export interface Programs {
  readonly postgres: string
  readonly rabbitmq: string
  readonly redis: string
}

function newest(names: string[]): string | undefined {
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
}

function exists(path: string): boolean {
  return existsSync(inEngineRoot(path))
}

function list(folder: string): string[] {
  return exists(folder) ? readdirSync(inEngineRoot(folder)) : []
}

/** Returns the folder with initdb and postgres: version 15 if installed, otherwise the newest. */
export function postgresFolder(): string | undefined {
  const versions = list('/usr/lib/postgresql').filter(
    (name) => Number(name) >= oldestPostgres && exists(join('/usr/lib/postgresql', name, 'bin', 'postgres')),
  )
  const version = versions.includes('15') ? '15' : newest(versions)
  return version && join('/usr/lib/postgresql', version, 'bin')
}

export function rabbitmqFolder(): string | undefined {
  const base = '/usr/lib/rabbitmq/lib'
  const servers = list(base).filter((name) => exists(join(base, name, 'sbin', 'rabbitmq-server')))
  const server = newest(servers)
  return server && join(base, server, 'sbin')
}

export function redisProgram(): string | undefined {
  return ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/usr/bin/valkey-server'].find(exists)
}

export const haproxyProgram = '/usr/sbin/haproxy'

/** Returns the programs of the engines; call `installMissing` first. */
export function programs(): Programs {
  const postgres = postgresFolder()
  const rabbitmq = rabbitmqFolder()
  const redis = redisProgram()
  if (!postgres || !rabbitmq || !redis) {
    throw new Error('PostgreSQL, RabbitMQ or Redis is not installed; run npm run engines -- install')
  }
  return { postgres, rabbitmq, redis }
}

/**
 * Returns the account of PostgreSQL if the script runs as root, which PostgreSQL refuses; otherwise
 * undefined.
 */
export function postgresAccount(): { uid: number; gid: number } | undefined {
  if (!isRoot) return undefined
  const entry = readFileSync(inEngineRoot('/etc/passwd'), 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'postgres')
  if (!entry) throw new Error('account "postgres" not found; install the Debian package, which creates it')
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}
