/** Turns rounds into tables for the terminal and JSON for programs. Pure. */
import type { Hardware } from '../scripts/hardware.ts'
import { machinePart } from './meter.ts'
import { median, sideNames, type Round, type Rounds, type SideName } from './rounds.ts'

/** The result of a scenario. */
export interface Outcome {
  readonly unit: string
  readonly rounds: Rounds
  /** Remarks, one line each. */
  readonly notes: readonly string[]
  /** Other loads measured in the same run, by their names. */
  readonly variants?: Readonly<Record<string, Outcome>>
}

export interface Summary {
  readonly ours: number
  readonly bare: number
  /** Of the medians. */
  readonly ratio: number
  /** The median of the ratios of each round: less affected by a machine that slows down in between. */
  readonly pairedRatio: number
  /** CPU time of the bare side per message, divided by ours: hardly affected by other load. */
  readonly cpuRatio: number
  readonly unit: string
  readonly sides: Readonly<Record<SideName, SideSummary>>
  readonly notes: readonly string[]
  readonly hardware: Hardware
  readonly variants?: Readonly<Record<string, Summary>>
}

interface SideSummary {
  readonly perSecond: readonly number[]
  readonly p50Ms: number
  readonly p99Ms: number
  /** Microseconds a message, by part. */
  readonly cpuMicros: Readonly<Record<string, number>>
  readonly cpuMicrosTotal: number
  readonly disturbance: number
}

export function summarize(outcome: Outcome, hardware: Hardware): Summary {
  const { rounds } = outcome
  const [ours, bare] = sideNames.map((side) => median(rounds[side].map((round) => round.perSecond)))
  const sides = { ours: summarizeSide(rounds.ours), bare: summarizeSide(rounds.bare) }
  return {
    ours: Math.round(ours!),
    bare: Math.round(bare!),
    ratio: hundredths(ours! / bare!),
    pairedRatio: hundredths(
      median(rounds.ours.map((round, index) => round.perSecond / rounds.bare[index]!.perSecond)),
    ),
    cpuRatio: hundredths(sides.bare.cpuMicrosTotal / sides.ours.cpuMicrosTotal),
    unit: outcome.unit,
    sides,
    notes: outcome.notes,
    hardware,
    ...(outcome.variants === undefined ? {} : { variants: summarizeAll(outcome.variants, hardware) }),
  }
}

function summarizeAll(
  variants: Readonly<Record<string, Outcome>>,
  hardware: Hardware,
): Record<string, Summary> {
  const entries = Object.entries(variants)
  return Object.fromEntries(entries.map(([name, variant]) => [name, summarize(variant, hardware)]))
}

function summarizeSide(rounds: readonly Round[]): SideSummary {
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

export function render(name: string, summary: Summary): string {
  const { ours, bare } = summary.sides
  const rows: string[][] = [
    [`${name}: ${summary.unit}`, 'ours', 'bare', 'ours/bare'],
    ['median', String(summary.ours), String(summary.bare), summary.ratio.toFixed(2)],
    ['round by round, median', '', '', summary.pairedRatio.toFixed(2)],
    ['slowest round', String(Math.min(...ours.perSecond)), String(Math.min(...bare.perSecond)), ''],
    ['fastest round', String(Math.max(...ours.perSecond)), String(Math.max(...bare.perSecond)), ''],
    ['accept p50, ms', ours.p50Ms.toFixed(2), bare.p50Ms.toFixed(2), ''],
    ['accept p99, ms', ours.p99Ms.toFixed(2), bare.p99Ms.toFixed(2), ''],
    ['others on the machine, %', percent(ours.disturbance), percent(bare.disturbance), ''],
    ['CPU a message, µs', '', '', ''],
    ...Object.keys(ours.cpuMicros).map((part) => [
      `  ${part}`,
      (ours.cpuMicros[part] ?? 0).toFixed(1),
      (bare.cpuMicros[part] ?? 0).toFixed(1),
      '',
    ]),
    [
      '  sum',
      ours.cpuMicrosTotal.toFixed(1),
      bare.cpuMicrosTotal.toFixed(1),
      `(1/${summary.cpuRatio.toFixed(2)})`,
    ],
  ]
  const notes = summary.notes.map((note) => `  ${note}\n`)
  const variants = Object.entries(summary.variants ?? {}).map(
    ([variant, of]) => `\n${render(`${name} ${variant}`, of)}`,
  )
  return `${table(rows)}${notes.join('')}${variants.join('')}`
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  const cell = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]! + 2)
  return rows.map((row) => `${row.map(cell).join('').trimEnd()}\n`).join('')
}

const percent = (share: number): string => String(Math.round(share * 100))
const hundredths = (figure: number): number => Math.round(figure * 100) / 100
