/**
 * Reads the previous release, from which upgrades are tested. A file names it, because a clone may have no
 * tags. Before the first release the file names the current commit.
 */
import { readFileSync } from 'node:fs'

export interface PreviousRelease {
  readonly version: string
  readonly revision: string
  /** The last file of `gateway/migrations` in that release. */
  readonly lastMigration: string
}

export function readPrevious(): PreviousRelease {
  return JSON.parse(readFileSync(new URL('previous.json', import.meta.url), 'utf8')) as PreviousRelease
}
