/**
 * `--encrypted`, `--rules` and `--console`: our gateway with a setting, against the same gateway without it, in the same run. Rounds
 * alternate. Accept is measured without workers, of an SMS and of an omni flow; the pipeline to the last report.
 */
import { CleanupStack } from '../cleanup-stack.ts'
import { startLoadGenerator } from '../load/load.ts'
import type { BenchOptions, ScenarioName } from '../options.ts'
import { summarizeSide, table, type SideSummary } from '../report.ts'
import { alternate, median, type Round } from '../rounds.ts'
import type { ComparedSettings } from './settings.ts'
import { startAcceptSides, startPipelineSide, type ComparedSide, type SideRun } from './side.ts'

export interface ComparisonSummary {
  readonly ratio: number
  /** Of every round to the one beside it, the median. */
  readonly pairedRatio: number
  /** The median of each pair of sides: they differ by how the engine happened to compile two processes. */
  readonly pairRatios: readonly number[]
  /** CPU time a message without the setting, divided by that with it: hardly affected by other load. */
  readonly cpuRatio: number
  readonly sides: Readonly<Record<'on' | 'off', SideSummary>>
}

interface Pair {
  readonly on: ComparedSide
  readonly off: ComparedSide
}

export interface ComparisonRun {
  readonly settings: ComparedSettings
  readonly options: BenchOptions
  readonly cores: number
  readonly stack: CleanupStack
  readonly say: (text: string) => void
  /** Absent: the sources. */
  readonly entry?: string
  /** CPU profiles of both sides, each in a folder of its own. */
  readonly profileFolders?: Readonly<Record<'on' | 'off', string>>
}

type SideRounds = Record<'on' | 'off', Round[]>

/**
 * By what was measured: `accept`, `accept of an omni flow`, `pipeline`. Every pair of sides is freshly started: two processes with the same
 * settings differ by up to a tenth for as long as they live.
 */
export async function runComparison(
  scenario: ScenarioName,
  run: ComparisonRun,
): Promise<Record<string, ComparisonSummary>> {
  const rounds = new Map<string, SideRounds[]>()
  for (let number = 1; number <= run.options.pairs; number++) {
    const stack = run.stack.use(new CleanupStack())
    const prefix = run.options.pairs === 1 ? '' : `pair ${number}/${run.options.pairs}, `
    const own: ComparisonRun = { ...run, stack, say: (text) => run.say(`${prefix}${text}`) }
    for (const [name, pair] of Object.entries(await startPair(scenario, own)))
      rounds.set(name, [...(rounds.get(name) ?? []), await measurePair(name, pair, own)])
    await stack.stop()
  }
  return Object.fromEntries([...rounds].map(([name, pairs]) => [name, summarizePairs(pairs)]))
}

async function startPair(scenario: ScenarioName, run: ComparisonRun): Promise<Record<string, Pair>> {
  const { settings, options, stack, profileFolders, entry } = run
  const load = stack.use(startLoadGenerator())
  const runOf = (side: 'on' | 'off'): SideRun => ({
    ...{ setting: settings[side], options, stack, load },
    ...(entry === undefined ? {} : { entry }),
    ...(profileFolders === undefined ? {} : { profileFolder: profileFolders[side] }),
  })
  if (scenario === 'pipeline')
    return {
      pipeline: { off: await startPipelineSide(runOf('off')), on: await startPipelineSide(runOf('on')) },
    }
  const [off, on] = [await startAcceptSides(runOf('off')), await startAcceptSides(runOf('on'))]
  return {
    accept: { off: off.sms, on: on.sms },
    'accept of an omni flow': { off: off.omni, on: on.omni },
  }
}

async function measurePair(name: string, { on, off }: Pair, run: ComparisonRun): Promise<SideRounds> {
  const say = (text: string): void => run.say(`${name}: ${text}`)
  say('warming up')
  for (const side of [off, on]) await side.warmUp()
  return alternate(run.options.rounds, run.cores, { on: on.measure, off: off.measure }, say)
}

/** Exported for its test. */
export function summarizePairs(pairs: readonly SideRounds[]): ComparisonSummary {
  const rounds = { on: pairs.flatMap(({ on }) => on), off: pairs.flatMap(({ off }) => off) }
  const speed = (side: 'on' | 'off'): number => median(rounds[side].map(({ perSecond }) => perSecond))
  const sides = { on: summarizeSide(rounds.on), off: summarizeSide(rounds.off) }
  return {
    ratio: hundredths(speed('on') / speed('off')),
    pairedRatio: hundredths(median(roundRatios(rounds))),
    pairRatios: pairs.map((pair) => hundredths(median(roundRatios(pair)))),
    cpuRatio: hundredths(sides.off.cpuMicrosTotal / sides.on.cpuMicrosTotal),
    sides,
  }
}

function roundRatios({ on, off }: SideRounds): number[] {
  return on.map((round, n) => round.perSecond / off[n]!.perSecond)
}

export function renderComparison(
  name: string,
  { minRatio, on, off }: ComparedSettings,
  summary: ComparisonSummary,
): string {
  const { ratio, pairedRatio, pairRatios, cpuRatio, sides } = summary
  const both = [sides.on, sides.off]
  const rows = [
    [`${name}: messages per second`, on.title, off.title, 'ratio'],
    ['median', ...both.map((side) => String(Math.round(median(side.perSecond)))), ratio.toFixed(2)],
    ['round by round, median', '', '', pairedRatio.toFixed(2)],
    ['accept p99, ms', ...both.map((side) => side.p99Ms.toFixed(2))],
    ['others on the machine, %', ...both.map((side) => String(Math.round(side.disturbance * 100)))],
    ['CPU a message, µs'],
    ...Object.keys(sides.off.cpuMicros).map((part) => [
      `  ${part}`,
      ...both.map((side) => (side.cpuMicros[part] ?? 0).toFixed(1)),
    ]),
    ['  sum', ...both.map((side) => side.cpuMicrosTotal.toFixed(1)), cpuRatio.toFixed(2)],
  ]
  const met = [pairedRatio, cpuRatio].map((one) => (one >= minRatio ? 'met' : 'missed'))
  const pairs = pairRatios.length > 1 ? `  pairs of processes: ${pairRatios.join(', ')}\n` : ''
  return `${table(rows)}${pairs}  target ${minRatio}: ${met[0]} by throughput round by round, ${met[1]} by CPU\n`
}

const hundredths = (figure: number): number => Math.round(figure * 100) / 100
