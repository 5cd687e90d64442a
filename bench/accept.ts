/**
 * Scenario `accept`: how many sends per second one API process accepts, each durable in the broker before its
 * A000. Sends an SMS and, as a second load, an omni flow of three steps. No worker runs: accepted messages are
 * counted in their queue and removed before the next round.
 */
import { startBareAccept } from './bare-accept.ts'
import { drainQueue } from './drain.ts'
import type { SendName } from './load/job.ts'
import { startLoadGenerator } from './load/load.ts'
import { Meter } from './meter.ts'
import type { BenchResult } from './report.ts'
import {
  runRounds,
  forEveryVariant,
  median,
  measureCpu,
  variantNames,
  type BareName,
  type Measure,
  type VariantName,
} from './rounds.ts'
import type { Scenario } from './scenario.ts'

const warmUpMs = 3_000
const maxRequests = 2_000_000

export const runAccept: Scenario = async ({ options, environment, gateway, stack, cores, log }) => {
  const api = stack.use(await gateway.startApi())
  const load = stack.use(startLoadGenerator())
  const token = await gateway.requestToken(api.port)

  const meter = new Meter()
  meter.watch('gateway api', api.pid)
  meter.watch('load generator', load.pid)
  meter.watch('bench', process.pid)
  meter.watchServices(environment)

  async function startBare(side: BareName) {
    const queue = `${environment.queuePrefix}${side}-accepted`
    await environment.declare(queue)
    const { pid, port } = stack.use(await startBareAccept(environment.brokerUrl, side, queue))
    meter.watch(`${side} accept`, pid)
    return { port, queue }
  }
  const targets = {
    ours: { port: api.port, queue: gateway.acceptedQueue },
    bare: await startBare('bare'),
    grouped: await startBare('grouped'),
  }
  async function measureSend(send: SendName): Promise<BenchResult> {
    const refusals = new Set<string>()
    const bytes = forEveryVariant(() => 0)
    const groupSizes = forEveryVariant((): number[] => [])
    const measure =
      (side: VariantName, milliseconds: number): Measure =>
      async () => {
        const { port, queue } = targets[side]
        const { connections } = options
        const job = { send, port, token, connections, requests: maxRequests, milliseconds, firstNumber: 0 }
        const { value: result, cpu } = await measureCpu(meter, () => load.run(job))
        if (result.refused > 0)
          refusals.add(`${side}: ${result.refused} refused: ${result.firstRefusal ?? ''}`)
        const drained = await drainQueue(environment.broker, queue)
        if (drained.jobs !== result.accepted) {
          throw new Error(`${side}: ${result.accepted} A000 responses, but ${drained.jobs} jobs in its queue`)
        }
        bytes[side] = Math.round(drained.bytes / drained.jobs)
        groupSizes[side].push(drained.jobs / drained.brokerMessages)
        const seconds = (result.endedAt - result.startedAt) / 1000
        const { accepted: messages, p50Ms, p99Ms } = result
        return { perSecond: messages / seconds, messages, seconds, p50Ms, p99Ms, cpu }
      }
    const logForSend = (text: string): void => log(`${send}: ${text}`)
    logForSend('warming up')
    for (const side of variantNames) await measure(side, warmUpMs)()
    const milliseconds = options.seconds * 1000
    const sides = forEveryVariant((side) => measure(side, milliseconds))
    const rounds = await runRounds(options.rounds, cores, sides, logForSend)
    const notes = variantNames.map(
      (side) =>
        `${side}: ${bytes[side]} bytes per message, ${median(groupSizes[side]).toFixed(1)} jobs per broker message`,
    )
    return { unit: 'durable accepts per second', rounds, notes: [...notes, ...refusals] }
  }

  const sms = await measureSend('sms')
  const omni = await measureSend('omni')
  const [oursOmni, bareSms] = [omni.rounds.ours, sms.rounds.bare].map((rounds) =>
    median(rounds.map(({ perSecond }) => perSecond)),
  )
  const comparison = `ours / bare SMS: ${(oursOmni! / bareSms!).toFixed(2)}`
  return { ...sms, variants: { omni: { ...omni, notes: [...omni.notes, comparison] } } }
}
