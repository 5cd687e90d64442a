/** Whether a prediction is good enough: what `npm run capacity -- --check` fails on. Pure. */
import { stages, type Costs, type Stage } from './measured.ts'

/** Predicted divided by used: the sum of all stages, and each stage that uses a tenth of the sum or more. */
export const maxError = { sum: 0.2, stage: 0.35 } as const
const minShare = 0.1

export function judgeCheck(predicted: Costs, found: Costs): string[] {
  const sumOf = (costs: Costs): number => stages.reduce((sum, stage) => sum + costs.cpuMicros[stage], 0)
  const total = sumOf(found)
  const judged = stages.filter((stage) => found.cpuMicros[stage] >= total * minShare)
  const off = (what: Stage | 'sum', ratio: number, bound: number): string[] =>
    Math.abs(ratio - 1) <= bound
      ? []
      : [`${what}: predicted ${ratio.toFixed(2)} of the CPU that was used; the bound is ±${bound * 100} %`]
  return [
    ...off('sum', sumOf(predicted) / total, maxError.sum),
    ...judged.flatMap((stage) =>
      off(stage, predicted.cpuMicros[stage] / found.cpuMicros[stage], maxError.stage),
    ),
  ]
}
