/**
 * Finds a directory for compiled code that only this user can write. The default of Node.js is one directory
 * in the temporary directory for all users: the user who creates it first could replace the code that this
 * program runs.
 */
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates the directory if it is missing. Returns null if that fails, or if another user owns or can access it; the program
 * then starts without a cache.
 */
export function privateCacheFolder(parent = tmpdir()): string | null {
  // userInfo() fails for a user without a name, for example in a container.
  const uid = process.getuid?.()
  if (uid === undefined) return null
  const folder = join(parent, `postern-compiled-${uid}`)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // The check below decides whether the existing directory can be used.
  }
  try {
    // stat would follow a link to another user's directory.
    const status = lstatSync(folder)
    return status.isDirectory() && status.uid === uid && (status.mode & 0o077) === 0 ? folder : null
  } catch {
    return null
  }
}
