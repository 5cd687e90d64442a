// Runs the Erlang name server (epmd) and keeps the cookie of the project's nodes, separate from those of the
// system.

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { host, isPortFree } from '../ports.ts'
import { probePort } from '../probe.ts'
import { forget, launch, runningFrom, signalAndWait } from '../process.ts'
import type { ServiceSet } from '../service-set.ts'
import { waitForCondition } from '../wait-for-condition.ts'

const pidFile = (set: ServiceSet) => join(set.paths.run, 'epmd.json')

/** Erlang accepts the cookie only if no other user can read it. */
export function ensureCookie(home: string): void {
  const file = join(home, '.erlang.cookie')
  if (!existsSync(file)) writeFileSync(file, randomBytes(16).toString('hex').toUpperCase(), { mode: 0o400 })
}

/** Starts epmd before the first node, which would start one with an unknown pid that cannot be stopped. */
export async function ensureEpmd(set: ServiceSet): Promise<void> {
  const port = set.ports.epmd
  const log = join(set.paths.log, 'epmd.log')
  if (!isEpmdRunning(set)) {
    mkdirSync(set.paths.run, { recursive: true })
    launch({
      command: 'epmd',
      args: ['-address', host, '-port', String(port)],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      cwd: set.paths.directory,
      log,
      pidFile: pidFile(set),
    })
  }
  const up = await waitForCondition(5_000, () => probePort(port))
  if (up && isEpmdRunning(set)) return
  const taken = up || !(await isPortFree(port))
  throw new Error(taken ? `epmd: port ${port} is already in use` : `epmd does not start, see ${log}`)
}

export function isEpmdRunning(set: ServiceSet): boolean {
  return runningFrom(pidFile(set)) !== undefined
}

export async function stopEpmd(set: ServiceSet): Promise<void> {
  const running = runningFrom(pidFile(set))
  if (running) await signalAndWait(running, 'SIGTERM', 5000)
  forget(pidFile(set))
}
