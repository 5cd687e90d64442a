// What the life of an engine needs to know about it; lifecycle.ts does the rest, the same for all.

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
  /** Where it says why it does not start. */
  readonly logs: readonly string[]
  /** Asks for a clean end: everything flushed, clients told. */
  readonly stopSignal: NodeJS.Signals
  readonly startWithinMs: number
  /** Makes the data folder if there is none and clears away what a crash left. */
  prepare(): Promise<void>
  launch(): Identity
  isReady(): Promise<boolean>
  /** Once it is ready: what must exist in it. */
  complete(): Promise<void>
  version(): Promise<string>
}
