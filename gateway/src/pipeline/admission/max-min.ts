/**
 * Max-min fairness by weight: whoever asks for less than its share gets all it asks for, and what is left is divided among
 * the others by weight. Pure; divides a lane among the accounts at all API processes.
 */
export interface WeightedDemand {
  readonly demand: number
  readonly weight: number
}

/**
 * The level at which the total is used up when each account gets min(demand, level × weight); Infinity when the total
 * covers every demand.
 */
export function fairLevel(total: number, demands: readonly WeightedDemand[]): number {
  const ordered = demands.toSorted((one, other) => one.demand / one.weight - other.demand / other.weight)
  let left = total
  let weights = ordered.reduce((sum, { weight }) => sum + weight, 0)
  for (const { demand, weight } of ordered) {
    const level = left / weights
    if (demand > level * weight) return level
    left -= demand
    weights -= weight
  }
  return Infinity
}

export function sumOf(demands: readonly WeightedDemand[], what: keyof WeightedDemand): number {
  return demands.reduce((sum, one) => sum + one[what], 0)
}
