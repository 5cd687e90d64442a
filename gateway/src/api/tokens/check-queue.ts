/**
 * Bounds the work of checking passwords. A check takes 19 MiB and 25 to 90 ms of a libuv thread, of which there are four,
 * and anyone may ask for one. Strangers get one thread; clients that have logged in from their address before get the two
 * others as well, and go first. What cannot be checked soon is refused at once, so a flood costs no more than one thread.
 */
import { Problem } from '../../contract/problem.ts'

export type CheckLane = 'familiar' | 'stranger'

/** One of libuv's threads stays free for files and name resolution. */
const usualRunning = 3
const maxStrangers = 1
/** Wait of the last one: about 2 s for a stranger, 5 s for a client, by the times above. */
const usualWaiting: Readonly<Record<CheckLane, number>> = { familiar: 200, stranger: 30 }
const retrySeconds = { familiar: 2, stranger: 5 } as const

export class CheckQueue {
  readonly #waiting: Record<CheckLane, (() => void)[]> = { familiar: [], stranger: [] }
  readonly #maxWaiting: Readonly<Record<CheckLane, number>>
  readonly #maxRunning: number
  #running = 0
  #strangers = 0

  constructor(maxWaiting = usualWaiting, maxRunning = usualRunning) {
    this.#maxWaiting = maxWaiting
    this.#maxRunning = maxRunning
  }

  /** Throws A920 when the lane is full. Costs nothing, so it is asked before anything else. */
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
      if (lane === 'stranger') this.#strangers--
      this.#startNext()
    }
  }

  #startNext(): void {
    while (this.#running < this.#maxRunning) {
      const familiar = this.#waiting.familiar.shift()
      const stranger =
        familiar === undefined && this.#strangers < maxStrangers ? this.#waiting.stranger.shift() : undefined
      const next = familiar ?? stranger
      if (next === undefined) return
      this.#running++
      if (stranger !== undefined) this.#strangers++
      next()
    }
  }
}
