/**
 * Scenario `accept`: how many sends a second one API process takes, each durable at the broker before its A000.
 * No worker runs: what is accepted stays in its queue, is counted there, and is gone before the next round.
 */
import { fileURLToPath } from 'node:url'
import { drainQueue } from './drain.ts'
import { startLoadGenerator } from './load/load.ts'
import { Meter } from './meter.ts'
import { startProgram } from './programs.ts'
import { alternate, median, metered, sideNames, type Measure, type SideName } from './rounds.ts'
import type { Scenario } from './scenario.ts'

const warmUpMs = 3_000
const most = 2_000_000

export const runAccept: Scenario = async ({ options, ground, gateway, stack, cores, say }) => {
  const bareQueue = `${ground.queuePrefix}bare-accepted`
  await ground.declare(bareQueue)
  const api = stack.use(await gateway.startApi())
  const bare = stack.use(await startBareAccept(ground.brokerUrl, bareQueue))
  const load = stack.use(startLoadGenerator())
  const token = await gateway.token(api.port)

  const meter = new Meter()
  meter.watch('gateway api', api.pid)
  meter.watch('bare accept', bare.pid)
  meter.watch('load generator', load.pid)
  meter.watch('bench', process.pid)
  meter.watchServices(ground)

  const refusals = new Set<string>()
  const bytes: Record<SideName, number> = { ours: 0, bare: 0 }
  const groups: Record<SideName, number[]> = { ours: [], bare: [] }
  const measure =
    (side: SideName, port: number, queue: string, milliseconds: number): Measure =>
    async () => {
      const { connections } = options
      const job = { port, token, connections, requests: most, milliseconds, firstNumber: 0 }
      const { value: result, cpu } = await metered(meter, () => load.run(job))
      if (result.refused > 0) refusals.add(`${side}: ${result.refused} refused: ${result.firstRefusal ?? ''}`)
      const drained = await drainQueue(ground.broker, queue)
      if (drained.jobs !== result.accepted) {
        throw new Error(`${side} answered A000 ${result.accepted} times; its queue held ${drained.jobs}`)
      }
      bytes[side] = Math.round(drained.bytes / drained.jobs)
      groups[side].push(drained.jobs / drained.brokerMessages)
      const seconds = (result.endedAt - result.startedAt) / 1000
      const { accepted: messages, p50Ms, p99Ms } = result
      return { perSecond: messages / seconds, messages, seconds, p50Ms, p99Ms, cpu }
    }

  say('warming up')
  await measure('ours', api.port, gateway.accepted, warmUpMs)()
  await measure('bare', bare.port, bareQueue, warmUpMs)()
  const milliseconds = options.seconds * 1000
  const rounds = await alternate(
    options.rounds,
    cores,
    {
      ours: measure('ours', api.port, gateway.accepted, milliseconds),
      bare: measure('bare', bare.port, bareQueue, milliseconds),
    },
    say,
  )
  const notes = sideNames.map(
    (side) =>
      `${side}: ${bytes[side]} bytes a message, ${median(groups[side]).toFixed(1)} in one broker message`,
  )
  return { unit: 'durable accepts per second', rounds, notes: [...notes, ...refusals] }
}

export async function startBareAccept(brokerUrl: string, queue: string) {
  const program = await startProgram({
    name: 'bare accept',
    args: [fileURLToPath(new URL('./bare/accept.ts', import.meta.url)), JSON.stringify({ brokerUrl, queue })],
    ready: (line) => (line['ready'] === 'bare accept' ? (line['port'] as number) : undefined),
  })
  return { ...program, port: program.told }
}
