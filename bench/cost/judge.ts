/** Compares measured figures with their limits. */
import type { Limit } from './limits.ts'

/** Measured figures by the name of their limit. */
export type Figures<Name extends string> = Readonly<Partial<Record<Name, number>>>
type Limits<Name extends string> = Readonly<Record<Name, Limit>>

export interface Judgement {
  /** One sentence for each figure that exceeds its limit. */
  readonly findings: readonly string[]
  /** Lines of limits.ts for figures that are better than their limits. */
  readonly lowered: readonly string[]
}

export function judge<Name extends string>(figures: Figures<Name>, limits: Limits<Name>): Judgement {
  const measured = Object.entries(figures) as [Name, number][]
  const worse = measured.filter(([name, figure]) => figure > limits[name].limit + limits[name].spread)
  const better = measured.filter(([name, figure]) => figure < limits[name].limit - limits[name].spread)
  return {
    findings: worse.map(([name, figure]) => `${name}: ${figure}, limit ${describeLimit(limits[name])}`),
    lowered: better.map(([name, limit]) => limitLine(name, { limit, spread: limits[name].spread })),
  }
}

/** Returns the lines of limits.ts for several runs: the median as limit, and the largest difference as spread. */
export function limitLines<Name extends string>(runs: readonly Figures<Name>[]): string[] {
  const names = Object.keys(runs[0] ?? {}) as Name[]
  return names.map((name) => {
    const sorted = runs.flatMap((figures) => figures[name] ?? []).toSorted((one, other) => one - other)
    const spread = Number((sorted.at(-1)! - sorted[0]!).toFixed(3))
    return limitLine(name, { limit: sorted[Math.floor(sorted.length / 2)]!, spread })
  })
}

export function describeLimit({ limit, spread }: Limit): string {
  return spread === 0 ? String(limit) : `${limit} ± ${spread}`
}

function limitLine(name: string, { limit, spread }: Limit): string {
  return `'${name}': { limit: ${limit}, spread: ${spread} },`
}
