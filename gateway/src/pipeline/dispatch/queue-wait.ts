/**
 * How long a step that is released to a lane of the route waits in memory: the parts before it, at the highest
 * throughput of the route in the last seconds. Under overload the steps that wait longest are close to their deadline;
 * the releaser leaves out those that would reach it in the queue. Pure; called by the owner of a route.
 */

/** A backlog says nothing about the throughput before it has lasted this long. */
const learnMs = 3_000
/** The highest throughput counts half as much after this long: a short pause of the carrier must not look like a slow one. */
const halfLifeMs = 8_000
/** Steps are released ten times a second, and not evenly. */
const slack = { share: 0.1, ms: 200 }
/** Whatever the throughput was. */
const maxWaitMs = 30_000

export class QueueWait {
  #busy = false
  /** How long steps have waited while parts were submitted. */
  #learnedMs = 0
  #at: number | undefined
  #throughput = 0

  /**
   * Called several times a second. `isBusy`: steps wait in the table and can be submitted. `isPaused`: the carrier has asked
   * for a pause, which says nothing about the throughput after it. Nor does a second in which nothing was submitted: PostgreSQL
   * or the link was lost, and most of what waits can be sent when it returns.
   */
  sample(isBusy: boolean, throughput: number, now: number, isPaused = false): void {
    const elapsedMs = now - (this.#at ?? now)
    this.#at = now
    const begins = isBusy && !this.#busy
    this.#busy = isBusy
    if (!isBusy || begins) this.#learnedMs = 0
    if (isBusy && (isPaused || throughput === 0)) return
    if (isBusy && !begins) this.#learnedMs += elapsedMs
    // Without a backlog it may have been idle: the route can submit at least as much.
    this.#throughput = Math.max(throughput, this.#throughput * 0.5 ** (elapsedMs / halfLifeMs))
  }

  /** Whether the throughput is. */
  get isKnown(): boolean {
    return this.#busy && this.#learnedMs >= learnMs && this.#throughput > 0
  }

  /** `parts`: in the lane before the step. 0 while the throughput is not known. */
  minMs(parts: number): number {
    if (!this.isKnown) return 0
    const waitMs = (parts * 1000) / this.#throughput
    return Math.min(maxWaitMs, waitMs * (1 + slack.share) + slack.ms)
  }
}
