/**
 * What one worker does with the messages of a lane: how many it holds, how many it recorded and in which time. The time that
 * a report covers is part of it, so that a rate is right however long a batch takes. Times are monotonic milliseconds. Pure.
 */
export interface LaneReport {
  /** Messages recorded since the last report. */
  readonly recorded: number
  /** The time in which they were recorded; time without messages is left out. */
  readonly coveredMs: number
  /** Messages taken from the queue and not recorded yet. */
  readonly held: number
  /** Of the last batch, the message in the middle by age: the time from accept until it was recorded. */
  readonly ageMs: number
}

export class LaneProgress {
  #held = 0
  #recorded = 0
  #ageMs = 0
  /** What was recorded until then is reported, or nothing was held until then. */
  #sinceMs = 0
  #recordedAtMs = 0

  taken(messages: number, nowMs: number): void {
    if (this.#held === 0 && this.#recorded === 0) this.#sinceMs = nowMs
    this.#held += messages
  }

  /** They are recorded, parked or given back. */
  left(messages: number): void {
    this.#held -= messages
  }

  recorded(messages: number, ageMs: number, nowMs: number): void {
    this.#recorded += messages
    this.#ageMs = ageMs
    this.#recordedAtMs = nowMs
  }

  /** Undefined when there is nothing to say: nothing is held, and nothing was recorded. */
  report(): LaneReport | undefined {
    if (this.#held <= 0 && this.#recorded === 0) return undefined
    const [recorded, held, ageMs] = [this.#recorded, Math.max(0, this.#held), this.#ageMs]
    if (recorded === 0) return { recorded, coveredMs: 0, held, ageMs }
    const coveredMs = Math.max(0, this.#recordedAtMs - this.#sinceMs)
    this.#sinceMs = this.#recordedAtMs
    this.#recorded = 0
    return { recorded, coveredMs, held, ageMs }
  }
}
