/** What a fault is. The runner knows none of them by name. */
import type { Random } from '../support/random.ts'
import type { ChaosInstallation } from './chaos-installation.ts'

export interface Fault {
  readonly name: string
  /** On which stages it can be played. */
  readonly on: readonly ('short' | 'full')[]
  /** Nothing that accepting needs is hurt: every send must be answered A000 all the while. */
  readonly acceptsThroughout: boolean
  /** Every send must be refused while it lasts, and messages need not flow before it is mended. */
  readonly refuses?: boolean
  /** Nothing can take its place: messages must flow when it is back, and the time counts from then. */
  readonly noReplacement?: boolean
  /** How long it lasts after the strike, at least; then it is mended. */
  readonly lastsMs: number
  /** Breaks something. `random` decides whom it hits, the same at every run with the same seed. */
  inject(installation: ChaosInstallation, random: Random): Promise<void>
  /** Puts back what is still missing. */
  repair?(installation: ChaosInstallation): Promise<void>
}
