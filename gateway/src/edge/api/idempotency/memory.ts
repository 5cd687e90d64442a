import type { Redis } from 'ioredis'

/** Share of `maxmemory` above which memory counts as scarce. */
const scarceAbove = 0.5
/** At 10,000 keys per second of 2 KB each, Redis grows by 40 MB in this time. */
const refreshMs = 2_000

/** Reports whether Redis is so full that accounts are limited to their share of its memory. */
export interface MemoryWatch {
  /** Returns the last known state, and refreshes it in the background when it is old. */
  isScarce(): boolean
}

export function watchMemory(
  redis: Pick<Redis, 'info'>,
  now: () => number = () => performance.now(),
): MemoryWatch {
  // Until Redis responds, and while it does not report its memory, only the share limits an account.
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

/** Returns true if Redis has no `maxmemory`: the shares must then be the limit. */
export function isFull(info: string): boolean {
  const read = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
  const most = read('maxmemory')
  return most === 0 || read('used_memory') > most * scarceAbove
}
