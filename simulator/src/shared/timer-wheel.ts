/**
 * Runs thousands of delayed functions with a single timer: never early, up to two ticks late, and in order
 * within a tick. Holds no timer while idle.
 */

const TICK_MS = 5

export class TimerWheel {
  readonly #slots = new Map<number, (() => void)[]>()
  #timer: NodeJS.Timeout | undefined
  #lastSlotRun = 0

  after(delayMs: number, work: () => void): void {
    if (this.#timer === undefined) {
      this.#lastSlotRun = Math.floor(performance.now() / TICK_MS)
      this.#timer = setInterval(() => this.#turn(), TICK_MS)
    }
    const slot = Math.max(Math.ceil((performance.now() + delayMs) / TICK_MS), this.#lastSlotRun + 1)
    const waiting = this.#slots.get(slot)
    if (waiting === undefined) this.#slots.set(slot, [work])
    else waiting.push(work)
  }

  #turn(): void {
    const now = Math.floor(performance.now() / TICK_MS)
    while (this.#lastSlotRun < now) {
      const slot = ++this.#lastSlotRun
      const waiting = this.#slots.get(slot)
      if (waiting === undefined) continue
      this.#slots.delete(slot)
      for (const work of waiting) work()
    }
    if (this.#slots.size === 0) this.clear()
  }

  clear(): void {
    this.#slots.clear()
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
