/**
 * Finds files for the public image endpoint, which accepts any key from any client. A key with a valid MAC is
 * looked up immediately. Any other key of the right form can have been created with another secret: these are
 * looked up one at a time with few waiting, so that a flood of invented keys uses one connection of a pool
 * that nothing else uses.
 */
import { clock } from '../../platform/time/clock.ts'
import { Problem } from '../../contract/problem.ts'
import type { FileMetadata } from './file.ts'
import { isFileKey } from '../../contract/file-key.ts'
import type { KeyMac } from './key-mac.ts'
import type { FileLookup } from './lookup.ts'

/** Maximum number of waiting lookups of keys without a MAC; more at a time are a flood. */
const maxWaiting = 20
/**
 * Days for which a key can be valid: a file lives for a year and is stored for some days more, plus a day for
 * clock differences.
 */
const oldestDays = 380
const dayMs = 86_400_000

export interface PublicLookup {
  /** Returns null if the file does not exist. Throws A920 during a flood of keys without a valid MAC. */
  find(key: string): Promise<FileMetadata | null>
  /** Bypasses the cache, for use after the bytes of a file were not found. */
  findAgain(key: string): Promise<FileMetadata | null>
}

export function createPublicLookup(lookup: FileLookup, mac: Pick<KeyMac, 'proves'>): PublicLookup {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  function findInTurn(key: string): Promise<FileMetadata | null> {
    if (waiting >= maxWaiting) return Promise.reject(new Problem('A920', 'Service busy: retry', 1))
    waiting++
    const found = last.then(() => lookup.find(key)).finally(() => waiting--)
    last = found.catch(() => undefined)
    return found
  }

  return {
    findAgain(key) {
      lookup.forget(key)
      return lookup.find(key)
    },
    find(key) {
      if (!isFileKey(key)) return Promise.resolve(null)
      if (mac.proves(key) || lookup.isKnown(key)) return lookup.find(key)
      return isPlausible(key, clock.now()) ? findInTurn(key) : Promise.resolve(null)
    },
  }
}

/** Reports whether a file with this key can exist now, by the time in the key. */
function isPlausible(key: string, now: number): boolean {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})\d{9}C/.exec(key) ?? []
  const at = Date.parse(`${year}-${month}-${day}`)
  return at <= now + dayMs && at >= now - oldestDays * dayMs
}
