/** Formats the tables of `npm run suite -- capacity`. */
import { describeHardware } from '../../tools/dev/hardware.ts'
import { table } from '../report.ts'
import { stages, type Costs, type CapacityMeasurement, type MeasuredCosts, type Stage } from './measured.ts'
import { limits, type Plan, type Resource } from './model.ts'

const amount = (figure: number): string =>
  figure >= 100 ? String(Math.round(figure)) : figure >= 10 ? figure.toFixed(1) : figure.toFixed(2)

function cell({ need, share }: Resource): string {
  if (share === undefined) return String(need)
  return `${amount(need)} (${Math.round(share * 100)} %)`
}

export function renderPlans(measured: CapacityMeasurement, plans: readonly Plan[]): string {
  const names = plans[0]!.resources.map(({ name, unit }) => `${name}, ${unit}`)
  const rows = [
    ['messages per second at the peak', ...plans.map(({ demand }) => String(demand.rate))],
    ...names.map((name, index) => [name, ...plans.map(({ resources }) => cell(resources[index]!))]),
    ['cells', ...plans.map(({ cells }) => String(cells))],
    ['first limit', ...plans.map(({ first }) => first)],
    ['maximum of one cell, messages per second', ...plans.map(({ cellRate }) => amount(cellRate))],
  ]
  const { days, averageShare } = plans[0]!.demand
  return (
    `measured ${measured.date}, ${measured.load}\n${describeHardware(measured.hardware)}\n\n${table(rows)}` +
    `  in brackets: share of the usable capacity of one cell, ${limits.utilisation * 100} % of its limit\n` +
    `  retention ${days} days at ${averageShare} of the peak on average\n`
  )
}

/** Formats the predicted and used cores of every stage at the measured rate. */
export function renderCheck(predicted: Costs, found: MeasuredCosts): string {
  const cores = (costs: Costs, of: readonly Stage[]): number =>
    (of.reduce((sum, stage) => sum + costs.cpuMicros[stage], 0) * found.perSecond) / 1e6
  const row = (title: string, of: readonly Stage[]): string[] => {
    const [predictedCores, usedCores] = [cores(predicted, of), cores(found, of)]
    const ratio = usedCores === 0 ? '' : (predictedCores / usedCores).toFixed(2)
    return [title, predictedCores.toFixed(2), usedCores.toFixed(2), ratio]
  }
  return (
    table([
      [`at ${found.perSecond} messages per second, cores`, 'predicted', 'used', 'predicted/used'],
      ...stages.map((stage) => row(stage, [stage])),
      row('sum', stages),
    ]) +
    table([
      ['bytes per message', 'predicted', 'found'],
      ['PostgreSQL WAL', String(Math.round(predicted.postgres.walBytes)), String(found.postgres.walBytes)],
      [
        'PostgreSQL stored',
        String(Math.round(predicted.postgres.storedBytes)),
        String(found.postgres.storedBytes),
      ],
      [
        'RabbitMQ written',
        String(Math.round(predicted.rabbitmq.writtenBytes)),
        String(found.rabbitmq.writtenBytes),
      ],
    ])
  )
}
