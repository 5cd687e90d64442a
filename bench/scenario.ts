/** Context of a scenario. A scenario can leave processes running: run.ts stops the stack. */
import type { Gateway } from './gateway.ts'
import type { BenchEnvironment } from './environment.ts'
import type { BenchOptions } from './options.ts'
import type { BenchResult } from './report.ts'
import type { CleanupStack } from './cleanup-stack.ts'

export interface ScenarioContext {
  readonly options: BenchOptions
  readonly environment: BenchEnvironment
  readonly gateway: Gateway
  readonly stack: CleanupStack
  readonly cores: number
  readonly log: (text: string) => void
}

export type Scenario = (context: ScenarioContext) => Promise<BenchResult>
