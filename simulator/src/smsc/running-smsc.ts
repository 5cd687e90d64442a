import type { Counters } from './counters.ts'
import type { Duplicate, RecordedSubmission } from './submission-log.ts'

export interface SmscStats extends Counters {
  /** Currently bound sessions by type. */
  readonly bound: { readonly transmitter: number; readonly receiver: number; readonly transceiver: number }
  /** Submits in the last whole second. */
  readonly submitsPerSecond: number
  readonly paused: boolean
}

export interface Smsc {
  readonly port: number
  readonly controlPort: number
  readonly recording: boolean
  stats(): SmscStats
  /** Lists the newest submissions, oldest first, optionally to one number. Empty unless recording. */
  submissions(to?: string, limit?: number): RecordedSubmission[]
  duplicates(options?: { ignoreRef?: boolean }): Duplicate[]
  /** Returns the number of submissions dropped from the log. */
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
