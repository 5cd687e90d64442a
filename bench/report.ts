/** Turns rounds into tables for the terminal and JSON for programs. */
import type { Hardware } from '../tools/dev/hardware.ts'
import { machinePart } from './meter.ts'
import {
  bareNames,
  forEveryVariant,
  median,
  type BareName,
  type Round,
  type Rounds,
  type VariantName,
} from './rounds.ts'

export interface BenchResult {
  readonly unit: string
  readonly rounds: Rounds
  /** Remarks, one line each. */
  readonly notes: readonly string[]
  /** Other loads measured in the same run, by name. */
  readonly variants?: Readonly<Record<string, BenchResult>>
}

/** Comparison of ours with one of the bare variants. */
export interface Comparison {
  /** Ratio of the medians. */
  readonly ratio: number
  /** Median of the ratios of each round: less affected by a machine that slows down in between. */
  readonly pairedRatio: number
  /** CPU time per message of the bare variant divided by ours: hardly affected by other load. */
  readonly cpuRatio: number
  /** CPU time per message of our processes and the engines divided by that of the bare variant. */
  readonly ownCpuRatio: number
}

/** Top-level ratios compare with `bare`. */
export interface Summary extends Comparison {
  readonly ours: number
  readonly bare: number
  readonly grouped: number
  readonly toGrouped: Comparison
  readonly unit: string
  readonly sides: Readonly<Record<VariantName, VariantSummary>>
  readonly notes: readonly string[]
  readonly hardware: Hardware
  readonly variants?: Readonly<Record<string, Summary>>
}

export interface VariantSummary {
  readonly perSecond: readonly number[]
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU microseconds per message, by part. */
  readonly cpuMicros: Readonly<Record<string, number>>
  readonly cpuMicrosTotal: number
  readonly disturbance: number
}

export function summarize(result: BenchResult, hardware: Hardware): Summary {
  const { rounds } = result
  const medians = forEveryVariant((side) => median(rounds[side].map((round) => round.perSecond)))
  const sides = forEveryVariant((side) => summarizeVariant(rounds[side]))
  const compare = (bare: BareName): Comparison => ({
    ratio: hundredths(medians.ours / medians[bare]),
    pairedRatio: hundredths(
      median(rounds.ours.map((round, index) => round.perSecond / rounds[bare][index]!.perSecond)),
    ),
    cpuRatio: hundredths(sides[bare].cpuMicrosTotal / sides.ours.cpuMicrosTotal),
    ownCpuRatio: hundredths(sumOwnCpu('ours', sides.ours) / sumOwnCpu(bare, sides[bare])),
  })
  return {
    ours: Math.round(medians.ours),
    bare: Math.round(medians.bare),
    grouped: Math.round(medians.grouped),
    ...compare('bare'),
    toGrouped: compare('grouped'),
    unit: result.unit,
    sides,
    notes: result.notes,
    hardware,
    ...(result.variants === undefined ? {} : { variants: summarizeAll(result.variants, hardware) }),
  }
}

function summarizeAll(
  variants: Readonly<Record<string, BenchResult>>,
  hardware: Hardware,
): Record<string, Summary> {
  const entries = Object.entries(variants)
  return Object.fromEntries(entries.map(([name, variant]) => [name, summarize(variant, hardware)]))
}

export function summarizeVariant(rounds: readonly Round[]): VariantSummary {
  const messages = rounds.reduce((sum, round) => sum + round.messages, 0)
  const parts = Object.keys(rounds[0]?.cpu ?? {}).filter((part) => part !== machinePart)
  const perMessage = (part: string): number =>
    rounds.reduce((sum, round) => sum + (round.cpu[part] ?? 0), 0) / messages
  const cpu = parts.map((part) => [part, perMessage(part)] as const)
  return {
    perSecond: rounds.map((round) => Math.round(round.perSecond)),
    p50Ms: hundredths(median(rounds.map((round) => round.p50Ms))),
    p99Ms: hundredths(median(rounds.map((round) => round.p99Ms))),
    cpuMicros: Object.fromEntries(cpu.map(([part, micros]) => [part, hundredths(micros)])),
    cpuMicrosTotal: hundredths(cpu.reduce((sum, [, micros]) => sum + micros, 0)),
    disturbance: hundredths(median(rounds.map((round) => round.disturbance))),
  }
}

const engineParts: readonly string[] = ['rabbitmq', 'postgres', 'redis']

/** Other processes drive the load of all variants alike, or belong to another variant and are idle. */
export function sumOwnCpu(side: VariantName, { cpuMicros }: Pick<VariantSummary, 'cpuMicros'>): number {
  const own = side === 'ours' ? 'gateway ' : `${side} `
  return Object.entries(cpuMicros).reduce(
    (sum, [part, micros]) => (part.startsWith(own) || engineParts.includes(part) ? sum + micros : sum),
    0,
  )
}

export function render(name: string, summary: Summary): string {
  const { sides } = summary
  const columns = ['ours', ...bareNames] as const
  const row = (title: string, cell: (side: VariantName) => string, ...ratios: string[]): string[] => [
    title,
    ...columns.map(cell),
    ...ratios,
  ]
  const ratios = (of: (comparison: Comparison) => string): string[] => [summary, summary.toGrouped].map(of)
  const rows = [
    row(`${name}: ${summary.unit}`, (side) => side, 'ours/bare', 'ours/grouped'),
    row('median', (side) => String(summary[side]), ...ratios(({ ratio }) => ratio.toFixed(2))),
    row('round by round, median', () => '', ...ratios(({ pairedRatio }) => pairedRatio.toFixed(2))),
    row('slowest round', (side) => String(Math.min(...sides[side].perSecond))),
    row('fastest round', (side) => String(Math.max(...sides[side].perSecond))),
    row('accept p50, ms', (side) => sides[side].p50Ms.toFixed(2)),
    row('accept p99, ms', (side) => sides[side].p99Ms.toFixed(2)),
    row('others on the machine, %', (side) => percent(sides[side].disturbance)),
    ['CPU per message, µs'],
    ...Object.keys(sides.ours.cpuMicros).map((part) =>
      row(`  ${part}`, (side) => (sides[side].cpuMicros[part] ?? 0).toFixed(1)),
    ),
    row(
      '  sum',
      (side) => sides[side].cpuMicrosTotal.toFixed(1),
      ...ratios(({ cpuRatio }) => `(1/${cpuRatio.toFixed(2)})`),
    ),
    row(
      '  own processes and engines',
      (side) => sumOwnCpu(side, sides[side]).toFixed(1),
      ...ratios(({ ownCpuRatio }) => ownCpuRatio.toFixed(2)),
    ),
  ]
  const notes = summary.notes.map((note) => `  ${note}\n`)
  const variants = Object.entries(summary.variants ?? {}).map(
    ([variant, of]) => `\n${render(`${name} ${variant}`, of)}`,
  )
  return `${table(rows)}${notes.join('')}${variants.join('')}`
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const cell = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]! + 2)
  return rows.map((row) => `${row.map(cell).join('').trimEnd()}\n`).join('')
}

const percent = (share: number): string => String(Math.round(share * 100))
const hundredths = (figure: number): number => Math.round(figure * 100) / 100
