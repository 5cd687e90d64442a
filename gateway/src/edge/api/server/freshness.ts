import { Problem } from '../../../contract/problem.ts'

/**
 * Limits how long an API process serves from copies of accounts and credentials that it cannot compare with
 * PostgreSQL: a key revoked in the meantime still works there. Within the limit, sends are accepted without
 * PostgreSQL.
 */
export interface Freshness {
  /** Returns the age of the oldest copy. */
  readonly ageSeconds: () => number
  readonly isFresh: () => boolean
  /** Throws A920 if a copy is too old. */
  readonly require: () => void
}

export interface FreshnessOptions {
  /** 0 means no limit. */
  readonly maxMinutes: number
  /** Sends are accepted this long while nothing is recorded, so the limit is at least as long. */
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
      if (ageMs() > maxMs) throw new Problem('A920', 'Service busy: account data is stale; retry', 5)
    },
  }
}
