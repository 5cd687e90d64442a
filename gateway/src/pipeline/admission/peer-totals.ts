/**
 * What the other API processes have published to a lane since this one first heard of each. They report totals, so that a
 * report that is lost is made up for by the next one, and those of their last report, by which the first that is heard
 * counts. Times are monotonic milliseconds. Pure.
 */
import type { Published } from '../../platform/broker/publish.ts'
import { minus, nothingPublished, plus } from './queue-size.ts'

/** A process that was not heard of for this long counts from its next report on. */
const forgetMs = 3_600_000
/** Bounds the memory whatever is received. */
const maxPeers = 1_000

export class PeerTotals {
  readonly #peers = new Map<string, { readonly totals: Published; readonly atMs: number }>()
  #sum = nothingPublished

  report(process: string, totals: Published, before: Published, nowMs: number): void {
    const last = this.#peers.get(process)
    if (last === undefined && this.#peers.size >= maxPeers) this.#forget(nowMs)
    if (last === undefined && this.#peers.size >= maxPeers) return
    this.#peers.set(process, { totals, atMs: nowMs })
    const reported = last?.totals ?? before
    if (totals.groups >= reported.groups) this.#sum = plus(this.#sum, minus(totals, reported))
  }

  get sum(): Published {
    return this.#sum
  }

  #forget(nowMs: number): void {
    for (const [process, { atMs }] of this.#peers) if (nowMs - atMs > forgetMs) this.#peers.delete(process)
  }
}
