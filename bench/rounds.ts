/** Runs rounds of all sides in turn, and sums them. */
import { difference, machinePart, type CpuReading, type Meter } from './meter.ts'

/** `bare` publishes every job alone; `grouped` is the same program with the gateway's grouping of jobs. */
export const bareNames = ['bare', 'grouped'] as const
export type BareName = (typeof bareNames)[number]
export const sideNames = ['ours', ...bareNames] as const
export type SideName = (typeof sideNames)[number]

export function forEverySide<T>(make: (side: SideName) => T): Record<SideName, T> {
  return { ours: make('ours'), bare: make('bare'), grouped: make('grouped') }
}

export interface Round {
  readonly perSecond: number
  readonly messages: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Microseconds of CPU by part, over the measured time only. */
  readonly cpu: CpuReading
  /** Share of the machine's CPU that other processes used, 0 to 1. */
  readonly disturbance: number
}

/** The result of a side: the meter must be read when the clock starts and when it stops. */
export type Measure = () => Promise<Omit<Round, 'disturbance'>>

export type Rounds = Readonly<Record<SideName, readonly Round[]>>

/** Each round begins with another side, so that a drift of the machine favours none. */
export async function alternate<Name extends string>(
  count: number,
  cores: number,
  sides: Readonly<Record<Name, Measure>>,
  say: (text: string) => void,
): Promise<Record<Name, Round[]>> {
  const names = Object.keys(sides) as Name[]
  const rounds = Object.fromEntries(names.map((name) => [name, [] as Round[]])) as Record<Name, Round[]>
  for (let number = 1; number <= count; number++) {
    const first = (number - 1) % names.length
    for (const side of [...names.slice(first), ...names.slice(0, first)]) {
      const measured = await sides[side]()
      const disturbance = disturbanceOf(measured.cpu, measured.seconds * cores)
      rounds[side].push({ ...measured, disturbance })
      const others = `others ${Math.round(disturbance * 100)} %`
      say(`round ${number}/${count} ${side}: ${Math.round(measured.perSecond)}/s, ${others}`)
    }
  }
  return rounds
}

/** Reads the meter around a piece of work. */
export async function metered<T>(
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

function disturbanceOf(cpu: CpuReading, coreSeconds: number): number {
  const ours = Object.entries(cpu).reduce(
    (sum, [part, micros]) => (part === machinePart ? sum : sum + micros),
    0,
  )
  return Math.max(0, ((cpu[machinePart] ?? 0) - ours) / (coreSeconds * 1e6))
}
