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

/** Parts per second of the route. A batch that is larger than a few seconds of it waits. */
export const routeRate = 500
