/**
 * What an API process knows of one lane of the first queue: how old it is, how much waits in it and how fast intake drains
 * it. Fed with the reports of workers and with the depth that the broker gives. Times are monotonic milliseconds. Pure.
 */
import type { LaneReport } from './lane-progress.ts'

export interface LaneView {
  /** Age of what intake takes from the lane; it grows while nothing is recorded. */
  readonly ageMs: number
  /** Messages that wait in the broker. */
  readonly messages: number
  /** Messages that workers have taken and not recorded yet. */
  readonly held: number
  /** Without those of workers that stand still while others record: new messages do not wait behind them. */
  readonly heldByActive: number
  /** Messages a second, over all workers, by the reports of the last two seconds. */
  readonly drained: number
  readonly stalledMs: number
  /** Time since a worker last recorded something; Infinity before the first. */
  readonly silentMs: number
}

/** Two or more batches of each worker even when intake is slow. */
const windowMs = 2_000
/** Batches of a slow intake take up to a second or two; a queue of which nothing is recorded for longer stands still. */
const stalledAfterMs = 2_000
/** How often a worker reports while it holds messages. */
export const reportEveryMs = 200
/** A worker of which nothing is heard for this long holds nothing: the broker has its messages back. */
const goneMs = 1_500
/** Bounds the memory whatever is received. */
const maxWorkers = 1_000

interface Worker {
  readonly progress: { readonly atMs: number; readonly recorded: number; readonly coveredMs: number }[]
  held: number
  /** Of its last report. */
  atMs: number
  /** When it last recorded something, or began to hold messages. */
  progressAtMs: number
}

export class LaneWatch {
  readonly #workers = new Map<string, Worker>()
  #ageMs = 0
  #progressAtMs = -Infinity
  #messages = 0
  #filledAtMs = -Infinity

  report(process: string, { recorded, coveredMs, held, ageMs }: LaneReport, nowMs: number): void {
    const worker = this.#workers.get(process) ?? { progress: [], held: 0, atMs: nowMs, progressAtMs: nowMs }
    if (!this.#workers.has(process) && this.#workers.size >= maxWorkers) return
    this.#workers.set(process, worker)
    if (recorded > 0 || worker.held === 0) worker.progressAtMs = nowMs
    worker.held = held
    worker.atMs = nowMs
    if (recorded <= 0) return
    worker.progress.push({ atMs: nowMs, recorded, coveredMs })
    this.#ageMs = ageMs
    this.#progressAtMs = nowMs
  }

  /** Messages that wait in the broker. */
  depth(messages: number, nowMs: number): void {
    if (messages > 0 && this.#messages === 0) this.#filledAtMs = nowMs
    this.#messages = messages
  }

  view(nowMs: number): LaneView {
    let [held, heldByActive, drained] = [0, 0, 0]
    const isRecording = nowMs - this.#progressAtMs <= stalledAfterMs
    for (const [process, worker] of this.#workers) {
      const { progress } = worker
      while (progress.length > 0 && progress[0]!.atMs < nowMs - windowMs) progress.shift()
      if (nowMs - worker.atMs <= goneMs) {
        held += worker.held
        if (!isRecording || nowMs - worker.progressAtMs <= stalledAfterMs) heldByActive += worker.held
      } else if (progress.length === 0) this.#workers.delete(process)
      drained += rateOf(worker)
    }
    return {
      ...{ ageMs: this.#ageAt(nowMs), messages: this.#messages, held, heldByActive, drained },
      ...{ stalledMs: this.stalledMs(nowMs), silentMs: nowMs - this.#progressAtMs },
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
}

/** Messages a second of one worker, while it held some. */
function rateOf({ progress }: Worker): number {
  const recorded = progress.reduce((sum, one) => sum + one.recorded, 0)
  const coveredMs = progress.reduce((sum, one) => sum + one.coveredMs, 0)
  return (recorded * 1000) / Math.max(coveredMs, reportEveryMs)
}
