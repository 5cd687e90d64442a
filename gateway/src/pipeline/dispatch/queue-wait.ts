/**
 * Estimates how long a step that is released to a lane waits in memory: the parts before it, at the highest throughput of
 * the route in the last seconds. Under overload the steps that wait longest are close to their deadline;
 * the releaser leaves out those that would reach it in the queue.
 */

/** A backlog says nothing about the throughput before it has lasted this long. */
const learnMs = 3_000
/** The highest throughput counts half as much after this long: a short pause of the carrier must not look like a slow one. */
const halfLifeMs = 8_000
/** Steps are released ten times per second, and not evenly. */
const slack = { share: 0.1, ms: 200 }
const maxWaitMs = 30_000

export class QueueWait {
  #busy = false
  /** How long steps have waited while parts were submitted. */
  #learnedMs = 0
  #at: number | undefined
  #throughput = 0

  /**
   * Call it several times per second. `isBusy`: steps wait in the table and can be submitted. `isPaused`: the carrier has asked
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

  get isKnown(): boolean {
    return this.#busy && this.#learnedMs >= learnMs && this.#throughput > 0
  }

  /** `parts` are those in the lane before the step. Returns 0 while the throughput is not known. */
  minMs(parts: number): number {
    if (!this.isKnown) return 0
    const waitMs = (parts * 1000) / this.#throughput
    return Math.min(maxWaitMs, waitMs * (1 + slack.share) + slack.ms)
  }
}

/**
 * Returns how many parts of a lane are submitted before the next step of each account, when accounts take turns by their
 * weights (`account-turns.ts`): its own, and as many of each other account as that may send in these turns. `parts` are
 * those in the lane by account; an account without any waits for none.
 */
export function partsBefore(
  parts: ReadonlyMap<number, number>,
  weightOf: (accountId: number) => number,
): Map<number, number> {
  const accounts = Array.from(parts, ([accountId, own]) => {
    const weight = weightOf(accountId)
    return { accountId, own, weight, turns: own / weight }
  }).sort((one, other) => one.turns - other.turns)
  let ended = 0
  let weights = accounts.reduce((sum, { weight }) => sum + weight, 0)
  const before = new Map<number, number>()
  for (const { accountId, own, weight, turns } of accounts) {
    // Accounts with at least as many turns, this one among them, are still served at its last part.
    before.set(accountId, ended + turns * weights)
    ended += own
    weights -= weight
  }
  return before
}
