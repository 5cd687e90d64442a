/** Whether the memory of every process stays flat under overload. Pure. */
import { trendOf, type Trend } from '../support/statistics.ts'
import type { Sample } from './process-usage.ts'

export interface MemorySample extends Sample {
  /** NaN when it was not measured. */
  readonly heapKb: number
}

export type MemorySamples = ReadonlyMap<string, readonly MemorySample[]>

/** Whatever the slope: a process that holds a bounded number of messages needs less. */
export const maxResidentMb = 768
/** The slope of the second half must be below this share of the size a minute, beyond two standard errors. */
const maxShareAMinute = 0.01
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
    const second = list.filter(({ minute }) => minute >= half)
    const measured = second.filter(({ heapKb }) => Number.isFinite(heapKb))
    return {
      name,
      resident: trendOf(second.map(({ minute, residentKb }) => [minute, residentKb])),
      heap: trendOf(measured.map(({ minute, heapKb }) => [minute, heapKb])),
      peakMb: Math.max(0, ...list.map(({ residentKb }) => residentKb)) / 1024,
    }
  })
}

export function judgeMemory(samples: MemorySamples, seconds: number): string[] {
  return memoryOf(samples).flatMap(({ name, resident, peakMb }) => {
    const { slope, standardError, mean } = resident
    const grows = seconds >= minSeconds && slope - 2 * standardError > mean * maxShareAMinute
    return [
      ...(peakMb > maxResidentMb
        ? [`${name} used ${Math.round(peakMb)} MB; at most ${maxResidentMb} MB are allowed`]
        : []),
      ...(grows ? [`${name} grows by ${Math.round(slope)} KB a minute`] : []),
    ]
  })
}

/** For programs. */
export function memoryFigures(samples: MemorySamples): object[] {
  return memoryOf(samples).map(({ name, resident, heap, peakMb }) => ({
    ...{ name, peakMb: Math.round(peakMb) },
    ...{ percentAMinute: percent(resident), heapPercentAMinute: percent(heap) },
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

export const flatMeans = `Flat means: at most ${maxResidentMb} MB at any time, and over the second half a slope of
less than ${maxShareAMinute * 100} % of its size a minute beyond two standard errors (least squares; judged from ${minSeconds} seconds on).`
