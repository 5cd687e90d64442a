/** Lists the violations of a run under load and formats its figures. */
import type { Spread } from '../../support/measure/statistics.ts'
import type { OpenState } from './accounting.ts'
import type { VerificationCounts } from './python.ts'
import type { RetryFigures } from './retries.ts'

/** Limit of healthy webhooks. */
export const healthyP99Ms = 2_000
/** Below 1, because the machine may stall for a moment. */
const minOnScheduleFraction = 0.99

export interface LoadResult {
  readonly written: number
  readonly writtenPerSecond: number
  readonly acknowledged: number
  readonly arrivals: number
  readonly repeated: number
  /** Signatures that the TypeScript verifier rejects. */
  readonly badSignatures: number
  readonly python: VerificationCounts
  /** States of the reports that were not acknowledged. */
  readonly states: Readonly<Record<OpenState, number>>
  /** Abandoned reports that polling does not return. */
  readonly unpollable: number
  /** Delay of healthy webhooks until the first fault. */
  readonly healthy: Spread
  /** Delay of healthy webhooks after the first fault. */
  readonly healthyAfterFaults: Spread | null
  readonly retries: RetryFigures & { readonly toleranceMs: number }
  readonly drainSeconds: number
  /** Open reports of webhooks that can acknowledge. */
  readonly undrained: number
  readonly killed: readonly string[]
  /** Processes that exited unexpectedly. */
  readonly unexpectedExits: readonly string[]
  readonly findings: readonly string[]
}

export function listViolations(result: LoadResult): string[] {
  const { states, unpollable, python, arrivals, badSignatures, retries, healthy, undrained } = result
  const violations: [boolean, string][] = [
    [states.lost > 0, `${states.lost} reports are lost`],
    [states.stopped > 0, `${states.stopped} reports were abandoned before the end of their schedule`],
    [unpollable > 0, `${unpollable} abandoned reports are not returned by polling`],
    [undrained > 0, `${undrained} reports are still open, of webhooks that can acknowledge`],
    [badSignatures > 0, `${badSignatures} signatures are rejected by the verifier in TypeScript`],
    [python.refused > 0, `${python.refused} signatures are rejected by the verifier in Python`],
    [python.accepted + python.refused !== arrivals, 'the verifier in Python did not receive every push'],
    [
      retries.early > 0,
      `${retries.early} retries were early, by at most ${retries.maxEarlyMs.toFixed(0)} ms`,
    ],
    [retries.tooOften > 0, `${retries.tooOften} reports were attempted more often than the schedule allows`],
    [
      retries.onSchedule < retries.count * minOnScheduleFraction,
      `only ${retries.onSchedule} of ${retries.count} retries follow the schedule`,
    ],
    [!(healthy.p99 < healthyP99Ms), `p99 of healthy webhooks is ${healthy.p99.toFixed(0)} ms`],
  ]
  return [...violations.flatMap(([violated, text]) => (violated ? [text] : [])), ...result.unexpectedExits]
}

const count = (n: number): string => n.toLocaleString('en-US')
const lag = ({ p50, p99, max }: Spread): string =>
  [p50, p99, max].map((ms) => `${ms.toFixed(0)} ms`).join(' / ')

/** Returns name and figure of each line, for the terminal and for the page. */
export function listWebhookFigures(result: LoadResult): [string, string][] {
  const { states, retries, python, healthyAfterFaults } = result
  const percentage = ((100 * retries.onSchedule) / Math.max(1, retries.count)).toFixed(2)
  return [
    ['reports written', `${count(result.written)}, ${count(Math.round(result.writtenPerSecond))} per second`],
    ['acknowledged', `${count(result.acknowledged)}; ${count(result.repeated)} of them pushed again`],
    ['stored: not pushed yet / waiting for a retry', `${count(states.behind)} / ${count(states.retrying)}`],
    ['abandoned after the whole schedule, available by polling', count(states.givenUp)],
    ['lost', count(states.lost)],
    ['healthy webhooks: p50 / p99 / max', lag(result.healthy)],
    ...(healthyAfterFaults === null
      ? []
      : ([['healthy, after the first kill: p50 / p99 / max', lag(healthyAfterFaults)]] as [
          string,
          string,
        ][])),
    [
      'signatures of pushes rejected, TypeScript / Python',
      `${count(result.badSignatures)} / ${count(python.refused)} of ${count(result.arrivals)}`,
    ],
    ['retries on schedule', `${count(retries.onSchedule)} of ${count(retries.count)} (${percentage} %)`],
    [
      'retries: max early / late beyond jitter: p99 / max',
      `${retries.maxEarlyMs.toFixed(0)} ms / ${retries.lateP99Ms.toFixed(0)} ms / ${retries.maxLateMs.toFixed(0)} ms`,
    ],
    ['drained after the last report', `${result.drainSeconds.toFixed(1)} s`],
  ]
}
