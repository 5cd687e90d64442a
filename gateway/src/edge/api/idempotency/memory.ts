import type { Redis } from 'ioredis'

/** Fraction of `maxmemory` above which memory counts as scarce. */
const scarceAbove = 0.5
/** At 10,000 keys per second of 2 KB each, Redis grows by 40 MB in this time. */
const refreshMs = 2_000

/** Observes whether Redis is so full that the keys of each account are limited. */
export interface MemoryWatch {
  /** Returns the last known state, and refreshes it in the background when it is old. */
  isScarce(): boolean
}

export function watchMemory(
  redis: Pick<Redis, 'info'>,
  now: () => number = () => performance.now(),
): MemoryWatch {
  // Until Redis responds, and while it does not report its memory, accounts are limited.
  let scarce = true
  let refreshedAt = -Infinity
  const refresh = async (): Promise<void> => {
    scarce = isFull(await redis.info('memory').catch(() => ''))
  }
  return {
    isScarce() {
      if (now() - refreshedAt >= refreshMs) {
        refreshedAt = now()
        void refresh()
      }
      return scarce
    },
  }
}

/** Returns true also if Redis has no `maxmemory`: then only the limits of the accounts protect it. */
export function isFull(info: string): boolean {
  const read = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
  const maxMemory = read('maxmemory')
  return maxMemory === 0 || read('used_memory') > maxMemory * scarceAbove
}
