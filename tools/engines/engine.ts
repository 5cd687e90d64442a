// The interface through which lifecycle.ts starts and stops engines.

import type { Identity } from './process.ts'

export const engineNames = [
  ...(['postgres', 'postgres-2', 'haproxy'] as const),
  ...(['rabbitmq', 'rabbitmq-2', 'rabbitmq-3', 'redis'] as const),
] as const
export type EngineName = (typeof engineNames)[number]

export function isEngineName(text: string): text is EngineName {
  return (engineNames as readonly string[]).includes(text)
}

export interface Engine {
  readonly name: EngineName
  readonly port: number
  readonly pidFile: string
  /** Log files that explain a failed start. */
  readonly logs: readonly string[]
  /** Requests a clean shutdown: data flushed, clients disconnected. */
  readonly stopSignal: NodeJS.Signals
  readonly startWithinMs: number
  /** Creates a missing data folder and removes the remains of a crash. */
  prepare(): Promise<void>
  /** `environment` is added to the environment of the engine. */
  launch(environment?: NodeJS.ProcessEnv): Identity
  isReady(): Promise<boolean>
  /** Creates the objects that a ready engine must have. */
  complete(): Promise<void>
  version(): Promise<string>
}
