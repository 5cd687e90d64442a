export interface Spread {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Uses the nearest rank: a p99 is a measured value. */
export function percentile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? NaN
}

export function computeSpread(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other)
  return {
    count: sorted.length,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    max: sorted.at(-1) ?? NaN,
  }
}

export function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export interface Trend {
  readonly slope: number
  /** Standard error of the slope. */
  readonly standardError: number
  readonly mean: number
}

/** Linear regression by least squares. */
export function computeTrend(points: readonly (readonly [number, number])[]): Trend {
  const meanX = computeMean(points.map(([x]) => x))
  const meanY = computeMean(points.map(([, y]) => y))
  const spreadX = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spreadX
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0)
  return {
    slope,
    standardError: points.length < 3 ? Infinity : Math.sqrt(rest / (points.length - 2) / spreadX),
    mean: meanY,
  }
}

/** Returns the longest time between two consecutive moments. */
export function longestGap(moments: readonly number[]): number {
  const sorted = moments.toSorted((one, other) => one - other)
  return sorted.slice(1).reduce((max, at, index) => Math.max(max, at - sorted[index]!), 0)
}
