/**
 * The token bucket: over any time t it grants at most `perSecond` × t + `burst`, and everything up to that. Its state
 * is what was taken and not yet refilled, so a changed limit takes effect at once. The same few lines are in
 * script.ts, for Redis; this copy is what a process falls back to.
 */
export interface Pace {
  readonly perSecond: number
  readonly burst: number
}

/** Asks of the same cost that stand one after the other. */
export interface Run {
  readonly cost: number
  readonly count: number
}

export interface Bucket {
  /** Taken and not yet refilled, at `atMs`. */
  readonly debt: number
  readonly atMs: number
}

export interface Taken {
  /** How many of each run are granted. */
  readonly grants: readonly number[]
  readonly debt: number
}

/** A request may cost 10, and must fit into the bucket of the smallest limit too. */
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
    const granted = Math.max(0, Math.min(count, Math.floor((burst - debt) / cost)))
    debt += granted * cost
    return granted
  })
  return { grants, debt }
}
