/** Formats the result of `npm run suite -- smpp:rate` for the terminal and for docs/evidence/connector-rates.md. */
import { describeMeasurement } from '../../gateway/test/support/measure/measurement.ts'

export interface SessionMeasurement {
  readonly library: string
  readonly seconds: number
  /** Parts accepted by the SMSC. */
  readonly parts: number
  /** Parts with another outcome, including those of the warm-up. */
  readonly refused: number
  readonly receipts: number
  /** CPU time of the session process and of the SMSC. */
  readonly clientMicros: number
  readonly smscMicros: number
}

/** Target in parts per second of one session. */
export const targetPartsPerSecond = 8_000

const headings = [
  'Session',
  'Parts per second',
  'by round',
  'Receipts per second',
  'CPU per part',
  'Busy, session / SMSC',
]
/** Indexes of the headings that the page shows. */
const pageColumns = [0, 1, 4]

export function computeRate({ parts, seconds }: Pick<SessionMeasurement, 'parts' | 'seconds'>): number {
  return parts / seconds
}

export function rateTable(libraries: readonly string[], rounds: readonly SessionMeasurement[]): string[][] {
  return [
    headings,
    ...libraries.map((library) =>
      buildRow(
        library,
        rounds.filter((one) => one.library === library),
      ),
    ),
  ]
}

function buildRow(library: string, rounds: readonly SessionMeasurement[]): string[] {
  const sum = (read: (round: SessionMeasurement) => number): number =>
    rounds.reduce((total, round) => total + read(round), 0)
  const [seconds, parts] = [sum((round) => round.seconds), sum((round) => round.parts)]
  const [client, smsc, refused] = [
    sum((round) => round.clientMicros),
    sum((round) => round.smscMicros),
    sum((round) => round.refused),
  ]
  const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
  const busy = (micros: number): string => `${(micros / 1e4 / seconds).toFixed(0)} %`
  return [
    refused === 0 ? library : `${library} (${refused} not accepted)`,
    whole(parts / seconds),
    rounds.map((round) => whole(computeRate(round))).join(' · '),
    whole(sum((round) => round.receipts) / seconds),
    parts === 0 ? '–' : `${(client / parts).toFixed(0)} µs`,
    `${busy(client)} / ${busy(smsc)}`,
  ]
}

/** Builds the section of the page between its marks. */
export function rateSection(rows: readonly (readonly string[])[], command: string): string {
  const [head, ...rest] = rows.map((cells) => `| ${pageColumns.map((index) => cells[index]!).join(' | ')} |`)
  return `\`${command}\`:

${head}
|---|--:|--:|
${rest.join('\n')}

${describeMeasurement()}`
}
