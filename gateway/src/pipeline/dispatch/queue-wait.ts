/**
 * How long a step that is released to a lane of the route waits in memory: the parts before it, at the route's throughput
 * while steps wait in the table as well. Under overload the steps that wait longest are close to their deadline;
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
  #since: number | undefined
  #at = 0
  #throughput = 0

  /**
   * Called several times a second. `isBusy`: steps wait in the table and can be submitted. `isPaused`: the carrier has asked
   * for a pause, which says nothing about the throughput after it.
   */
  sample(isBusy: boolean, throughput: number, now: number, isPaused = false): void {
    if (!isBusy) {
      this.#since = undefined
      this.#throughput = 0
      return
    }
    this.#since ??= now
    if (isPaused) {
      if (this.#throughput === 0) this.#since = now
      this.#at = now
      return
    }
    // Parts of the last whole second: before that it may have been idle.
    if (now - this.#since >= learnMs / 2)
      this.#throughput = Math.max(throughput, this.#throughput * 0.5 ** ((now - this.#at) / halfLifeMs))
    this.#at = now
  }

  /** Whether the throughput is. */
  isKnown(now: number): boolean {
    return this.#since !== undefined && now - this.#since >= learnMs && this.#throughput > 0
  }

  /** `parts`: in the lane before the step. 0 while the throughput is not known. */
  minMs(parts: number, now: number): number {
    if (!this.isKnown(now)) return 0
    const waitMs = (parts * 1000) / this.#throughput
    return Math.min(maxWaitMs, waitMs * (1 + slack.share) + slack.ms)
  }
}
