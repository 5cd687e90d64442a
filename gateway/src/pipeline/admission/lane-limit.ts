/**
 * How many messages a second all API processes together may admit to a lane: no limit while the first queue is young; above
 * the soft bound what intake drains, less a part for what waits already. Pure, driven by the caller's clock; called by every
 * API process several times a second.
 */
import { reportEveryMs, type LaneView } from './lane-watch.ts'

/** Longer than intake takes when it is busy and keeps up (up to 0.3 s), short beside the 3 seconds promised to neighbours. */
const softMs = 500
/**
 * So few messages are recorded in one batch: after a stall of a second (a checkpoint, a machine short of CPU) they are gone
 * before a refused client returns. At 25 and at 100 messages a second such stalls refused sends although intake kept up.
 */
const fewMessages = 200
/** If even a few messages stay late for longer than this, intake is slow. */
const stallMs = 2_000
/** What waits beyond the soft bound is to be drained in about this time. */
const drainMs = 2_000
/** However old the queue is, new messages get this part of what is drained: small accounts are never shut out. */
const minPart = 0.25
/** A demand of up to this part of the capacity lets the queue drain by itself: nobody needs to be refused. */
const drainingPart = 0.7
/** Below the soft bound the limit grows by this factor a second: intake may have become faster. */
const growthPerSecond = 1.3
/** The limit ends when everything has fitted for this long; a client that was told to wait has come back by then. */
const calmMs = 5_000
/** How quickly the known capacity follows the measured one: two or three reports of a worker. */
const followMs = 300
/** A worker that has just started is slow at first: what it drains for this long is not its capacity. */
const warmUpMs = 3_000
/** Messages a second assumed until intake was seen to record more; a single worker on two cores records thousands. */
const assumedCapacity = 2_000
/** Even the slowest intake leaves room for one request a second. */
const minCapacity = 10

export class LaneLimit {
  #capacity = assumedCapacity
  #limit: number | undefined
  #atMs: number | undefined
  #calmSinceMs: number | undefined
  #stalledAtMs = -Infinity
  #lateSinceMs: number | undefined
  /** A worker has reported since this process started. */
  #isMeasured = false

  /** Messages a second that intake can record, as far as it is known. */
  get capacity(): number {
    return this.#capacity
  }

  /** Messages a second; undefined: no limit. `demand` is what accounts ask for a second, at all API processes. */
  next(view: LaneView, demand: number, nowMs: number): number | undefined {
    const elapsedMs = Math.max(0, nowMs - (this.#atMs ?? nowMs))
    this.#atMs = Math.max(this.#atMs ?? nowMs, nowMs)
    const waitMs = Math.max(view.ageMs, this.#backlogMs(view))
    this.#isMeasured ||= view.drained > 0
    // Of an intake that was never heard of nothing is known: the reserve alone bounds what is accepted.
    const isLate = this.#isMeasured && this.#isLate(view, waitMs, nowMs)
    if (view.stalledMs > 0) this.#stalledAtMs = nowMs
    // Not by older reports: before it is known as one, a standstill would look like a low capacity.
    else if (view.silentMs <= 2 * reportEveryMs)
      this.#learn(view, isLate && nowMs - this.#stalledAtMs > warmUpMs, elapsedMs)
    if (isLate) {
      this.#calmSinceMs = undefined
      const drainsByItself = demand <= drainingPart * this.#capacity
      this.#limit = this.#capacity * (drainsByItself ? 1 : this.#partOf(view))
    } else if (this.#limit !== undefined) {
      this.#limit *= growthPerSecond ** (elapsedMs / 1000)
      if (demand > this.#limit * 0.9) this.#calmSinceMs = undefined
      else this.#calmSinceMs ??= nowMs
      if (this.#calmSinceMs !== undefined && nowMs - this.#calmSinceMs >= calmMs) this.#limit = undefined
    }
    return this.#limit
  }

  #isLate({ messages, heldByActive: held }: LaneView, waitMs: number, nowMs: number): boolean {
    if (waitMs <= softMs) this.#lateSinceMs = undefined
    else this.#lateSinceMs ??= nowMs
    if (this.#lateSinceMs === undefined) return false
    return messages + held > fewMessages || nowMs - this.#lateSinceMs > stallMs
  }

  /** How long a message that is accepted now will wait: what workers hold and what waits in the broker is before it. */
  #backlogMs({ messages, heldByActive: held, drained }: LaneView): number {
    // Not by what is drained alone: a burst into an empty queue waits although little was drained before it.
    return ((messages + held) * 1000) / Math.max(drained, this.#capacity)
  }

  /** What is drained is the capacity only while messages wait; otherwise it shows no more than that it is not less. */
  #learn(view: LaneView, isSaturated: boolean, elapsedMs: number): void {
    const { drained, messages, heldByActive: held } = view
    if (!isSaturated || (messages + held) * 1000 < softMs * drained)
      this.#capacity = Math.max(this.#capacity, drained)
    else {
      const followed = (drained - this.#capacity) * (1 - Math.exp(-elapsedMs / followMs))
      this.#capacity = Math.max(minCapacity, this.#capacity + followed)
    }
  }

  /** The part of the capacity that new messages get. */
  #partOf(view: LaneView): number {
    // Nothing is drained, so leaving a part free helps nobody; the reserve bounds what is accepted.
    if (view.stalledMs > 0) return 1
    return Math.min(1, Math.max(minPart, 1 - (this.#backlogMs(view) - softMs) / drainMs))
  }
}
