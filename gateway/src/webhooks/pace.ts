/** At most so many a second, with a tenth of a second's worth at once. Asked before each push; keeps no timer. */
const burstMs = 100

export class Pace {
  #gapMs: number
  /** When the next one is due if they come evenly. */
  #dueAt = 0

  constructor(perSecond: number) {
    this.#gapMs = 1000 / perSecond
  }

  change(perSecond: number): void {
    this.#gapMs = 1000 / perSecond
  }

  /** 0: take one now; else how long to wait before asking again. */
  take(nowMs: number): number {
    const due = Math.max(this.#dueAt, nowMs - burstMs)
    if (due > nowMs) return due - nowMs
    this.#dueAt = due + this.#gapMs
    return 0
  }
}
