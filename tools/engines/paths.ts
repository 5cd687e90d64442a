// Computes the paths of a set of services: data, logs, pid files. Reads the environment at every call, so
// that a script can choose another set with POSTERN_SERVICES_DIR. Creates nothing.

import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { chosenRelease, debianRoot } from './releases.ts'

export const projectRoot = resolve(import.meta.dirname, '../..')

export const isRoot = process.getuid?.() === 0

/** PostgreSQL never runs as root, so its account must be able to enter every folder above its data. */
export function isReachableByOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(folder) && (statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

export function servicesDirectory(): string {
  // One release cannot read the data of another.
  return debianRoot() === undefined ? baseDirectory() : join(baseDirectory(), chosenRelease())
}

function baseDirectory(): string {
  const chosen = process.env.POSTERN_SERVICES_DIR
  if (chosen) return resolve(chosen)
  const standard = join(projectRoot, '.services')
  // CI often has its checkout under /root (mode 0700).
  return isRoot && !isReachableByOthers(standard)
    ? `/var/tmp/postern-services-${shortHash(standard)}`
    : standard
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

export interface ServicePaths {
  readonly directory: string
  readonly run: string
  readonly log: string
  readonly users: string
  readonly state: string
}

export function pathsIn(directory: string): ServicePaths {
  return {
    directory,
    run: join(directory, 'run'),
    log: join(directory, 'log'),
    users: join(directory, 'users'),
    state: join(directory, 'services.json'),
  }
}
