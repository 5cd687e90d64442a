/** What a run under load found, what of it is wrong, and how it is told. Pure. */
import type { Spread } from '../support/statistics.ts'
import type { Fate } from './accounting.ts'
import type { Verified } from './python.ts'
import type { RetryFigures } from './retries.ts'

/** What healthy webhooks are promised. */
export const healthyP99Ms = 2_000
/** Of the retries: the machine may stand still for a moment. */
const rightShare = 0.99

export interface LoadResult {
  readonly written: number
  readonly writtenPerSecond: number
  readonly acknowledged: number
  readonly arrivals: number
  readonly repeated: number
  /** By the verifier in TypeScript. */
  readonly badSignatures: number
  readonly python: Verified
  /** Of what was not acknowledged. */
  readonly fates: Readonly<Record<Fate, number>>
  /** Given up, and not there by polling. */
  readonly unpollable: number
  /** Until something was killed. */
  readonly healthy: Spread
  /** From then on. */
  readonly disturbed: Spread | null
  readonly retries: RetryFigures & { readonly toleranceMs: number }
  readonly drainSeconds: number
  /** Still open at the end, of webhooks that can take their reports. */
  readonly undrained: number
  readonly killed: readonly string[]
  /** Processes that ended by themselves. */
  readonly surprises: readonly string[]
  readonly findings: readonly string[]
}

export function wrongsOf(result: LoadResult): string[] {
  const { fates, unpollable, python, arrivals, badSignatures, retries, healthy, undrained } = result
  const wrongs: [boolean, string][] = [
    [fates.lost > 0, `${fates.lost} reports are lost`],
    [fates.stopped > 0, `${fates.stopped} were given up before their schedule was over`],
    [unpollable > 0, `${unpollable} were given up and are not there by polling`],
    [undrained > 0, `${undrained} are still open of webhooks that can take them`],
    [badSignatures > 0, `${badSignatures} signatures are refused by the verifier in TypeScript`],
    [python.refused > 0, `${python.refused} signatures are refused by the verifier in Python`],
    [python.accepted + python.refused !== arrivals, 'the verifier in Python has not seen every push'],
    [
      retries.early > 0,
      `${retries.early} retries came early, by ${retries.maxEarlyMs.toFixed(0)} ms at most`,
    ],
    [retries.tooOften > 0, `${retries.tooOften} reports were tried more often than the schedule says`],
    [
      retries.right < retries.count * rightShare,
      `only ${retries.right} of ${retries.count} retries follow the schedule`,
    ],
    [!(healthy.p99 < healthyP99Ms), `p99 of healthy webhooks is ${healthy.p99.toFixed(0)} ms`],
  ]
  return [...wrongs.flatMap(([wrong, words]) => (wrong ? [words] : [])), ...result.surprises]
}

const count = (n: number): string => n.toLocaleString('en-US')
const lag = ({ p50, p99, max }: Spread): string =>
  [p50, p99, max].map((ms) => `${ms.toFixed(0)} ms`).join(' / ')

/** Name and figure, line by line: for the terminal and for the page. */
export function figuresOf(result: LoadResult): [string, string][] {
  const { fates, retries, python, disturbed } = result
  const share = ((100 * retries.right) / Math.max(1, retries.count)).toFixed(2)
  return [
    ['reports written', `${count(result.written)}, ${count(Math.round(result.writtenPerSecond))} a second`],
    ['acknowledged', `${count(result.acknowledged)}; ${count(result.repeated)} of them pushed again`],
    ['kept: not pushed yet / for another try', `${count(fates.behind)} / ${count(fates.retrying)}`],
    ['given up after the whole schedule, there by polling', count(fates.givenUp)],
    ['lost', count(fates.lost)],
    ['healthy webhooks: p50 / p99 / max', lag(result.healthy)],
    ...(disturbed === null
      ? []
      : ([['healthy, from the first kill on: p50 / p99 / max', lag(disturbed)]] as [string, string][])),
    [
      'signatures refused of pushes, TypeScript / Python',
      `${count(result.badSignatures)} / ${count(python.refused)} of ${count(result.arrivals)}`,
    ],
    ['retries on schedule', `${count(retries.right)} of ${count(retries.count)} (${share} %)`],
    [
      'retries: earliest / latest beyond jitter: p99 / most',
      `${retries.maxEarlyMs.toFixed(0)} ms / ${retries.lateP99Ms.toFixed(0)} ms / ${retries.maxLateMs.toFixed(0)} ms`,
    ],
    ['drained after the last report', `${result.drainSeconds.toFixed(1)} s`],
  ]
}
