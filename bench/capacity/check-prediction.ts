/** Decides whether a prediction is good enough for `npm run suite -- capacity --check`. */
import { stages, type Costs, type Stage } from './measured.ts'

/** Maximum relative errors: of the sum of all stages, and of each stage with at least a tenth of the sum. */
export const maxError = { sum: 0.2, stage: 0.35 } as const
const minShare = 0.1

export function checkPrediction(predicted: Costs, found: Costs): string[] {
  const sumStages = (costs: Costs): number => stages.reduce((sum, stage) => sum + costs.cpuMicros[stage], 0)
  const total = sumStages(found)
  const compared = stages.filter((stage) => found.cpuMicros[stage] >= total * minShare)
  const findDeviation = (name: Stage | 'sum', ratio: number, allowed: number): string[] =>
    Math.abs(ratio - 1) <= allowed
      ? []
      : [`${name}: predicted ${ratio.toFixed(2)} of the CPU that was used (allowed: ±${allowed * 100} %)`]
  return [
    ...findDeviation('sum', sumStages(predicted) / total, maxError.sum),
    ...compared.flatMap((stage) =>
      findDeviation(stage, predicted.cpuMicros[stage] / found.cpuMicros[stage], maxError.stage),
    ),
  ]
}
