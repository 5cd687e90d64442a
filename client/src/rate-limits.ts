import { sleep } from './abortable.ts'
import { QueueFullError, RateLimitError } from './errors.ts'

/** Maximum pause after a successful response. If the limit lasts longer, the next call gets a 429 and waits. */
const maxObservedMs = 60_000

/**
 * Honours the rate limits of the gateway. Each family of endpoints has its own limit. After a 429, and when a
 * limit is used up, all calls of the family wait, not only the rejected one.
 */
export class RateLimits {
  /** Time of the next allowed call by family. */
  readonly #openAt = new Map<string, number>()
  readonly #maxQueued: number
  #waiting = 0

  constructor(maxQueued: number) {
    this.#maxQueued = maxQueued
  }

  /** Rejects immediately if the wait would end after `endsAt` or if `maxQueued` calls are already waiting. */
  async waitUntilOpen(path: string, endsAt: number, signal?: AbortSignal): Promise<void> {
    const family = findFamily(path)
    for (let ms = this.#wait(family); ms > 0; ms = this.#wait(family)) {
      if (performance.now() + ms >= endsAt) throw createLimitError(ms)
      if (this.#waiting >= this.#maxQueued) throw new QueueFullError(this.#maxQueued)
      this.#waiting++
      try {
        // Jitter: calls that waited together must not all start at the same time.
        await sleep(ms * (1 + Math.random() * 0.2), signal)
      } finally {
        this.#waiting--
      }
    }
  }

  pause(path: string, ms: number): void {
    const family = findFamily(path)
    const until = performance.now() + ms
    this.#openAt.set(family, Math.max(until, this.#openAt.get(family) ?? 0))
  }

  /** Pauses the family if the limit is used up. Limits refill evenly, so the pause is the time for one call. */
  observe(path: string, headers: Headers): void {
    const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) => {
      const value = headers.get(`RateLimit-${name}`)
      return value === null ? NaN : Number(value)
    }) as [number, number, number]
    if (remaining === 0 && limit > 0 && reset > 0)
      this.pause(path, Math.min((reset * 1000) / limit, maxObservedMs))
  }

  #wait(family: string): number {
    return Math.max(0, (this.#openAt.get(family) ?? 0) - performance.now())
  }
}

function createLimitError(ms: number): RateLimitError {
  const retryAfter = Math.ceil(ms / 1000)
  return new RateLimitError({
    code: 'A020',
    status: 429,
    retryAfter,
    result: `rate limit exceeded; retry after ${retryAfter} s (beyond the call deadline)`,
  })
}

/**
 * Families by the second path segment. Calls of a family share a limit. Unlisted segments belong to `report`.
 */
const families: Readonly<Record<string, string>> = {
  auth: 'auth',
  send: 'send',
  file: 'file',
  form: 'form',
  suppression: 'form',
  conversion: 'form',
}

function findFamily(path: string): string {
  return families[path.split('/')[2]!] ?? 'report'
}
