/** A log that says nothing and metrics that nobody scrapes. */
import { createLog, type Log } from '../../src/platform/log.ts'
import { createMetrics, type Metrics } from '../../src/platform/metrics.ts'
import { Counter } from 'prom-client'

export const quietLog: Log = createLog('silent', 'test')

export function testMetrics(): Metrics {
  return createMetrics()
}

/** The sum of a counter, over the labels that are given. */
export async function countOf(counter: Counter, labels: Record<string, string> = {}): Promise<number> {
  const { values } = await counter.get()
  return values
    .filter((entry) => Object.entries(labels).every(([name, value]) => String(entry.labels[name]) === value))
    .reduce((sum, entry) => sum + entry.value, 0)
}
