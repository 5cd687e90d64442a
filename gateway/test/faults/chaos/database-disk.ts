/**
 * Gives one server of the PostgreSQL pair a file system of its own: a tmpfs, whose size can be reduced to the space in
 * use. Only this server then runs out of space. On the disk of the machine everything would, and two servers that are
 * full at once hide the errors of the primary: its commits only wait for the standby.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  databaseRoles,
  leaveDatabaseStandby,
  promoteDatabase,
  rejoinDatabaseStandby,
  stopService,
} from '../../../../tools/engines/index.ts'
import { getStandby } from '../../../../tools/engines/postgres/pair.ts'
import { databasePaths } from '../../../../tools/engines/postgres/postgres.ts'
import { debianRoot } from '../../../../tools/engines/releases.ts'
import { requireSet } from '../../../../tools/engines/service-set.ts'
import { waitFor } from '../../support/wait.ts'

/** The server that has moved. */
let moved: { readonly server: string; readonly folder: string } | undefined

/** Returns why this machine cannot give a server a file system; undefined if it can. */
export function findReasonForNoDisk(): string | undefined {
  if (debianRoot() !== undefined) return 'engines in a root folder of their own do not see new mounts'
  const folder = mkdtempSync(join(tmpdir(), 'postern-mount-'))
  try {
    mountOn(folder)
    unmount(folder)
    return undefined
  } catch (error) {
    return `cannot mount a file system: ${(error as Error).message}`
  } finally {
    rmdirSync(folder)
  }
}

/** Rebuilds the standby on a file system of its own. */
export async function moveStandby(): Promise<void> {
  const set = requireSet()
  const { folder, cluster } = databasePaths(set, getStandby(set))
  const server = databaseRoles().standby
  await leaveDatabaseStandby()
  await stopService(server)
  // The old data would appear again when the server has moved back.
  rmSync(cluster, { recursive: true })
  mountOn(folder)
  moved = { server, folder }
  await rejoinDatabaseStandby()
}

/** Rebuilds the server that has moved as the standby, on the disk of the machine. */
export async function moveBack(): Promise<void> {
  if (moved === undefined) return
  const { server, folder } = moved
  const { primary, standby } = databaseRoles()
  if (primary === server) await promoteDatabase()
  else {
    await leaveDatabaseStandby()
    await stopService(standby)
  }
  unmount(folder)
  moved = undefined
  await rejoinDatabaseStandby()
}

/** Leaves no free space to the server that has moved. */
export async function fillDisk(): Promise<void> {
  const { folder } = moved!
  await waitFor('a full disk', () => {
    const { blocks, bfree, bsize } = statfsSync(folder)
    try {
      resize(folder, String((blocks - bfree) * bsize))
      return true
    } catch {
      // The server has written more in the meantime.
      return false
    }
  })
}

export function freeDisk(): void {
  resize(moved!.folder, '50%')
}

function mountOn(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', 'postern-chaos', folder], { stdio: 'pipe' })
}

function resize(folder: string, size: string): void {
  execFileSync('mount', ['-o', `remount,size=${size}`, folder], { stdio: 'pipe' })
}

function unmount(folder: string): void {
  execFileSync('umount', [folder], { stdio: 'pipe' })
}
