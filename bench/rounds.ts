/** Runs rounds of all variants in turn. */
import { difference, machinePart, type CpuReading, type Meter } from './meter.ts'

/**
 * `bare` publishes every job separately; `grouped` is the same program with the gateway's grouping of jobs.
 */
export const bareNames = ['bare', 'grouped'] as const
export type BareName = (typeof bareNames)[number]
export const variantNames = ['ours', ...bareNames] as const
export type VariantName = (typeof variantNames)[number]

export function forEveryVariant<T>(make: (side: VariantName) => T): Record<VariantName, T> {
  return { ours: make('ours'), bare: make('bare'), grouped: make('grouped') }
}

export interface Round {
  readonly perSecond: number
  readonly messages: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU microseconds by part, within the measured time. */
  readonly cpu: CpuReading
  /** Share of the machine's CPU that other processes used, 0 to 1. */
  readonly disturbance: number
}

/** Measures one round of a variant. The meter must be read when the clock starts and when it stops. */
export type Measure = () => Promise<Omit<Round, 'disturbance'>>

export type Rounds = Readonly<Record<VariantName, readonly Round[]>>

/** Runs rounds that each start with another variant, so that machine drift favours none. */
export async function runRounds<Name extends string>(
  count: number,
  cores: number,
  sides: Readonly<Record<Name, Measure>>,
  log: (text: string) => void,
): Promise<Record<Name, Round[]>> {
  const names = Object.keys(sides) as Name[]
  const rounds = Object.fromEntries(names.map((name) => [name, [] as Round[]])) as Record<Name, Round[]>
  for (let number = 1; number <= count; number++) {
    const first = (number - 1) % names.length
    for (const side of [...names.slice(first), ...names.slice(0, first)]) {
      const measured = await sides[side]()
      const disturbance = computeDisturbance(measured.cpu, measured.seconds * cores)
      rounds[side].push({ ...measured, disturbance })
      const others = `others ${Math.round(disturbance * 100)} %`
      log(`round ${number}/${count} ${side}: ${Math.round(measured.perSecond)}/s, ${others}`)
    }
  }
  return rounds
}

/** Reads the meter around a piece of work. */
export async function measureCpu<T>(
  meter: Meter,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly cpu: CpuReading }> {
  const before = meter.read()
  const value = await work()
  return { value, cpu: difference(meter.read(), before) }
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

function computeDisturbance(cpu: CpuReading, coreSeconds: number): number {
  const watchedMicros = Object.entries(cpu).reduce(
    (sum, [part, micros]) => (part === machinePart ? sum : sum + micros),
    0,
  )
  return Math.max(0, ((cpu[machinePart] ?? 0) - watchedMicros) / (coreSeconds * 1e6))
}
