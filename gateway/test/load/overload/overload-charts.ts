/** Draws the charts of the overload run. */
import { drawChart } from '../chart.ts'
import { maxResidentMb } from './overload-memory.ts'
import type { OverloadRun } from './overload-report.ts'

export function drawMemory({ samples }: OverloadRun): string {
  return drawChart({
    title: 'Resident memory under overload',
    x: 'minutes',
    y: 'MB',
    minY: 0,
    rules: [{ at: maxResidentMb, name: 'allowed' }],
    series: [...samples].map(([name, list]) => ({
      name,
      as: 'line' as const,
      points: list.map(({ minute, residentKb }) => [minute, residentKb / 1024] as const),
    })),
  })
}

export function drawQueue({ ages }: OverloadRun): string {
  return drawChart({
    title: 'Age of the intake queue',
    x: 'seconds',
    y: 'seconds',
    minY: 0,
    series: [{ name: 'age', as: 'line', points: ages }],
  })
}

export function drawRate({ rates }: OverloadRun): string {
  return drawChart({
    title: 'Messages accepted',
    x: 'seconds',
    y: 'messages per second',
    minY: 0,
    series: [{ name: 'accepted', as: 'line', points: rates }],
  })
}
