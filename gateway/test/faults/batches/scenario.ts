import type { BatchesInstallation } from './batches-installation.ts'
import type { BatchesOptions } from './options.ts'

export interface ScenarioResult {
  readonly findings: readonly string[]
  /** Measured values by name. */
  readonly figures: Readonly<Record<string, number>>
}

export interface Scenario {
  readonly name: string
  readonly run: (installation: BatchesInstallation, options: BatchesOptions) => Promise<ScenarioResult>
}

/** Parts per second of the route. A batch with more parts than it submits in a few seconds has to wait. */
export const routeRate = 500
