/** Checks that the memory of every process stays flat under overload. */
import { computeTrend, type Trend } from '../../support/measure/statistics.ts'
import type { Sample } from '../process-usage.ts'

export interface MemorySample extends Sample {
  /** Heap in use in KB; NaN if it was not measured. */
  readonly heapKb: number
}

export type MemorySamples = ReadonlyMap<string, readonly MemorySample[]>

/** Maximum resident memory: a process with a bounded number of messages needs less. */
export const maxResidentMb = 768
/** Maximum growth per minute over the second half as a fraction of the size. Two standard errors are allowed for chance. */
const maxFractionPerMinute = 0.01
/** In a shorter run heaps still grow to the size that the load needs, and a slope proves nothing. */
const minSeconds = 600

interface Memory {
  readonly name: string
  readonly resident: Trend
  readonly heap: Trend
  readonly peakMb: number
}

function memoryOf(samples: MemorySamples): Memory[] {
  return [...samples].map(([name, list]) => {
    const half = (list.at(-1)?.minute ?? 0) / 2
    const secondHalf = list.filter(({ minute }) => minute >= half)
    const measured = secondHalf.filter(({ heapKb }) => Number.isFinite(heapKb))
    return {
      name,
      resident: computeTrend(secondHalf.map(({ minute, residentKb }) => [minute, residentKb])),
      heap: computeTrend(measured.map(({ minute, heapKb }) => [minute, heapKb])),
      peakMb: Math.max(0, ...list.map(({ residentKb }) => residentKb)) / 1024,
    }
  })
}

export function checkMemory(samples: MemorySamples, seconds: number): string[] {
  return memoryOf(samples).flatMap(({ name, resident, peakMb }) => {
    const { slope, standardError, mean } = resident
    const grows = seconds >= minSeconds && slope - 2 * standardError > mean * maxFractionPerMinute
    return [
      ...(peakMb > maxResidentMb ? [`${name} used ${Math.round(peakMb)} MB; limit ${maxResidentMb} MB`] : []),
      ...(grows ? [`${name} grows by ${Math.round(slope)} KB per minute`] : []),
    ]
  })
}

/** Returns the figures for programs. */
export function memoryFigures(samples: MemorySamples): object[] {
  return memoryOf(samples).map(({ name, resident, heap, peakMb }) => ({
    name,
    peakMb: Math.round(peakMb),
    percentAMinute: percent(resident),
    heapPercentAMinute: percent(heap),
  }))
}

const percent = ({ slope, mean }: Trend): number => Math.round((slope / mean) * 10_000) / 100
const megabytes = (kb: number): string => `${Math.round(kb / 1024)} MB`

/** The first row is the head. */
export function memoryRows(samples: MemorySamples): string[][] {
  const head = ['process', 'peak', 'mean', 'slope', '± (2 SE)', 'heap in use', 'slope of the heap']
  const rows = memoryOf(samples).map(({ name, resident, heap, peakMb }) => [
    name,
    `${Math.round(peakMb)} MB`,
    megabytes(resident.mean),
    `${percent(resident).toFixed(2)} %/min`,
    `${((2 * resident.standardError * 100) / resident.mean).toFixed(2)} %`,
    megabytes(heap.mean),
    `${percent(heap).toFixed(2)} %/min`,
  ])
  return [head, ...rows]
}

export const memoryLimits = `at most ${maxResidentMb} MB, and over the second half of the run a slope below ${maxFractionPerMinute * 100} % of its size per minute.`
