/** A silent log, and separate metrics for a test. */
import { createLog, type Log } from '../../src/platform/logging/log.ts'
import { createMetrics, type Metrics } from '../../src/platform/metrics.ts'
import { Counter } from 'prom-client'

export const silentLog: Log = createLog('silent', 'test')

export function testMetrics(): Metrics {
  return createMetrics()
}

/** Returns the sum of a counter over all series with the given labels. */
export async function sumCounter(counter: Counter, labels: Record<string, string> = {}): Promise<number> {
  const { values } = await counter.get()
  return values
    .filter((entry) => Object.entries(labels).every(([name, value]) => String(entry.labels[name]) === value))
    .reduce((sum, entry) => sum + entry.value, 0)
}
