/** Formats the result of `npm run suite -- rates` for the terminal and for docs/evidence/connector-rates.md. */
import { cpus } from 'node:os'
import { describeMeasurement } from '../../gateway/test/support/measure/measurement.ts'

export interface RateMeasurement {
  readonly name: string
  readonly kind: string
  readonly window: number
  readonly seconds: number
  readonly results: string
  /** Messages accepted by the carrier. */
  readonly messages: number
  readonly received: number
  /** CPU time of the connector process, the carrier process and the whole machine. */
  readonly connectorMicros: number
  readonly carrierMicros: number
  readonly machineMicros: number
  /** Submissions with another outcome, by outcome and code, including those of the warm-up. */
  readonly notAccepted: Readonly<Record<string, number>>
}

/** Messages per second that one connector must carry. */
export const targetMessagesPerSecond = 1_000

/** CPU share above which a process on one core counts as fully used. */
const fullShare = 0.85
/** Share of the machine used by other work, above which a measurement is unreliable. */
const disturbedShare = 0.1

const headings = [
  'Connector and message',
  'Messages per second',
  `Target ${targetMessagesPerSecond.toLocaleString('en-US')}`,
  'Results per second',
  'CPU per message, connector / carrier',
  'Busy, connector / carrier',
  'Limited by',
]
/** Indexes of the headings that the page shows. */
const pageColumns = [0, 1, 4, 6]

export function ratesTable(measurements: readonly RateMeasurement[]): string[][] {
  return [headings, ...measurements.map(buildRow)]
}

/** Builds the section of the page between its marks. */
export function ratesSection(measurements: readonly RateMeasurement[], command: string): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const [head, ...rows] = ratesTable(measurements).map((cells) =>
    line(pageColumns.map((index) => cells[index]!)),
  )
  return `\`${command}\`:

${head}
|---|--:|--:|---|
${rows.join('\n')}

${describeMeasurement()}`
}

function buildRow(measured: RateMeasurement): string[] {
  const { name, messages, seconds, results, received, connectorMicros, carrierMicros, notAccepted } = measured
  const rate = messages / seconds
  const each = (micros: number): string => (messages === 0 ? '–' : (micros / messages).toFixed(0))
  const busy = (micros: number): string => `${(busyShare(micros, seconds) * 100).toFixed(0)} %`
  const failures = Object.entries(notAccepted).map(([failure, times]) => `${times} ${failure}`)
  return [
    failures.length === 0 ? name : `${name} (not accepted: ${failures.join(', ')})`,
    Math.round(rate).toLocaleString('en-US'),
    rate >= targetMessagesPerSecond ? 'reached' : 'missed',
    received === 0 ? results : `${Math.round(received / seconds).toLocaleString('en-US')} (${results})`,
    `${each(connectorMicros)} / ${each(carrierMicros)} µs`,
    `${busy(connectorMicros)} / ${busy(carrierMicros)}`,
    describeLimit(measured),
  ]
}

function describeLimit({ connectorMicros, carrierMicros, machineMicros, seconds }: RateMeasurement): string {
  const limits = [
    ...(busyShare(connectorMicros, seconds) >= fullShare ? ['connector'] : []),
    ...(busyShare(carrierMicros, seconds) >= fullShare ? ['carrier'] : []),
  ]
  const otherMicros = machineMicros - connectorMicros - carrierMicros
  const others = otherMicros / 1e6 / seconds / cpus().length
  if (others > disturbedShare) limits.push(`other work, ${(others * 100).toFixed(0)} % of the machine`)
  return limits.length === 0 ? 'round trips' : limits.join(', ')
}

function busyShare(micros: number, seconds: number): number {
  return micros / 1e6 / seconds
}
