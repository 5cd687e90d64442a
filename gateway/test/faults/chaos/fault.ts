import type { Random } from '../../support/random.ts'
import type { ChaosInstallation } from './chaos-installation.ts'

export interface ChaosFault {
  readonly name: string
  /** Runs that include the fault. */
  readonly on: readonly ('short' | 'full')[]
  /** Whether every send during the fault must be accepted, or throttled with 429. */
  readonly acceptsThroughout: boolean
  /** Whether sends are rejected during the fault, with 503 or 429; messages need not flow before the repair. */
  readonly rejectsSends?: boolean
  /** Whether no replica takes over: recovery is measured from the return of the engine. */
  readonly noReplacement?: boolean
  /** Whether a worker or link is lost during submissions, so that their outcomes can be unknown. */
  readonly leavesUnknown?: boolean
  /**
   * What the engines lose. Steps whose job or receipts are lost end at their deadline. Sends with an
   * Idempotency-Key are refused with 503 while Redis is unavailable, and not repeated after their key is lost.
   */
  readonly loses?: 'jobs' | 'receipts' | 'keys'
  /** Whether the fault is an operator's action, such as a restart: recovery is measured from its end. */
  readonly byOperator?: boolean
  /** Whether messages flow more slowly until the repair: recovery is measured from it, to the rate of the load. */
  readonly slows?: boolean
  /** Minimum time from the injection to the repair. */
  readonly lastsMs: number
  /** Returns why this machine cannot inject the fault; undefined if it can. */
  findObstacle?(): string | undefined
  /** Injects the fault. `random` selects the target, so runs with the same seed have the same targets. */
  inject(installation: ChaosInstallation, random: Random): Promise<void>
  /** Restores components that do not recover automatically. */
  repair?(installation: ChaosInstallation): Promise<void>
}
