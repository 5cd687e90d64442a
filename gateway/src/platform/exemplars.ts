/**
 * The last traced message in each bucket of a latency histogram, for `open-metrics.ts`: from a slow bucket in Grafana one click
 * leads to the trace of a message that was slow. Nothing is kept while tracing is off. Memory is bounded by the series.
 */

export interface Exemplar {
  readonly traceId: string
  readonly value: number
  /** Seconds since 1970. */
  readonly atSeconds: number
}

export type ExemplarLabels = Readonly<Record<string, string>>

/** One for each bucket, the last of them without an upper bound. */
type Buckets = (Exemplar | undefined)[]

export class Exemplars<Name extends string = string> {
  readonly #bounds: Readonly<Record<Name, readonly number[]>>
  readonly #kept = new Map<string, Buckets>()

  /** `bounds`: of the buckets of each histogram that has exemplars, by its name. */
  constructor(bounds: Readonly<Record<Name, readonly number[]>>) {
    this.#bounds = bounds
  }

  /** True once a message was traced. */
  get isUsed(): boolean {
    return this.#kept.size > 0
  }

  keep(name: Name, labels: ExemplarLabels, value: number, traceId: string, atSeconds: number): void {
    const key = keyOf(name, labels)
    const buckets = this.#kept.get(key) ?? []
    this.#kept.set(key, buckets)
    const index = this.#bounds[name].findIndex((bound) => value <= bound)
    buckets[index < 0 ? this.#bounds[name].length : index] = { traceId, value, atSeconds }
  }

  /** `nth`: of the buckets of the series in ascending order. */
  find(name: string, labels: ExemplarLabels, nth: number): Exemplar | undefined {
    return this.#kept.get(keyOf(name, labels))?.[nth]
  }
}

function keyOf(name: string, labels: ExemplarLabels): string {
  const sorted = Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1))
  return JSON.stringify([name, ...sorted])
}
