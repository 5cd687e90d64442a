/**
 * Finds files for the public image endpoint, where anybody may ask for any key. A key that proves itself is looked up at
 * once. Any other key of the right form may have been made under another secret: these are looked up one at a time with
 * few waiting, so that a flood of invented keys costs one connection of a pool that nothing else uses.
 */
import { clock } from '../platform/clock.ts'
import { Problem } from '../contract/problem.ts'
import { isFileKey, type FileMetadata } from './file.ts'
import type { KeyMac } from './key-mac.ts'
import type { FileLookup } from './lookup.ts'

/** At the 1 ms that a lookup takes they wait 20 ms; more than these few requests at a time are a flood. */
const maxWaiting = 20
/** A file lives for a year and is kept some days; a day for clocks that differ. */
const oldestDays = 380
const dayMs = 86_400_000

export interface PublicLookup {
  /** Null when there is no such file. Throws A920 during a flood of keys without proof. */
  find(key: string): Promise<FileMetadata | null>
  /** Without the cache, after the bytes of a file were not found. */
  findAgain(key: string): Promise<FileMetadata | null>
}

export function createPublicLookup(lookup: FileLookup, mac: Pick<KeyMac, 'proves'>): PublicLookup {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  function findInTurn(key: string): Promise<FileMetadata | null> {
    if (waiting >= maxWaiting)
      return Promise.reject(new Problem('A920', 'Service busy: send the request again', 1))
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

/** Whether a file with this key can exist now, by the time in the key. */
function isPlausible(key: string, now: number): boolean {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})\d{9}C/.exec(key) ?? []
  const at = Date.parse(`${year}-${month}-${day}`)
  return at <= now + dayMs && at >= now - oldestDays * dayMs
}
