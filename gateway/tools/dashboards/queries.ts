/** The expressions that the panels use. Every one selects by cell. */
import type { Query } from './panel.ts'

const cell = 'cell=~"$cell"'

const select = (metric: string, labels: string): string =>
  `${metric}{${labels === '' ? cell : `${cell},${labels}`}}`
const over = (aggregation: string, by: string): string =>
  by === '' ? aggregation : `${aggregation} by (${by})`

/** Rate per second, summed over processes, by labels. */
export const rate = (counter: string, by = '', labels = ''): string =>
  `${over('sum', by)} (rate(${select(counter, labels)}[$__rate_interval]))`

/** Increase in the last hour. */
export const inHour = (counter: string, by = ''): string =>
  `${over('sum', by)} (increase(${select(counter, '')}[1h]))`

/** Returns the largest value, for gauges with the same value in every worker. */
export const largest = (gauge: string, by = '', labels = ''): string =>
  `${over('max', by)} (${select(gauge, labels)})`

export const smallest = (gauge: string, by = ''): string => `${over('min', by)} (${select(gauge, '')})`

export const total = (gauge: string, by = '', labels = ''): string =>
  `${over('sum', by)} (${select(gauge, labels)})`

export const quantile = (q: number, histogram: string, by = '', labels = ''): string =>
  `histogram_quantile(${q}, ${rate(`${histogram}_bucket`, by === '' ? 'le' : `le, ${by}`, labels)})`

/** Returns the median and the 99th percentile of a histogram. */
export const latency = (histogram: string, what: string): Query[] => [
  { expr: quantile(0.5, histogram), legend: `${what}, median` },
  { expr: quantile(0.99, histogram), legend: `${what}, 99 %` },
]
