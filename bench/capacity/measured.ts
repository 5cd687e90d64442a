/** What a message costs, measured by `npm run capacity -- --measure` and kept in measured.json. */
import { readFileSync } from 'node:fs'
import type { Hardware } from '../../scripts/hardware.ts'

export const stages = ['api', 'worker', 'rabbitmq', 'postgres', 'redis'] as const
export type Stage = (typeof stages)[number]

export interface Costs {
  readonly perSecond: number
  /** Microseconds of CPU a message. */
  readonly cpuMicros: Readonly<Record<Stage, number>>
  readonly postgres: {
    /** Of WAL, with full-page images. */
    readonly walBytes: number
    readonly commits: number
    /** Of tables and indexes, for a closed message. */
    readonly storedBytes: number
  }
  readonly rabbitmq: { readonly writtenBytes: number }
}

export interface Measured extends Costs {
  /** yyyy-mm-dd */
  readonly date: string
  readonly hardware: Hardware
  readonly load: string
}

export const measuredFile = new URL('./measured.json', import.meta.url)

export function readMeasured(): Measured {
  return JSON.parse(readFileSync(measuredFile, 'utf8')) as Measured
}
