/** The result of `npm run rates`, for the terminal and for docs/connector-rates.md. Pure, but for the name of the machine. */
import { cpus } from 'node:os'
import { describeMeasurement } from '../../gateway/test/support/measurement.ts'

export interface Measured {
  readonly name: string
  readonly kind: string
  readonly window: number
  readonly seconds: number
  readonly results: string
  /** Accepted by the carrier. */
  readonly messages: number
  readonly received: number
  /** CPU time of the process of the connector, of that of the carrier, and of the whole machine. */
  readonly connectorMicros: number
  readonly carrierMicros: number
  readonly machineMicros: number
  readonly notAccepted: Readonly<Record<string, number>>
}

/** Messages a second that one connector must carry. */
export const target = 1_000

/** Used to its full: a process that runs on one core and never waits. */
const fullShare = 0.85
/** Other work than that of the measurement, as a part of the machine, above which a figure says little. */
const disturbedShare = 0.1

const headings = [
  ...['Connector and message', 'Messages a second', `Target ${target.toLocaleString('en-US')}`],
  ...['Results a second', 'CPU of a message, connector / carrier', 'Busy, connector / carrier', 'Limited by'],
]

export function ratesTable(all: readonly Measured[]): string[][] {
  return [headings, ...all.map(rowOf)]
}

/** The section of the page between its marks. */
export function ratesSection(all: readonly Measured[], command: string): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const [head, ...rows] = ratesTable(all).map(line)
  return `\`${command}\`:

${head}
|---|--:|---|--:|--:|--:|---|
${rows.join('\n')}

${describeMeasurement()}`
}

function rowOf(measured: Measured): string[] {
  const { name, messages, seconds, results, received, connectorMicros, carrierMicros, notAccepted } = measured
  const rate = messages / seconds
  const each = (micros: number): string => (messages === 0 ? '–' : (micros / messages).toFixed(0))
  const busy = (micros: number): string => `${(busyShare(micros, seconds) * 100).toFixed(0)} %`
  const failures = Object.entries(notAccepted).map(([what, times]) => `${times} ${what}`)
  return [
    failures.length === 0 ? name : `${name} (not accepted: ${failures.join(', ')})`,
    Math.round(rate).toLocaleString('en-US'),
    rate >= target ? 'reached' : 'missed',
    received === 0 ? results : `${Math.round(received / seconds).toLocaleString('en-US')} (${results})`,
    `${each(connectorMicros)} / ${each(carrierMicros)} µs`,
    `${busy(connectorMicros)} / ${busy(carrierMicros)}`,
    limitOf(measured),
  ]
}

function limitOf({ connectorMicros, carrierMicros, machineMicros, seconds }: Measured): string {
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
