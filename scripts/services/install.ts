// Installs missing Debian packages as root; otherwise prints what to install. The system never starts the engines
// that it installs: the project runs its own on its own ports.

import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isRoot } from './paths.ts'
import { haproxyProgram, postgresFolder, rabbitmqFolder, redisProgram } from './programs.ts'
import { print } from './print.ts'

const policy = '/usr/sbin/policy-rc.d'
const savedPolicy = '/usr/sbin/policy-rc.d.postern-saved'

export interface InstallOptions {
  readonly tests?: boolean
  /** A pair of PostgreSQL servers behind one address. */
  readonly standby?: boolean
}

export function missingPackages(options: InstallOptions = {}): string[] {
  return [
    ...(postgresFolder() ? [] : ['postgresql-15']),
    ...(rabbitmqFolder() && existsSync('/usr/bin/erl_call') ? [] : ['rabbitmq-server', 'erlang-base']),
    ...(redisProgram() ? [] : ['redis-server']),
    // In front of a PostgreSQL pair; in tests, in front of cells.
    ...((options.standby || options.tests) && !existsSync(haproxyProgram) ? ['haproxy'] : []),
    // A foreign SMPP implementation, for interoperability tests.
    ...(options.tests && !existsSync('/usr/share/perl5/Net/SMPP.pm') ? ['libnet-smpp-perl'] : []),
  ]
}

export function installMissing(options: InstallOptions = {}): void {
  const missing = missingPackages(options)
  if (missing.length === 0) return
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`
  if (!isRoot || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `Missing on this machine: ${missing.join(', ')}.\n` +
        `  On Debian 12, as root: apt-get update && ${command}\n` +
        '  Or use engines you have: set POSTERN_DATABASE_URL, POSTERN_BROKER_URLS and POSTERN_REDIS_URL.',
    )
  }
  print(`installing ${missing.join(', ')}`)
  withoutAutomaticStart(() => {
    apt(['update'])
    apt(['install', '-y', '--no-install-recommends', ...missing])
  })
  const still = missingPackages(options)
  if (still.length > 0) throw new Error(`Installed, but still not found: ${still.join(', ')}.`)
}

function apt(args: string[]): void {
  const done = spawnSync('apt-get', ['-q', ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (done.status === 0) return
  const tail = (done.stdout + done.stderr).trim().split('\n').slice(-15).join('\n  ')
  throw new Error(`apt-get ${args.join(' ')} failed:\n  ${tail}`)
}

/** Debian starts no installed service while policy-rc.d exits with 101. */
function withoutAutomaticStart(work: () => void): void {
  // A copy saved by an interrupted run is the original.
  if (existsSync(policy) && !existsSync(savedPolicy)) renameSync(policy, savedPolicy)
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    work()
  } finally {
    if (existsSync(savedPolicy)) renameSync(savedPolicy, policy)
    else rmSync(policy, { force: true })
  }
}
