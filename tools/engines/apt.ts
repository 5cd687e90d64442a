// Installs Debian packages as root. The system must not start the installed engines: the project runs its own
// on its own ports.

import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { print } from './print.ts'

const policy = '/usr/sbin/policy-rc.d'
const savedPolicy = '/usr/sbin/policy-rc.d.postern-saved'

export function installDebianPackagesAsRoot(packages: readonly string[]): void {
  print(`installing ${packages.join(', ')}`)
  withoutAutomaticStart(() => {
    apt(['update'])
    apt(['install', '-y', '--no-install-recommends', ...packages])
  })
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
