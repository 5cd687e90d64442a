/**
 * The token bucket: over any time t it grants at most `perSecond` × t + `burst`, and everything up to that. Its state
 * is what was taken and not yet refilled, so a changed limit takes effect immediately. script.ts has the same algorithm
 * for Redis; this one is used while Redis is unavailable. Pure.
 */
export interface Pace {
  readonly perSecond: number
  readonly burst: number
}

/** Consecutive requests of the same cost. */
export interface Run {
  /** Negative: gives tokens back, and is always granted. */
  readonly cost: number
  readonly count: number
}

export interface Bucket {
  /** Taken and not yet refilled, at `atMs`. */
  readonly debt: number
  readonly atMs: number
}

export interface Taken {
  /** How many requests of each run are granted. */
  readonly grants: readonly number[]
  readonly debt: number
}

/** A request may cost 10, and must fit into the bucket of the smallest limit. */
export const minBurst = 10

export function paceOf(perSecond: number): Pace {
  return { perSecond, burst: Math.max(perSecond, minBurst) }
}

export function take(
  bucket: Bucket | undefined,
  { perSecond, burst }: Pace,
  runs: readonly Run[],
  nowMs: number,
): Taken {
  const refilled = bucket === undefined ? 0 : (Math.max(0, nowMs - bucket.atMs) * perSecond) / 1000
  let debt = Math.max(0, (bucket?.debt ?? 0) - refilled)
  const grants = runs.map(({ cost, count }) => {
    const fitting = cost > 0 ? Math.max(0, Math.floor((burst - debt) / cost)) : count
    const granted = Math.min(count, fitting)
    debt = Math.max(0, debt + granted * cost)
    return granted
  })
  return { grants, debt }
}
