// The engines of `npm run dev` in containers, for users who cannot install them: without root, or on another
// system than Debian.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceEnvironment } from '../engines/choose-services.ts'
import { missingPackages } from '../engines/install/install.ts'
import { isRoot } from '../engines/paths.ts'

/** The ports of engines.compose.yaml. They are fixed, so that URLs in a shell stay valid. */
export const containerUrls: ServiceEnvironment = {
  POSTERN_DATABASE_URL: 'postgres://postern:development@127.0.0.1:23532/postern',
  POSTERN_BROKER_URLS: 'amqp://postern:development@127.0.0.1:23572',
  POSTERN_REDIS_URL: 'redis://127.0.0.1:23579',
}

/** Returns true if Docker works and the engines are neither installed on this machine nor can be. */
export function needsContainers(): boolean {
  const canInstall = isRoot && existsSync('/usr/bin/apt-get')
  const hasEngines = process.platform === 'linux' && (canInstall || missingPackages().length === 0)
  return !hasEngines && succeeds('docker', 'info') && succeeds('docker', 'compose', 'version')
}

export function containersRun(): boolean {
  const { stdout } = compose('pipe', 'ps', '--quiet', '--status', 'running')
  return stdout.trim().split('\n').length === Object.keys(containerUrls).length
}

export function startContainers(): ServiceEnvironment {
  if (compose('inherit', 'up', '--detach', '--wait').status !== 0)
    throw new Error('the containers of the engines did not start; see the output of Docker')
  return containerUrls
}

export function stopContainers(): void {
  compose('inherit', 'stop')
}

function compose(output: 'pipe' | 'inherit', ...args: readonly string[]) {
  const file = ['--file', join(import.meta.dirname, 'engines.compose.yaml')]
  // Standard output belongs to the command.
  const stdout = output === 'pipe' ? 'pipe' : 2
  return spawnSync('docker', ['compose', ...file, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'inherit'],
  })
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
