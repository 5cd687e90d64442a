/** What a scenario is given. It may leave everything running: whoever gave it the stack stops it. */
import type { Gateway } from './gateway.ts'
import type { Ground } from './ground.ts'
import type { BenchOptions } from './options.ts'
import type { Outcome } from './report.ts'
import type { Stack } from './stack.ts'

export interface ScenarioContext {
  readonly options: BenchOptions
  readonly ground: Ground
  readonly gateway: Gateway
  readonly stack: Stack
  readonly cores: number
  readonly say: (text: string) => void
}

export type Scenario = (context: ScenarioContext) => Promise<Outcome>
