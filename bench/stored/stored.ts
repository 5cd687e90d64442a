/**
 * `pipeline --stored N`: compares the pipeline on a store with N closed messages with the same gateway on an
 * empty store, in the same run. A full store must not slow the pipeline.
 */
import { startCarrier } from '../carrier.ts'
import { CleanupStack } from '../cleanup-stack.ts'
import { openEnvironment } from '../environment.ts'
import { installGateway } from '../gateway.ts'
import { startLoadGenerator } from '../load/load.ts'
import { maxRoundMs, measureRound } from '../measure-round.ts'
import { Meter } from '../meter.ts'
import type { BenchOptions } from '../options.ts'
import { pollAll } from '../poll.ts'
import { summarizeVariant, table, type VariantSummary } from '../report.ts'
import { runRounds, median, measureCpu, type Measure, type Round } from '../rounds.ts'
import { startOurs } from '../variants.ts'
import { fillStore, filledDays, type FilledStore } from './fill.ts'

/** Minimum throughput on the filled store, divided by that on the empty one. */
export const minRatio = 0.9

export interface StoredSummary {
  readonly stored: FilledStore
  readonly ratio: number
  readonly pairedRatio: number
  /**
   * CPU time per message on the empty store divided by that on the filled one: hardly affected by other load.
   */
  readonly cpuRatio: number
  readonly sides: { readonly filled: VariantSummary; readonly empty: VariantSummary }
}

export async function runStored(
  options: BenchOptions,
  cores: number,
  stack: CleanupStack,
  log: (text: string) => void,
): Promise<StoredSummary> {
  const load = stack.use(startLoadGenerator())
  let firstNumber = 0

  async function startSide(
    stored: number,
  ): Promise<{ filled: FilledStore | undefined; round: (messages: number) => ReturnType<Measure> }> {
    const environment = await openEnvironment()
    stack.use({ stop: () => environment.close() })
    const gateway = await installGateway(environment)
    const filled = stored === 0 ? undefined : await fillStore(environment.database, stored, log)
    const meter = new Meter()
    const { window, workers, owners, connections } = options
    const carrier = stack.use(await startCarrier())
    const side = await startOurs(
      { environment, stack, meter, smscPort: carrier.port, window, workers, owners },
      gateway,
    )
    meter.watchServices(environment)
    const token = await gateway.requestToken(side.port)
    const round = async (requests: number): ReturnType<Measure> => {
      const amount = { connections, requests, milliseconds: maxRoundMs, firstNumber }
      firstNumber += requests
      const job = { send: 'sms', port: side.port, token, ...amount } as const
      const { value, cpu } = await measureCpu(meter, () => measureRound(side, load, job))
      const polled = await pollAll(side.port, token)
      if (polled.records !== requests || polled.wrong > 0 || polled.repeated > 0) {
        throw new Error(`polling ${requests} messages returned ${JSON.stringify(polled)}`)
      }
      return { ...value, cpu }
    }
    return { filled, round }
  }

  const empty = await startSide(0)
  const filled = await startSide(options.stored)
  log('warming up')
  for (const side of [empty, filled]) await side.round(Math.min(options.messages, 10_000))
  const rounds = await runRounds(
    options.rounds,
    cores,
    { filled: () => filled.round(options.messages), empty: () => empty.round(options.messages) },
    log,
  )
  return summarizeStored(filled.filled!, rounds)
}

export function summarizeStored(
  stored: FilledStore,
  rounds: { readonly filled: readonly Round[]; readonly empty: readonly Round[] },
): StoredSummary {
  const speed = (side: readonly Round[]): number => median(side.map(({ perSecond }) => perSecond))
  const sides = { filled: summarizeVariant(rounds.filled), empty: summarizeVariant(rounds.empty) }
  const ratios = rounds.filled.map((round, index) => round.perSecond / rounds.empty[index]!.perSecond)
  return {
    stored,
    ratio: hundredths(speed(rounds.filled) / speed(rounds.empty)),
    pairedRatio: hundredths(median(ratios)),
    cpuRatio: hundredths(sides.empty.cpuMicrosTotal / sides.filled.cpuMicrosTotal),
    sides,
  }
}

export function renderStored({ stored, ratio, pairedRatio, cpuRatio, sides }: StoredSummary): string {
  const { filled, empty } = sides
  const perSecond = (side: VariantSummary): string => String(Math.round(median(side.perSecond)))
  const rows = [
    ['pipeline: messages per second, accept to report', `${stored.messages} stored`, 'empty', 'ratio'],
    ['median', perSecond(filled), perSecond(empty), ratio.toFixed(2)],
    ['round by round, median', '', '', pairedRatio.toFixed(2)],
    [
      'others on the machine, %',
      ...[filled, empty].map((side) => String(Math.round(side.disturbance * 100))),
    ],
    ['CPU per message, µs'],
    ...Object.keys(filled.cpuMicros).map((part) => [
      `  ${part}`,
      ...[filled, empty].map((side) => (side.cpuMicros[part] ?? 0).toFixed(1)),
    ]),
    [
      '  sum',
      filled.cpuMicrosTotal.toFixed(1),
      empty.cpuMicrosTotal.toFixed(1),
      `(1/${cpuRatio.toFixed(2)})`,
    ],
  ]
  const bytes = Math.round(stored.bytes / Math.max(1, stored.messages))
  const assessment = ratio >= minRatio ? 'within 10 %' : `slower than ${minRatio} of the empty store`
  return (
    `${table(rows)}  stored over ${filledDays} days in ${Math.round(stored.seconds)} s, ${bytes} bytes per message\n` +
    `  the filled store is ${assessment}\n`
  )
}

const hundredths = (figure: number): number => Math.round(figure * 100) / 100
