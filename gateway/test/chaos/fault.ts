/** The definition of a fault. fault-runs.ts runs all of them by this interface alone. */
import type { Random } from '../support/random.ts'
import type { ChaosInstallation } from './chaos-installation.ts'

export interface Fault {
  readonly name: string
  /** The runs that include it. */
  readonly on: readonly ('short' | 'full')[]
  /** Accepting does not depend on what breaks: every send must be answered A000 during the fault. */
  readonly acceptsThroughout: boolean
  /** Every send must be refused during the fault, and messages need not flow before the repair. */
  readonly refuses?: boolean
  /** No replica takes over: messages must flow once it is back, and recovery is measured from then. */
  readonly noReplacement?: boolean
  /** A worker or a link is lost in the middle of submissions: nobody can know whether the carrier has accepted them. */
  readonly leavesUnknown?: boolean
  /** An operator's action, such as a restart or a command: recovery is measured from its end. */
  readonly byOperator?: boolean
  /** Minimum time from the injection to the repair. */
  readonly lastsMs: number
  /** Injects the fault. `random` chooses the target, the same in every run with the same seed. */
  inject(installation: ChaosInstallation, random: Random): Promise<void>
  /** Restores what does not recover without help. */
  repair?(installation: ChaosInstallation): Promise<void>
}
