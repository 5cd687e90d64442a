/**
 * How fast rows are recorded now, from the counters that PostgreSQL keeps of every table: a difference over about ten seconds, which costs
 * the tables themselves nothing. Rates of full minutes would show a stop only a minute later.
 */
import type { Database } from '../../platform/database.ts'
import type { Flow } from './figures.ts'

export type CountedFlow = Pick<Flow, 'recorded' | 'submitted' | 'reported'>

/** Old enough for a steady figure, young enough to show a stop. */
const windowMs = 10_000
const maxWindowMs = 30_000

type Counters = Readonly<Record<'messages' | 'attempts' | 'reports', number>>

interface Sample {
  readonly atMs: number
  readonly counters: Counters
}

export class FlowMeter {
  /** The oldest first. */
  #samples: Sample[] = []

  async read(database: Database): Promise<CountedFlow> {
    const sample = { counters: await readCounters(database), atMs: performance.now() }
    this.#samples.push(sample)
    // The first that is left is the youngest that is old enough, or all are too young.
    while (this.#samples.length > 1 && sample.atMs - this.#samples[1]!.atMs >= windowMs) this.#samples.shift()
    return compare(this.#samples[0]!, sample)
  }
}

function compare(former: Sample, present: Sample): CountedFlow {
  const elapsedMs = present.atMs - former.atMs
  const perSecond = (name: keyof Counters): number | null => {
    // A shorter time says little, because processes publish their counts once a second; a longer one says nothing about now.
    if (elapsedMs < 2_000 || elapsedMs > maxWindowMs) return null
    // A partition that was dropped takes its count with it.
    const rows = Math.max(0, present.counters[name] - former.counters[name])
    return Math.round((rows / elapsedMs) * 10_000) / 10
  }
  return {
    recorded: perSecond('messages'),
    submitted: perSecond('attempts'),
    reported: perSecond('reports'),
  }
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
