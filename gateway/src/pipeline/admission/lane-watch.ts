/**
 * What an API process knows of one lane of the first queue: how old it is, how much waits in it and how fast intake drains
 * it. Fed with the reports of workers and with the depth that the broker gives. Times are monotonic milliseconds. Pure.
 */
export interface LaneView {
  /** Age of what intake takes from the lane; it grows while nothing is recorded. */
  readonly ageMs: number
  /** Messages that wait in the broker. */
  readonly messages: number
  /** Messages a second, by the reports of the last one and a half seconds. */
  readonly drained: number
  readonly stalledMs: number
  /** Time since the last report of a worker; Infinity before the first. */
  readonly silentMs: number
}

/** Reports of one and a half seconds: three or more of each worker, so that one that is late does not count as a standstill. */
const windowMs = 1_500
/** Workers report five times a second; a queue that is not empty and of which nothing is heard for this long stands still. */
const stalledAfterMs = 1_000
/** How often a worker reports while it records. */
export const reportEveryMs = 200
/** Bounds the memory whatever is received: 100 workers. */
const maxReports = 1_000

interface Progress {
  readonly atMs: number
  readonly recorded: number
}

export class LaneWatch {
  readonly #progress: Progress[] = []
  #ageMs = 0
  #progressAtMs = -Infinity
  #messages = 0
  #filledAtMs = -Infinity

  /** A worker has recorded messages; `ageMs` is the time from accept until then, of the oldest. */
  recorded(messages: number, ageMs: number, nowMs: number): void {
    if (messages <= 0) return
    if (this.#progress.length >= maxReports) this.#progress.shift()
    this.#progress.push({ atMs: nowMs, recorded: messages })
    this.#ageMs = ageMs
    this.#progressAtMs = nowMs
  }

  /** Messages that wait in the broker. */
  depth(messages: number, nowMs: number): void {
    if (messages > 0 && this.#messages === 0) this.#filledAtMs = nowMs
    this.#messages = messages
  }

  view(nowMs: number): LaneView {
    while (this.#progress.length > 0 && this.#progress[0]!.atMs < nowMs - windowMs) this.#progress.shift()
    return {
      ageMs: this.#ageAt(nowMs),
      messages: this.#messages,
      drained: this.#drained,
      stalledMs: this.stalledMs(nowMs),
      silentMs: nowMs - this.#progressAtMs,
    }
  }

  /** How long nothing was recorded although messages wait; 0 while there is progress. */
  stalledMs(nowMs: number): number {
    const silent = this.#silent(nowMs)
    return this.#messages > 0 && silent > stalledAfterMs ? silent : 0
  }

  #ageAt(nowMs: number): number {
    if (this.#messages === 0) return nowMs - this.#progressAtMs < stalledAfterMs ? this.#ageMs : 0
    // What was recorded before the queue filled says nothing about what waits now.
    return (this.#progressAtMs >= this.#filledAtMs ? this.#ageMs : 0) + this.#silent(nowMs)
  }

  #silent(nowMs: number): number {
    return nowMs - Math.max(this.#progressAtMs, this.#filledAtMs)
  }

  get #drained(): number {
    const first = this.#progress[0]
    if (first === undefined) return 0
    const sum = this.#progress.reduce((all, { recorded }) => all + recorded, 0)
    // Until the last report, because a standstill is known as such; the first stands for the time since the one before it.
    return (sum * 1000) / (Math.max(0, this.#progressAtMs - first.atMs) + reportEveryMs)
  }
}
