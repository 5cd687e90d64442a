/**
 * Cost of a message at several rates, measured by `npm run suite -- capacity --measure` and stored in
 * measured.json.
 */
import { readFileSync } from 'node:fs'
import type { Hardware } from '../../tools/dev/hardware.ts'
import { costAt, fitCurve } from './curve.ts'

export const stages = ['api', 'worker', 'rabbitmq', 'postgres', 'redis'] as const
export type Stage = (typeof stages)[number]

export interface Costs {
  /** CPU microseconds per message. */
  readonly cpuMicros: Readonly<Record<Stage, number>>
  readonly postgres: {
    /** WAL bytes per message, with full-page images. */
    readonly walBytes: number
    readonly commits: number
    /** Bytes of tables and indexes per closed message. */
    readonly storedBytes: number
  }
  readonly rabbitmq: { readonly writtenBytes: number }
}

/** Costs with one API process and one worker. */
export interface MeasuredCosts extends Costs {
  readonly perSecond: number
  readonly connections: number
}

export interface CapacityMeasurement {
  /** Formatted yyyy-mm-dd. */
  readonly date: string
  readonly hardware: Hardware
  readonly load: string
  readonly points: readonly MeasuredCosts[]
}

/**
 * Returns the costs at this rate per pair of API process and worker. Outside the measured rates, those of the
 * nearest rate apply.
 */
export function costsAt(points: readonly MeasuredCosts[], rate: number): Costs {
  const rates = points.map(({ perSecond }) => perSecond)
  const clampedRate = Math.min(Math.max(rate, Math.min(...rates)), Math.max(...rates))
  const at = (read: (costs: Costs) => number): number =>
    costAt(fitCurve(points.map((point) => [point.perSecond, read(point)])), clampedRate)
  return {
    cpuMicros: Object.fromEntries(
      stages.map((stage) => [stage, at(({ cpuMicros }) => cpuMicros[stage])]),
    ) as Record<Stage, number>,
    postgres: {
      walBytes: at(({ postgres }) => postgres.walBytes),
      commits: at(({ postgres }) => postgres.commits),
      storedBytes: at(({ postgres }) => postgres.storedBytes),
    },
    rabbitmq: { writtenBytes: at(({ rabbitmq }) => rabbitmq.writtenBytes) },
  }
}

export const measuredFile = new URL('./measured.json', import.meta.url)

export function readMeasured(): CapacityMeasurement {
  return JSON.parse(readFileSync(measuredFile, 'utf8')) as CapacityMeasurement
}
