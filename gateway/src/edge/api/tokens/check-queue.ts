import { Problem } from '../../../contract/problem.ts'

export type CheckLane = 'known' | 'unknown'

/** One of libuv's threads stays free for files and name resolution. */
const defaultRunning = 3
const maxUnknown = 1
/** Limits the wait of the last check to about 2 s in the unknown lane and 5 s in the known lane. */
const defaultWaiting: Readonly<Record<CheckLane, number>> = { known: 200, unknown: 30 }
const retrySeconds = { known: 2, unknown: 5 } as const

/**
 * Limits the work of password checks. A check takes 19 MiB and occupies one of four libuv threads, and anyone can
 * request one. Unknown clients get one thread; clients that have logged in from their address before get the other
 * two as well, and go first. A check that cannot start soon is refused immediately, so a flood costs at most one
 * thread.
 */
export class CheckQueue {
  readonly #waiting: Record<CheckLane, (() => void)[]> = { known: [], unknown: [] }
  readonly #maxWaiting: Readonly<Record<CheckLane, number>>
  readonly #maxRunning: number
  #running = 0
  #unknown = 0

  constructor(maxWaiting = defaultWaiting, maxRunning = defaultRunning) {
    this.#maxWaiting = maxWaiting
    this.#maxRunning = maxRunning
  }

  /** Throws A920 if the lane is full. Cheap; call it first. */
  requireRoom(lane: CheckLane): void {
    if (this.#waiting[lane].length < this.#maxWaiting[lane]) return
    throw new Problem(
      'A920',
      'Service busy: too many passwords are being checked; retry, or use a token that is still valid',
      retrySeconds[lane],
    )
  }

  async run<T>(lane: CheckLane, check: () => Promise<T>): Promise<T> {
    this.requireRoom(lane)
    await new Promise<void>((resolve) => {
      this.#waiting[lane].push(resolve)
      this.#startNext()
    })
    try {
      return await check()
    } finally {
      this.#running--
      if (lane === 'unknown') this.#unknown--
      this.#startNext()
    }
  }

  #startNext(): void {
    while (this.#running < this.#maxRunning) {
      const known = this.#waiting.known.shift()
      const unknown =
        known === undefined && this.#unknown < maxUnknown ? this.#waiting.unknown.shift() : undefined
      const next = known ?? unknown
      if (next === undefined) return
      this.#running++
      if (unknown !== undefined) this.#unknown++
      next()
    }
  }
}
