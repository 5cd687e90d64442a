/**
 * Deficit round robin over accounts: who is given how many parts of the room there is. An account that could not be
 * served for lack of room goes first next time; what is left of a share is kept while the account still waits, and
 * forgotten when it does not.
 */
export interface Waiter {
  readonly accountId: number
  /** Share when others wait too. */
  readonly weight: number
}

export class FairShares {
  readonly #deficit = new Map<number, number>()
  /** The account after which the next round begins. */
  #after = -Infinity

  /** Parts that each account may be given now, in the order of their turns; accounts without any are left out. */
  share(waiters: readonly Waiter[], room: number): Map<number, number> {
    this.#forget(waiters)
    const given = new Map<number, number>()
    if (waiters.length === 0 || room <= 0) return given
    const turns = rotate(
      waiters.toSorted((one, other) => one.accountId - other.accountId),
      this.#after,
    )
    const weights = turns.reduce((sum, { weight }) => sum + weight, 0)
    const quantum = Math.max(1, room / weights)
    let left = room
    for (const { accountId, weight } of turns) {
      if (left < 1) break
      const owed = (this.#deficit.get(accountId) ?? 0) + quantum * weight
      // Below nothing: it is still paying for a long message.
      const whole = Math.max(0, Math.min(Math.floor(owed), Math.floor(left)))
      this.#deficit.set(accountId, owed - whole)
      if (whole > 0) given.set(accountId, whole)
      left -= whole
      this.#after = accountId
    }
    return given
  }

  /** Corrects what an account was given: a long message may have taken more parts than its share. */
  correct(accountId: number, parts: number): void {
    this.#deficit.set(accountId, (this.#deficit.get(accountId) ?? 0) + parts)
  }

  #forget(waiters: readonly Waiter[]): void {
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
