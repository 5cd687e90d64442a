/**
 * Scenario `pipeline`: the whole pipeline with receipts. A message counts when it was accepted, submitted by SMPP,
 * receipted, and its report row is committed; the time is measured from the first request to the last report row.
 * Polling by the client is not timed, because the bare pipeline has none; on our side every report is then polled and
 * acknowledged over HTTP, and a missing, repeated or wrong one fails the run.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startCarrier } from './carrier.ts'
import type { LoadJob } from './load/job.ts'
import { startLoadGenerator, type LoadGenerator } from './load/load.ts'
import { Meter } from './meter.ts'
import { pollAll } from './poll.ts'
import { alternate, median, metered, type Measure } from './rounds.ts'
import type { Scenario } from './scenario.ts'
import { startBare, startOurs, type PipelineSide } from './sides.ts'

const lookEveryMs = 50
const maxRoundMs = 180_000

export const runPipeline: Scenario = async ({ options, environment, gateway, stack, cores, say }) => {
  const meter = new Meter()
  const carrier = stack.use(await startCarrier())
  const { window, workers, messages, connections } = options
  const context = { environment, stack, meter, smscPort: carrier.port, window, workers }
  const bare = await startBare(context, 'bare')
  const grouped = await startBare(context, 'grouped')
  const ours = await startOurs(context, gateway)
  const load = stack.use(startLoadGenerator())
  meter.watch('simulator', carrier.pid)
  meter.watch('load generator', load.pid)
  meter.watch('bench', process.pid)
  meter.watchServices(environment)

  const token = await gateway.token(ours.port)
  let firstNumber = 0
  const measure = async (side: PipelineSide, requests: number): ReturnType<Measure> => {
    const amount = { connections, requests, milliseconds: maxRoundMs, firstNumber }
    const job = { send: 'sms', port: side.port, token, ...amount } as const
    firstNumber += requests
    const { value, cpu } = await metered(meter, () => measureRound(side, load, job))
    return { ...value, cpu }
  }
  const pollsPerSecond: number[] = []
  const measureOurs = async (requests: number): ReturnType<Measure> => {
    const measured = await measure(ours, requests)
    const polled = await pollAll(ours.port, token)
    if (polled.records !== requests || polled.wrong > 0 || polled.repeated > 0) {
      throw new Error(`of ${requests} messages, polling gave ${JSON.stringify(polled)}`)
    }
    pollsPerSecond.push(polled.records / polled.seconds)
    return measured
  }

  say('warming up')
  const warmUp = Math.min(messages, 10_000)
  await measureOurs(warmUp)
  await measure(bare, warmUp)
  await measure(grouped, warmUp)
  const rounds = await alternate(
    options.rounds,
    cores,
    {
      ours: () => measureOurs(messages),
      bare: () => measure(bare, messages),
      grouped: () => measure(grouped, messages),
    },
    say,
  )
  const notes = [
    `ours: polled and acknowledged after each round at ${Math.round(median(pollsPerSecond))} reports/s, all correct`,
  ]
  return { unit: 'messages per second, accept to report', rounds, notes }
}

async function measureRound(side: PipelineSide, load: LoadGenerator, job: LoadJob) {
  const before = await side.countReports()
  const last = await side.lastReport()
  const [result, endedAt] = await Promise.all([
    load.run(job),
    untilReported(side, before, last, job.requests),
  ])
  if (result.refused > 0)
    throw new Error(`${result.refused} sends were refused: ${result.firstRefusal ?? ''}`)
  const seconds = (endedAt - result.startedAt) / 1000
  const { p50Ms, p99Ms } = result
  return { perSecond: job.requests / seconds, messages: job.requests, seconds, p50Ms, p99Ms }
}

/** When the last report row was seen, in milliseconds since the epoch. */
async function untilReported(
  side: PipelineSide,
  before: number,
  last: number,
  expected: number,
): Promise<number> {
  const giveUpAt = performance.now() + maxRoundMs
  for (;;) {
    // The last number is cheap to read; the rows are counted only once it has been reached.
    if ((await side.lastReport()) >= last + expected && (await side.countReports()) >= before + expected) {
      return performance.timeOrigin + performance.now()
    }
    if (performance.now() > giveUpAt) {
      throw new Error(
        `only ${(await side.countReports()) - before} of ${expected} reports after ${maxRoundMs} ms`,
      )
    }
    await delay(lookEveryMs)
  }
}
