/** How many messages share a statement, from the metrics of our processes. */
import { readSeries } from '../gateway/test/support/processes/read-series.ts'

const statements = 'postern_database_statements_total'
const stages = ['intake', 'claim', 'record', 'settle'] as const

/** Counts since the start of the processes. */
export interface BatchCounts {
  readonly statements: number
  /** Batches and their messages by stage. */
  readonly stages: Readonly<Record<string, { readonly batches: number; readonly messages: number }>>
}

export async function readBatches(opsUrls: readonly string[]): Promise<BatchCounts> {
  const sum = async (metric: string, label = ''): Promise<number> => {
    const found = await Promise.all(opsUrls.map((url) => readSeries(url, metric)))
    return found
      .flatMap((series) => [...series])
      .reduce((total, [labels, value]) => (labels.includes(label) ? total + value : total), 0)
  }
  const counts = stages.map(async (stage) => {
    const label = `stage="${stage}"`
    const [batches, messages] = [
      await sum('postern_batch_size_count', label),
      await sum('postern_batch_size_sum', label),
    ]
    return [stage, { batches, messages }] as const
  })
  return { statements: await sum(statements), stages: Object.fromEntries(await Promise.all(counts)) }
}

export function describeBatches(before: BatchCounts, after: BatchCounts, messages: number): string {
  const sizes = Object.entries(after.stages).map(([stage, counts]) => {
    const earlier = before.stages[stage]!
    const size = (counts.messages - earlier.messages) / (counts.batches - earlier.batches)
    return `${stage} ${size.toFixed(1)}`
  })
  const each = (after.statements - before.statements) / messages
  return `${each.toFixed(2)} statements per message; messages per batch: ${sizes.join(', ')}`
}
