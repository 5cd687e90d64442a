/** A silent log, and metrics of the test's own. */
import { createLog, type Log } from '../../src/platform/log.ts'
import { createMetrics, type Metrics } from '../../src/platform/metrics.ts'
import { Counter } from 'prom-client'

export const quietLog: Log = createLog('silent', 'test')

export function testMetrics(): Metrics {
  return createMetrics()
}

/** The sum of a counter over all series with the given labels. */
export async function countOf(counter: Counter, labels: Record<string, string> = {}): Promise<number> {
  const { values } = await counter.get()
  return values
    .filter((entry) => Object.entries(labels).every(([name, value]) => String(entry.labels[name]) === value))
    .reduce((sum, entry) => sum + entry.value, 0)
}
