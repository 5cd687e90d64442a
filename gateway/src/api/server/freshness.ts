/**
 * Bounds how long an API process serves from copies of accounts and credentials that it cannot compare with PostgreSQL: a
 * key that was revoked meanwhile would work there for as long as the process is cut off. Within the bound sends are accepted
 * without PostgreSQL. Used by the API role.
 */
import { Problem } from '../../contract/problem.ts'

export interface Freshness {
  /** Of the oldest copy. */
  readonly ageSeconds: () => number
  readonly isFresh: () => boolean
  /** Throws A920 when a copy is too old. */
  readonly require: () => void
}

export interface FreshnessOptions {
  /** 0: no bound. */
  readonly maxMinutes: number
  /** Sends are accepted for this long while nothing is recorded: the bound is never shorter. */
  readonly reserveMinutes: number
}

export function createFreshness(
  tables: readonly { readonly ageMs: number }[],
  { maxMinutes, reserveMinutes }: FreshnessOptions,
): Freshness {
  const maxMs = maxMinutes === 0 ? Infinity : Math.max(maxMinutes, reserveMinutes) * 60_000
  const ageMs = (): number => Math.max(...tables.map((table) => table.ageMs))
  return {
    ageSeconds: () => ageMs() / 1000,
    isFresh: () => ageMs() <= maxMs,
    require: () => {
      if (ageMs() > maxMs)
        throw new Problem(
          'A920',
          'Service busy: this server has not been able to check accounts for too long; retry',
          5,
        )
    },
  }
}
