/**
 * Whether Redis is so full that accounts are held to their share of it. While more than half of its memory is free, an account may take
 * more: the share protects the others, and a large customer needs no setting of its own until they need the room.
 */
import type { Redis } from 'ioredis'

/** Of `maxmemory`. The other half is for accounts that are within their shares. */
const scarceAbove = 0.5
/** At 10,000 keys a second of 2 KB each, Redis grows by 40 MB in this time. */
const refreshMs = 2_000

export interface MemoryWatch {
  /** Answers from the last look at Redis and takes another one, without waiting for it, when that is old. */
  isScarce(): boolean
}

export function watchMemory(
  redis: Pick<Redis, 'info'>,
  now: () => number = () => performance.now(),
): MemoryWatch {
  // Until Redis has answered, and when it does not say: the share is all that bounds an account.
  let scarce = true
  let lookedAt = -Infinity
  const look = async (): Promise<void> => {
    scarce = isFull(await redis.info('memory').catch(() => ''))
  }
  return {
    isScarce() {
      if (now() - lookedAt >= refreshMs) {
        lookedAt = now()
        void look()
      }
      return scarce
    },
  }
}

/** Without `maxmemory` Redis has no bound of its own, so that the shares have to be one. */
export function isFull(info: string): boolean {
  const read = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
  const most = read('maxmemory')
  return most === 0 || read('used_memory') > most * scarceAbove
}
