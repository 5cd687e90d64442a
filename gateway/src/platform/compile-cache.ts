/**
 * A folder for compiled code that only this user can write. Node's own default is one folder of the temporary directory for
 * all users: whoever creates it first could replace the code that this program runs. Called by `main.ts`, before anything
 * else is imported.
 */
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Null when the folder belongs to somebody else or others can write it; the program then starts without a cache. */
export function privateCacheFolder(parent = tmpdir()): string | null {
  // Not userInfo(), which fails for a user without a name, as a container may have.
  const uid = process.getuid?.()
  if (uid === undefined) return null
  const folder = join(parent, `postern-compiled-${uid}`)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // It exists, or cannot be created: the check decides.
  }
  try {
    // Not stat: a link may lead to a folder of somebody else.
    const found = lstatSync(folder)
    return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0 ? folder : null
  } catch {
    return null
  }
}
