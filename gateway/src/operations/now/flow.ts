/**
 * Computes current rates from the counters that PostgreSQL keeps of every table, as a difference over about
 * ten seconds; this reads no table. Rates of full minutes would show a stop only a minute later.
 */
import type { Database } from '../../platform/database/database.ts'
import type { FlowFigures } from './figures.ts'

export type CountedFlow = Pick<FlowFigures, 'recorded' | 'submitted' | 'reported'>

/** Long enough for a steady rate, short enough to show a stop. */
const periodMs = 10_000
const maxPeriodMs = 30_000

type Counters = Readonly<Record<'messages' | 'attempts' | 'reports', number>>

interface Sample {
  readonly atMs: number
  readonly counters: Counters
}

export class FlowMeter {
  /** Samples, oldest first. */
  #samples: Sample[] = []

  async read(database: Database): Promise<CountedFlow> {
    const sample = { counters: await readCounters(database), atMs: performance.now() }
    this.#samples.push(sample)
    // Keep the youngest sample that is old enough, or all if none is.
    while (this.#samples.length > 1 && sample.atMs - this.#samples[1]!.atMs >= periodMs) this.#samples.shift()
    return compare(this.#samples[0]!, sample)
  }
}

function compare(earlier: Sample, latest: Sample): CountedFlow {
  const elapsedMs = latest.atMs - earlier.atMs
  const perSecond = (name: keyof Counters): number | null => {
    // Processes publish their counts once per second, so a shorter time is inaccurate; a longer one does not
    // describe the present.
    if (elapsedMs < 2_000 || elapsedMs > maxPeriodMs) return null
    // A dropped partition takes its count with it, so the sum can fall.
    const rows = Math.max(0, latest.counters[name] - earlier.counters[name])
    return Math.round((rows / elapsedMs) * 10_000) / 10
  }
  return { recorded: perSecond('messages'), submitted: perSecond('attempts'), reported: perSecond('reports') }
}

async function readCounters(database: Database): Promise<Counters> {
  const { rows } = await database.query<{ name: keyof Counters; inserted: number }>(
    `select parent.relname as name, coalesce(sum(pg_stat_get_tuples_inserted(i.inhrelid)), 0)::bigint as inserted
       from pg_inherits i join pg_class parent on parent.oid = i.inhparent
      where parent.oid in ('messages'::regclass, 'attempts'::regclass, 'reports'::regclass)
      group by parent.relname`,
  )
  const of = (name: keyof Counters): number => rows.find((row) => row.name === name)?.inserted ?? 0
  return { messages: of('messages'), attempts: of('attempts'), reports: of('reports') }
}
