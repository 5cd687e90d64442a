/** Minimum duration of a backlog before it reveals the throughput. */
const learnMs = 3_000
/** Half-life of the highest throughput: a short pause of the carrier must not look like a slow one. */
const halfLifeMs = 8_000
/**
 * Tolerance as a fraction of the wait and in milliseconds: steps are released ten times per second, and not evenly.
 */
const slack = { fraction: 0.1, ms: 200 }
const maxWaitMs = 30_000

/**
 * Estimates how long a step that is released to a lane waits in memory: the parts ahead of it, at the highest throughput
 * of the route in the last seconds. Under overload the steps that wait longest are close to their deadline; the releaser
 * omits those that would reach it in the queue.
 */
export class QueueWait {
  #busy = false
  /** Time for which steps have waited while parts were submitted. */
  #learnedMs = 0
  #at: number | undefined
  #throughput = 0

  /**
   * Records a sample; must be called several times per second. `isBusy` is set if steps wait in the table and
   * can be submitted. `isPaused` is set if the carrier requested a pause, which does not reflect the
   * throughput after it. Neither does a second without submissions: PostgreSQL or the link was lost, and most
   * waiting steps can be sent when it returns.
   */
  sample(isBusy: boolean, throughput: number, now: number, isPaused = false): void {
    const elapsedMs = now - (this.#at ?? now)
    this.#at = now
    const begins = isBusy && !this.#busy
    this.#busy = isBusy
    if (!isBusy || begins) this.#learnedMs = 0
    if (isBusy && (isPaused || throughput === 0)) return
    if (isBusy && !begins) this.#learnedMs += elapsedMs
    // Without a backlog the route may have been idle, so it can submit at least this much.
    this.#throughput = Math.max(throughput, this.#throughput * 0.5 ** (elapsedMs / halfLifeMs))
  }

  get isKnown(): boolean {
    return this.#busy && this.#learnedMs >= learnMs && this.#throughput > 0
  }

  /**
   * Returns the minimum wait for `parts` parts ahead of a step plus the tolerance, in milliseconds, at most `maxWaitMs`; 0 if
   * the throughput is unknown.
   */
  minMs(parts: number): number {
    if (!this.isKnown) return 0
    const waitMs = (parts * 1000) / this.#throughput
    return Math.min(maxWaitMs, waitMs * (1 + slack.fraction) + slack.ms)
  }
}

/**
 * Returns how many parts of a lane are submitted before the next step of each account if accounts take turns
 * by weight (`AccountTurns`): its own parts, and as many of each other account as fit into these turns.
 * `parts` has the parts in the lane by account; an account that is not listed waits for none.
 */
export function countPartsAhead(
  parts: ReadonlyMap<number, number>,
  weightOf: (accountId: number) => number,
): Map<number, number> {
  const accounts = Array.from(parts, ([accountId, waiting]) => {
    const weight = weightOf(accountId)
    return { accountId, waiting, weight, turns: waiting / weight }
  }).sort((left, right) => left.turns - right.turns)
  let ended = 0
  let weights = accounts.reduce((sum, { weight }) => sum + weight, 0)
  const before = new Map<number, number>()
  for (const { accountId, waiting, weight, turns } of accounts) {
    // Accounts with at least as many turns, including this one, are still served at its last part.
    before.set(accountId, ended + turns * weights)
    ended += waiting
    weights -= weight
  }
  return before
}
