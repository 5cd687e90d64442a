// Tracks the commands that use a set: the command that started the services must not stop them while others
// use them. Call with the lock held.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identify, runningFrom } from './process.ts'
import type { ServiceSet } from './service-set.ts'

const ownFile = (set: ServiceSet) => join(set.paths.users, String(process.pid))

export function registerUser(set: ServiceSet): void {
  mkdirSync(set.paths.users, { recursive: true })
  writeFileSync(ownFile(set), JSON.stringify(identify(process.pid)))
}

/** Unregisters this command and returns the number of other users of the set, without killed processes. */
export function unregisterUser(set: ServiceSet): number {
  rmSync(ownFile(set), { force: true })
  const files = readdirSync(set.paths.users).map((name) => join(set.paths.users, name))
  const others = files.filter((file) => runningFrom(file))
  for (const file of files) if (!others.includes(file)) rmSync(file, { force: true })
  return others.length
}
