import { lanes, type Lane } from '../../channels/lane.ts'

export interface Waiter {
  readonly accountId: number
  readonly weight: number
}

/**
 * Deficit round robin over accounts: divides the free capacity of a lane by weight. An account that was not served for lack
 * of capacity is first in the next round. Credit that is less than a part, or for which no capacity was left, is kept while
 * the account still waits and dropped otherwise.
 */
export class FairShares {
  readonly #deficit = new Map<number, number>()
  /** Account after which the next round begins. */
  #after = -Infinity

  /** Returns the parts that each account may release now, in the order of service. */
  share(waiters: readonly Waiter[], capacity: number): Map<number, number> {
    this.#dropAbsent(waiters)
    const shares = new Map<number, number>()
    if (waiters.length === 0 || capacity <= 0) return shares
    const ordered = rotate(
      waiters.toSorted((one, other) => one.accountId - other.accountId),
      this.#after,
    )
    const weights = ordered.reduce((sum, { weight }) => sum + weight, 0)
    const quantum = Math.max(1, capacity / weights)
    let remaining = capacity
    for (const { accountId, weight } of ordered) {
      if (remaining < 1) break
      const credit = (this.#deficit.get(accountId) ?? 0) + quantum * weight
      // The credit is below zero while the account pays for a long message.
      const whole = Math.max(0, Math.min(Math.floor(credit), Math.floor(remaining)))
      this.#deficit.set(accountId, credit - whole)
      if (whole > 0) shares.set(accountId, whole)
      remaining -= whole
      this.#after = accountId
    }
    return shares
  }

  /** Corrects an account's deficit, because a long message may have taken more parts than its share. */
  correct(accountId: number, parts: number): void {
    this.#deficit.set(accountId, (this.#deficit.get(accountId) ?? 0) + parts)
  }

  #dropAbsent(waiters: readonly Waiter[]): void {
    const present = new Set(waiters.map(({ accountId }) => accountId))
    for (const accountId of this.#deficit.keys()) {
      if (!present.has(accountId)) this.#deficit.delete(accountId)
    }
  }
}

function rotate(sorted: readonly Waiter[], after: number): Waiter[] {
  const start = sorted.findIndex(({ accountId }) => accountId > after)
  return start <= 0 ? [...sorted] : [...sorted.slice(start), ...sorted.slice(0, start)]
}

export function createFairShares(): Readonly<Record<Lane, FairShares>> {
  return Object.fromEntries(lanes.map((lane) => [lane, new FairShares()])) as Record<Lane, FairShares>
}
