/** The result of `npm run smpp:rate`, for the terminal and for docs/connector-rates.md. Pure, but for the name of the machine. */
import { describeMeasurement } from '../../gateway/test/support/measurement.ts'

export interface SideFigures {
  readonly library: string
  readonly seconds: number
  /** Accepted by the SMSC. */
  readonly parts: number
  readonly refused: number
  readonly receipts: number
  /** CPU time of the process with the session, and of the SMSC. */
  readonly clientMicros: number
  readonly smscMicros: number
}

/** Parts a second of one session. */
export const target = 8_000

const headings = [
  'Session',
  'Parts a second',
  'of each round',
  'Receipts a second',
  'CPU of a part',
  'Busy, session / SMSC',
]

export function rateOf({ parts, seconds }: Pick<SideFigures, 'parts' | 'seconds'>): number {
  return parts / seconds
}

export function rateTable(libraries: readonly string[], rounds: readonly SideFigures[]): string[][] {
  return [
    headings,
    ...libraries.map((library) =>
      rowOf(
        library,
        rounds.filter((one) => one.library === library),
      ),
    ),
  ]
}

function rowOf(library: string, rounds: readonly SideFigures[]): string[] {
  const sum = (read: (round: SideFigures) => number): number =>
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
    rounds.map((round) => whole(rateOf(round))).join(' · '),
    whole(sum((round) => round.receipts) / seconds),
    parts === 0 ? '–' : `${(client / parts).toFixed(0)} µs`,
    `${busy(client)} / ${busy(smsc)}`,
  ]
}

/** The section of the page between its marks. */
export function rateSection(rows: readonly (readonly string[])[], command: string): string {
  const [head, ...rest] = rows.map((cells) => `| ${cells.join(' | ')} |`)
  return `\`${command}\`:

${head}
|---|--:|--:|--:|--:|--:|
${rest.join('\n')}

${describeMeasurement()}`
}
