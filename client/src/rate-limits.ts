/**
 * Honours the rate limits of the gateway. Each family of endpoints has its own; after a 429, and when nothing is left of
 * the limit, all calls of the family wait, not only the one that was refused.
 */
import { sleep } from './abortable.ts'
import { QueueFullError, RateLimitError } from './errors.ts'

/** Longest pause after a successful response. If the limit lasts longer, a 429 follows. */
const maxObservedMs = 60_000

export class RateLimits {
  /** When a family may be called again, by its name. */
  readonly #openAt = new Map<string, number>()
  readonly #maxQueued: number
  #waiting = 0

  constructor(maxQueued: number) {
    this.#maxQueued = maxQueued
  }

  /** Rejects at once when it is not open before `endsAt`, and when `maxQueued` calls wait already. */
  async untilOpen(path: string, endsAt: number, signal?: AbortSignal): Promise<void> {
    const family = findFamily(path)
    for (let ms = this.#wait(family); ms > 0; ms = this.#wait(family)) {
      if (performance.now() + ms >= endsAt) throw createLimitError(ms)
      if (this.#waiting >= this.#maxQueued) throw new QueueFullError(this.#maxQueued)
      this.#waiting++
      try {
        // Spread, so that those who waited together do not all come at once.
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

  /** The limit refills evenly: when nothing is left, the next call waits until one is. */
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
    result: `the rate limit of the gateway is used up for ${retryAfter} s, which is after the deadline of this call`,
  })
}

/** Calls of one family share a limit. Endpoints that are not listed belong to the family of reports. */
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
