/**
 * Writes the metrics in the OpenMetrics format, with exemplars; the registry's own text format cannot carry them. The registry
 * can be switched to OpenMetrics only for good: it renames the counters then. Called for scrapers that ask for it.
 */
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import type { Exemplar, ExemplarLabels, Exemplars } from './exemplars.ts'

export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

type Value = MetricValue<string> & { readonly metricName?: string }

/** Whether the header `Accept` of a request names the format. */
export function acceptsOpenMetrics(accept: string | undefined): boolean {
  return accept !== undefined && /application\/openmetrics-text(?![^,]*;\s*q=0(\.0*)?\s*(,|$))/.test(accept)
}

/** `own`: labels that every series of the registry has, and that exemplars are kept without. */
export async function writeOpenMetrics(
  registry: Registry,
  exemplars: Exemplars,
  own: readonly string[] = [],
): Promise<string> {
  const metrics = await registry.getMetricsAsJSON()
  const lines = metrics.flatMap((metric) => writeFamily(metric, exemplars, own))
  return [...lines, '# EOF', ''].join('\n')
}

function writeFamily(
  { name, help, type, values }: MetricObjectWithValues<MetricValue<string>>,
  exemplars: Exemplars,
  own: readonly string[],
): string[] {
  const isCounter = String(type) === 'counter'
  const family = isCounter ? name.replace(/_total$/, '') : name
  let bucket = 0
  const samples = (values as Value[]).map(({ metricName = name, labels, value }) => {
    const sample = `${isCounter ? `${family}_total` : metricName}${writeLabels(labels)} ${writeNumber(value)}`
    if (!metricName.endsWith('_bucket')) {
      bucket = 0
      return sample
    }
    const exemplar = exemplars.find(name, withoutBounds(labels, own), bucket++)
    if (labels['le'] === '+Inf') bucket = 0
    return exemplar === undefined ? sample : `${sample}${writeExemplar(exemplar)}`
  })
  return [`# HELP ${family} ${escape(help)}`, `# TYPE ${family} ${type}`, ...samples]
}

function withoutBounds(labels: Value['labels'], own: readonly string[]): ExemplarLabels {
  const rest = Object.entries(labels).filter(([label]) => label !== 'le' && !own.includes(label))
  return Object.fromEntries(rest.map(([label, value]) => [label, String(value)]))
}

function writeExemplar({ traceId, value, atSeconds }: Exemplar): string {
  return ` # {trace_id="${traceId}"} ${writeNumber(value)} ${atSeconds.toFixed(3)}`
}

function writeLabels(labels: Value['labels']): string {
  const pairs = Object.entries(labels).map(
    ([label, value]) => `${label}="${escape(String(value)).replaceAll('"', '\\"')}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function writeNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  return String(value)
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
