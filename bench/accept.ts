/**
 * Scenario `accept`: how many sends a second one API process accepts, each durable in the broker before its A000: an
 * SMS, and as a variant an omni flow of three steps. No worker runs: accepted messages stay in their queue, are
 * counted there, and are removed before the next round.
 */
import { startBareAccept } from './bare-accept.ts'
import { drainQueue } from './drain.ts'
import type { SendName } from './load/job.ts'
import { startLoadGenerator } from './load/load.ts'
import { Meter } from './meter.ts'
import type { Outcome } from './report.ts'
import {
  alternate,
  forEverySide,
  median,
  metered,
  sideNames,
  type BareName,
  type Measure,
  type SideName,
} from './rounds.ts'
import type { Scenario } from './scenario.ts'

const warmUpMs = 3_000
const maxRequests = 2_000_000

export const runAccept: Scenario = async ({ options, environment, gateway, stack, cores, say }) => {
  const api = stack.use(await gateway.startApi())
  const load = stack.use(startLoadGenerator())
  const token = await gateway.token(api.port)

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
    ours: { port: api.port, queue: gateway.accepted },
    bare: await startBare('bare'),
    grouped: await startBare('grouped'),
  }
  async function measureSend(send: SendName): Promise<Outcome> {
    const refusals = new Set<string>()
    const bytes = forEverySide(() => 0)
    const groups = forEverySide((): number[] => [])
    const measure =
      (side: SideName, milliseconds: number): Measure =>
      async () => {
        const { port, queue } = targets[side]
        const { connections } = options
        const job = { send, port, token, connections, requests: maxRequests, milliseconds, firstNumber: 0 }
        const { value: result, cpu } = await metered(meter, () => load.run(job))
        if (result.refused > 0)
          refusals.add(`${side}: ${result.refused} refused: ${result.firstRefusal ?? ''}`)
        const drained = await drainQueue(environment.broker, queue)
        if (drained.jobs !== result.accepted) {
          throw new Error(`${side} answered A000 ${result.accepted} times; its queue held ${drained.jobs}`)
        }
        bytes[side] = Math.round(drained.bytes / drained.jobs)
        groups[side].push(drained.jobs / drained.brokerMessages)
        const seconds = (result.endedAt - result.startedAt) / 1000
        const { accepted: messages, p50Ms, p99Ms } = result
        return { perSecond: messages / seconds, messages, seconds, p50Ms, p99Ms, cpu }
      }
    const sayFor = (text: string): void => say(`${send}: ${text}`)
    sayFor('warming up')
    for (const side of sideNames) await measure(side, warmUpMs)()
    const milliseconds = options.seconds * 1000
    const sides = forEverySide((side) => measure(side, milliseconds))
    const rounds = await alternate(options.rounds, cores, sides, sayFor)
    const notes = sideNames.map(
      (side) =>
        `${side}: ${bytes[side]} bytes a message, ${median(groups[side]).toFixed(1)} in one broker message`,
    )
    return { unit: 'durable accepts per second', rounds, notes: [...notes, ...refusals] }
  }

  const sms = await measureSend('sms')
  const omni = await measureSend('omni')
  const [ours, bareSms] = [omni.rounds.ours, sms.rounds.bare].map((rounds) =>
    median(rounds.map(({ perSecond }) => perSecond)),
  )
  const beside = `ours against bare SMS: ${(ours! / bareSms!).toFixed(2)}`
  return { ...sms, variants: { omni: { ...omni, notes: [...omni.notes, beside] } } }
}
