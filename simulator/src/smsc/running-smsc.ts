/** A running SMSC, as `startSmsc` returns it and the HTTP control exposes it. */
import type { Counters } from './counters.ts'
import type { Duplicate, RecordedSubmission } from './submission-log.ts'

export interface SmscStats extends Counters {
  /** Sessions bound now, by what they may do. */
  readonly bound: { readonly transmitter: number; readonly receiver: number; readonly transceiver: number }
  /** Submits during the last whole second. */
  readonly submitsPerSecond: number
  readonly paused: boolean
}

export interface Smsc {
  readonly port: number
  readonly controlPort: number
  readonly recording: boolean
  stats(): SmscStats
  /** The newest submissions, oldest first; only those to one number if given. Empty unless recording. */
  submissions(to?: string, limit?: number): RecordedSubmission[]
  duplicates(options?: { ignoreRef?: boolean }): Duplicate[]
  /** Submissions that were dropped from the log. */
  recordDropped(): number
  reset(): void
  disconnect(): number
  /** Keeps all receipts until `release`. */
  hold(): void
  release(): void
  pause(): void
  resume(): void
  close(): Promise<void>
}
