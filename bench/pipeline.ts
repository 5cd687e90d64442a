/**
 * Scenario `pipeline`: the whole pipeline with receipts. A message counts when it was accepted, submitted by
 * SMPP, receipted, and its report row is committed; the time is measured from the first request to the last
 * report row. Polling is not timed, because the bare pipeline has none. On our side every report is then
 * polled and acknowledged over HTTP, and a missing, repeated or wrong one fails the run.
 */
import { describeBatches, readBatches, type BatchCounts } from './batches.ts'
import { startCarrier } from './carrier.ts'
import { startLoadGenerator } from './load/load.ts'
import { maxRoundMs, measureRound } from './measure-round.ts'
import { Meter } from './meter.ts'
import type { BenchOptions } from './options.ts'
import { pollAll } from './poll.ts'
import {
  forEveryVariant,
  runRounds,
  median,
  measureCpu,
  variantNames,
  type Measure,
  type VariantName,
} from './rounds.ts'
import type { Scenario, ScenarioContext } from './scenario.ts'
import { startBare, startOurs, type PipelineVariant } from './variants.ts'

/**
 * After 10,000 messages V8 is still compiling our code, but hardly that of the smaller bare programs: after such a
 * warm-up our third round was 1.39 times as fast as the first, that of `grouped` 1.09 times.
 */
const maxWarmUp = 40_000

export interface PipelineSides {
  readonly measure: Readonly<Record<VariantName, (messages: number) => ReturnType<Measure>>>
  readonly countBatches: () => Promise<BatchCounts>
  /** Rates at which the reports of our measurements were polled. */
  readonly pollsPerSecond: readonly number[]
}

type SidesContext = Pick<ScenarioContext, 'environment' | 'gateway' | 'stack'> & {
  readonly options: Pick<BenchOptions, 'window' | 'workers' | 'owners' | 'connections'>
}

/** Starts the processes of all variants. */
export async function startSides({
  options,
  environment,
  gateway,
  stack,
}: SidesContext): Promise<PipelineSides> {
  const meter = new Meter()
  const carrier = stack.use(await startCarrier())
  const { window, workers, owners, connections } = options
  const context = { environment, stack, meter, smscPort: carrier.port, window, workers, owners }
  const bare = await startBare(context, 'bare')
  const grouped = await startBare(context, 'grouped')
  const ours = await startOurs(context, gateway)
  const load = stack.use(startLoadGenerator())
  meter.watch('simulator', carrier.pid)
  meter.watch('load generator', load.pid)
  meter.watch('bench', process.pid)
  meter.watchServices(environment)

  const token = await gateway.requestToken(ours.port)
  let firstNumber = 0
  const measure = async (side: PipelineVariant, requests: number): ReturnType<Measure> => {
    const amount = { connections, requests, milliseconds: maxRoundMs, firstNumber }
    const job = { send: 'sms', port: side.port, token, ...amount } as const
    firstNumber += requests
    const { value, cpu } = await measureCpu(meter, () => measureRound(side, load, job))
    return { ...value, cpu }
  }
  const pollsPerSecond: number[] = []
  const measureOurs = async (requests: number): ReturnType<Measure> => {
    const measured = await measure(ours, requests)
    const polled = await pollAll(ours.port, token)
    if (polled.records !== requests || polled.wrong > 0 || polled.repeated > 0) {
      throw new Error(`polling ${requests} messages returned ${JSON.stringify(polled)}`)
    }
    pollsPerSecond.push(polled.records / polled.seconds)
    return measured
  }
  return {
    measure: {
      ours: measureOurs,
      bare: (requests) => measure(bare, requests),
      grouped: (requests) => measure(grouped, requests),
    },
    countBatches: () => readBatches(ours.opsUrls),
    pollsPerSecond,
  }
}

export const runPipeline: Scenario = async ({ cores, log, ...context }) => {
  const { rounds: count, messages } = context.options
  const { measure, countBatches, pollsPerSecond } = await startSides(context)
  log('warming up')
  for (const name of variantNames) await measure[name](Math.min(2 * messages, maxWarmUp))
  const sides = forEveryVariant((name) => () => measure[name](messages))
  const before = await countBatches()
  const rounds = await runRounds(count, cores, sides, log)
  const notes = [
    `ours: ${describeBatches(before, await countBatches(), count * messages)}`,
    `ours: polled and acknowledged after each round at ${Math.round(median(pollsPerSecond))} reports/s, all correct`,
  ]
  return { unit: 'messages per second, accept to report', rounds, notes }
}
