/** The page _Metrics_ of the documentation site. */
import { createMetrics } from '../src/platform/metrics.ts'
import { toCell, toTable } from './markdown.ts'

export function metricPage(): string {
  const { registry } = createMetrics()
  const own = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('postern_'))
  return [
    '# Metrics',
    '',
    'Every metric of `/metrics` on the ops port, besides those of Node.js. [Observability](../../../docs/operations/observability.md) has dashboards and',
    'alerts.',
    '',
    toTable([['Metric', 'Meaning'], ...own.map(({ name, help }) => [`\`${name}\``, toCell(help)] as const)]),
    '',
  ].join('\n')
}
