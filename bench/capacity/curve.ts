/**
 * Cost of a message as a function of the rate. Jobs are grouped, and the messages of a group share its cost.
 * Groups are larger at higher rates because they collect the jobs of one turn. With `turn` seconds between
 * two groups of a process the cost is each + group / (1 + rate × turn), fitted to measurements at several
 * rates.
 */
export interface Curve {
  /** Cost of each message. */
  readonly each: number
  /** Cost of a group of messages. */
  readonly group: number
  /** Seconds between two groups of a busy process. */
  readonly turn: number
}

/** Messages per second and the cost of one. */
export type Point = readonly [rate: number, cost: number]

/** Candidates from 0.1 ms to 1 s, in steps of 20 %. */
const turns = Array.from({ length: 52 }, (_, index) => 1e-4 * 1.2 ** index)

/** Returns the curve with the smallest sum of squared relative errors and no negative cost. */
export function fitCurve(points: readonly Point[]): Curve {
  const candidates = turns.flatMap((turn) => fitAt(points, turn))
  return candidates.toSorted((one, other) => computeError(points, one) - computeError(points, other))[0]!
}

export function costAt({ each, group, turn }: Curve, rate: number): number {
  return each + group / (1 + rate * turn)
}

/**
 * Returns the least-squares fits for a given turn: of each cost alone, and of both unless one of them would be
 * negative.
 */
function fitAt(points: readonly Point[], turn: number): Curve[] {
  const rows = points.flatMap(([rate, cost]): [number, number][] =>
    cost > 0 ? [[1 / cost, 1 / (1 + rate * turn) / cost]] : [],
  )
  const sum = (value: (row: [number, number]) => number): number =>
    rows.reduce((total, row) => total + value(row), 0)
  const [aa, ab, bb] = [sum(([a]) => a * a), sum(([a, b]) => a * b), sum(([, b]) => b * b)]
  const [a, b] = [sum(([one]) => one), sum(([, one]) => one)]
  if (rows.length === 0) return [{ each: 0, group: 0, turn }]
  const determinant = aa * bb - ab * ab
  const both = { each: (a * bb - b * ab) / determinant, group: (b * aa - a * ab) / determinant, turn }
  const single = [
    { each: a / aa, group: 0, turn },
    { each: 0, group: b / bb, turn },
  ]
  return determinant > 1e-30 && both.each >= 0 && both.group >= 0 ? [both, ...single] : single
}

function computeError(points: readonly Point[], curve: Curve): number {
  return points.reduce((sum, [rate, cost]) => sum + (cost > 0 ? (costAt(curve, rate) / cost - 1) ** 2 : 0), 0)
}
