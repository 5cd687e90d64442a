/**
 * Divides what one process may admit to a lane among the accounts that send, by max-min fairness and weight. Without a limit
 * everything is admitted and only counted. Under a limit each account has a token bucket that refills with its share, so an
 * account that asks for less than its share is not refused. One instance per lane; times are monotonic milliseconds.
 */
import { Demand } from './demand.ts'
import { fairLevel, sumOf, type WeightedDemand } from './max-min.ts'
import { maxDemands } from './load-report.ts'

export interface Sender {
  readonly id: number
  readonly weight: number
}

/** Why a request is not admitted: the share of its account, and when to send it again. */
export interface OverShare {
  /** Messages a second. */
  readonly share: number
  readonly retryAfterSeconds: number
}

interface Entry {
  readonly demand: Demand
  weight: number
  tokens: number
  filledAtMs: number
  /** Cost of refused requests that have not been due again yet: they return in the order in which they were refused. */
  returning: number
}

/** The largest request must fit into the bucket of the smallest share. */
const minBurst = 10
/** A bucket holds this much of its share: enough for requests that arrive unevenly, little beside the delay that is tolerated. */
const burstSeconds = 0.5
const maxRetrySeconds = 60
/** Clients that were refused together return over a time that is longer by up to this part. */
const spread = 0.25
const forgetMs = 10_000

export class AccountShares {
  readonly #accounts = new Map<number, Entry>()
  readonly #random: () => number
  /** Messages a second; undefined: no limit. */
  #limit: number | undefined
  #level = Infinity
  /** How many times as much may be admitted when what waits now is drained; for the time to come back. */
  #laterFactor = 1
  #tidiedAtMs = 0

  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  /** Accounts that sent within the last seconds. */
  get size(): number {
    return this.#accounts.size
  }

  /** What accounts ask for a second: the largest one by one, the others together. */
  demands(nowMs: number): WeightedDemand[] {
    const all = [...this.#accounts.values()]
      .map(({ demand, weight }) => ({ demand: demand.at(nowMs), weight }))
      .sort((one, other) => other.demand / other.weight - one.demand / one.weight)
    const rest = all.slice(maxDemands - 1)
    if (rest.length <= 1) return all
    const [demand, weight] = [sumOf(rest, 'demand'), sumOf(rest, 'weight')]
    return [...all.slice(0, maxDemands - 1), { demand, weight }]
  }

  /**
   * Sets what may be admitted a second, and divides it by what the accounts ask for now. `later` is what may be admitted when
   * what waits now is drained.
   */
  setLimit(limit: number | undefined, nowMs: number, later = limit): void {
    this.#forgetIdle(nowMs)
    const begins = this.#limit === undefined && limit !== undefined
    if (!begins && limit !== undefined) for (const entry of this.#accounts.values()) this.#fill(entry, nowMs)
    this.#limit = limit
    if (limit === undefined) return
    this.#laterFactor = Math.max(1, (later ?? limit) / limit)
    const demands = [...this.#accounts.values()].map((entry) => ({
      ...{ entry, demand: entry.demand.at(nowMs), weight: entry.weight },
    }))
    this.#level = fairLevel(limit, demands)
    if (!begins) return
    for (const { entry, demand } of demands) {
      const share = this.#shareOf(entry)
      // What an account over its share sent before the limit began is its burst.
      entry.tokens = demand > share ? 0 : capacityOf(share)
      entry.returning = 0
      entry.filledAtMs = nowMs
    }
  }

  /** Null when it is admitted. */
  admit(sender: Sender, cost: number, nowMs: number): OverShare | null {
    const entry = this.#entryOf(sender, nowMs)
    entry.demand.add(cost, nowMs)
    if (this.#limit === undefined) return null
    this.#fill(entry, nowMs)
    if (entry.tokens >= cost) {
      entry.tokens -= cost
      return null
    }
    const share = this.#shareOf(entry)
    const later = share * this.#laterFactor
    entry.returning = Math.min(entry.returning + cost, maxRetrySeconds * later)
    const seconds = (entry.returning / later) * (1 + this.#random() * spread)
    const retryAfterSeconds = Math.min(maxRetrySeconds, Math.max(1, Math.ceil(seconds)))
    return { share, retryAfterSeconds }
  }

  /** An admitted request was refused by another lane: its account may spend the tokens on the next one. */
  giveBack({ id }: Pick<Sender, 'id'>, cost: number): void {
    const entry = this.#accounts.get(id)
    if (this.#limit !== undefined && entry !== undefined) entry.tokens += cost
  }

  #entryOf({ id, weight }: Sender, nowMs: number): Entry {
    let entry = this.#accounts.get(id)
    if (entry === undefined) {
      entry = { demand: new Demand(nowMs), weight, tokens: minBurst, filledAtMs: nowMs, returning: 0 }
      this.#accounts.set(id, entry)
    }
    entry.weight = weight
    return entry
  }

  #fill(entry: Entry, nowMs: number): void {
    const share = this.#shareOf(entry)
    const filled = (share * Math.max(0, nowMs - entry.filledAtMs)) / 1000
    entry.tokens = Math.min(capacityOf(share), entry.tokens + filled)
    entry.returning = Math.max(0, entry.returning - filled * this.#laterFactor)
    entry.filledAtMs = Math.max(entry.filledAtMs, nowMs)
  }

  /** Messages a second. */
  #shareOf({ weight }: Entry): number {
    return Math.min(this.#limit!, this.#level * weight)
  }

  #forgetIdle(nowMs: number): void {
    if (nowMs - this.#tidiedAtMs < forgetMs / 2) return
    this.#tidiedAtMs = nowMs
    for (const [id, { demand }] of this.#accounts) {
      // While a limit holds, its bucket is full again after this time.
      if (demand.idleMs(nowMs) > forgetMs) this.#accounts.delete(id)
    }
  }
}

function capacityOf(share: number): number {
  return Math.max(minBurst, share * burstSeconds)
}
