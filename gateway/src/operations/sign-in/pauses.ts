/**
 * Limits wrong passwords and codes: each further one is followed by a longer pause. Attempts are counted per
 * name and network (IPv6: /64), per network, and per name. The last two do not apply where the operator has
 * signed in before, and the last pause is short, so that no attacker can lock an operator out from elsewhere.
 * Counters are per process, and cover names that do not exist. An attempt is counted before it is checked, so
 * that concurrent attempts share a limit; a correct one is not counted in the end.
 */
import { OperationError } from '../errors.ts'

interface Limit {
  /** Failed attempts without a pause. */
  readonly free: number
  readonly firstMs: number
  readonly maxMs: number
}

export interface PauseLimits {
  readonly nameAndNetwork: Limit
  readonly network: Limit
  readonly name: Limit
}

const minuteMs = 60_000

export const defaultPauseLimits: PauseLimits = {
  nameAndNetwork: { free: 5, firstMs: 30_000, maxMs: 30 * minuteMs },
  network: { free: 20, firstMs: 30_000, maxMs: 30 * minuteMs },
  name: { free: 20, firstMs: 1_000, maxMs: minuteMs },
}

/** Counters are reset after this time without a failed attempt. */
const forgetMs = 60 * minuteMs
const maxTracked = 10_000

export interface SignInAttempt {
  readonly name: string
  readonly network: string
  /** Whether the operator has signed in from there before. */
  readonly known: boolean
}

export interface AttemptReservation {
  /** Call if the password and the code were right. */
  succeeded(): void
  /** Call if nothing was checked, or nothing was wrong so far. */
  giveBack(): void
}

export class SignInPauses {
  readonly #counts: Readonly<Record<keyof PauseLimits, Counts>>
  readonly #now: () => number

  constructor(limits = defaultPauseLimits, now: () => number = () => performance.now()) {
    this.#counts = {
      nameAndNetwork: new Counts(limits.nameAndNetwork),
      network: new Counts(limits.network),
      name: new Counts(limits.name),
    }
    this.#now = now
  }

  /** Throws during a pause. */
  reserve({ name, network, known }: SignInAttempt): AttemptReservation {
    const counts = this.#counts.nameAndNetwork
    const nameAndNetwork = `${network} ${name}`
    const shared: [Counts, string][] = known
      ? []
      : [
          [this.#counts.network, network],
          [this.#counts.name, name],
        ]
    const applied: [Counts, string][] = [[counts, nameAndNetwork], ...shared]
    const now = this.#now()
    const leftMs = Math.max(...applied.map(([each, key]) => each.pauseMs(key, now)))
    if (leftMs > 0)
      throw new OperationError('too-many-requests', 'too many wrong passwords or codes; retry later', {
        retryAfterSeconds: Math.ceil(leftMs / 1000),
      })
    for (const [each, key] of applied) each.add(key, now)
    return {
      succeeded: () => {
        counts.clear(nameAndNetwork)
        for (const [each, key] of shared) each.undo(key)
      },
      giveBack: () => {
        for (const [each, key] of applied) each.undo(key)
      },
    }
  }
}

/** Failed attempts by key. The oldest entry is evicted, so that a flood does not fill the memory. */
class Counts {
  readonly #limit: Limit
  readonly #entries = new Map<string, { wrong: number; at: number }>()

  constructor(limit: Limit) {
    this.#limit = limit
  }

  pauseMs(key: string, now: number): number {
    const entry = this.#entries.get(key)
    if (entry === undefined) return 0
    const { free, firstMs, maxMs } = this.#limit
    if (entry.wrong < free) return 0
    return entry.at + Math.min(maxMs, firstMs * 2 ** (entry.wrong - free)) - now
  }

  add(key: string, now: number): void {
    const entry = this.#entries.get(key)
    this.#entries.delete(key)
    if (this.#entries.size >= maxTracked) this.#entries.delete(this.#entries.keys().next().value!)
    const before = entry === undefined || now - entry.at >= forgetMs ? 0 : entry.wrong
    this.#entries.set(key, { wrong: before + 1, at: now })
  }

  undo(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    entry.wrong -= 1
    if (entry.wrong <= 0) this.#entries.delete(key)
  }

  clear(key: string): void {
    this.#entries.delete(key)
  }
}
