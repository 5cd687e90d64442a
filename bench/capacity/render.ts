/** The tables of `npm run capacity`. Pure. */
import { describeHardware } from '../../scripts/hardware.ts'
import { table } from '../report.ts'
import { stages, type Costs, type Measured, type MeasuredCosts, type Stage } from './measured.ts'
import { limits, type Plan, type Resource } from './model.ts'

const amount = (figure: number): string =>
  figure >= 100 ? String(Math.round(figure)) : figure >= 10 ? figure.toFixed(1) : figure.toFixed(2)

function cell({ need, share }: Resource): string {
  if (share === undefined) return String(need)
  return `${amount(need)} (${Math.round(share * 100)} %)`
}

export function renderPlans(measured: Measured, plans: readonly Plan[]): string {
  const names = plans[0]!.resources.map(({ name, unit }) => `${name}, ${unit}`)
  const rows = [
    ['messages a second at the peak', ...plans.map(({ demand }) => String(demand.rate))],
    ...names.map((name, index) => [name, ...plans.map(({ resources }) => cell(resources[index]!))]),
    ['cells', ...plans.map(({ cells }) => String(cells))],
    ['breaks first', ...plans.map(({ first }) => first)],
    ['one cell reaches, messages a second', ...plans.map(({ cellRate }) => amount(cellRate))],
  ]
  const { days, averageShare } = plans[0]!.demand
  return (
    `measured ${measured.date}, ${measured.load}\n${describeHardware(measured.hardware)}\n\n${table(rows)}` +
    `  in brackets: share of what one cell may use, ${limits.utilisation * 100} % of its limit\n` +
    `  kept ${days} days at ${averageShare} of the peak on average\n`
  )
}

/** Cores of every stage at the rate that was found: predicted from the costs, and used. */
export function renderCheck(predicted: Costs, found: MeasuredCosts): string {
  const cores = (costs: Costs, of: readonly Stage[]): number =>
    (of.reduce((sum, stage) => sum + costs.cpuMicros[stage], 0) * found.perSecond) / 1e6
  const row = (title: string, of: readonly Stage[]): string[] => {
    const [before, after] = [cores(predicted, of), cores(found, of)]
    return [title, before.toFixed(2), after.toFixed(2), after === 0 ? '' : (before / after).toFixed(2)]
  }
  return (
    table([
      [`at ${found.perSecond} messages a second, cores`, 'predicted', 'used', 'predicted/used'],
      ...stages.map((stage) => row(stage, [stage])),
      row('sum', stages),
    ]) +
    table([
      ['bytes a message', 'predicted', 'found'],
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
