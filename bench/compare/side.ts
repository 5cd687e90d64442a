/** One of the two gateways of a comparison: its own database and queues, and how a round of it is measured. */
import { startCarrier } from '../carrier.ts'
import type { CleanupStack } from '../cleanup-stack.ts'
import { drainQueue } from '../drain.ts'
import { openEnvironment } from '../environment.ts'
import { installGateway } from '../gateway.ts'
import type { SendName } from '../load/job.ts'
import type { LoadGenerator } from '../load/load.ts'
import { maxRoundMs, measureRound } from '../measure-round.ts'
import { Meter } from '../meter.ts'
import type { BenchOptions } from '../options.ts'
import { pollAll } from '../poll.ts'
import { metered, type Measure } from '../rounds.ts'
import { startOurs } from '../sides.ts'
import type { Setting } from './settings.ts'

/** After 3 s the compiler still took 3 to 6 % of the API, more on the side that has more to compile; a process of an operator runs for weeks. */
const warmUpMs = 10_000
const maxWarmUp = 20_000
const maxRequests = 2_000_000

export interface ComparedSide {
  readonly warmUp: Measure
  readonly measure: Measure
}

export interface SideRun {
  readonly setting: Setting
  readonly options: BenchOptions
  readonly stack: CleanupStack
  readonly load: LoadGenerator
  readonly profileFolder?: string
  /** Absent: the sources. */
  readonly entry?: string
}

/** Without workers: what was accepted is counted in its queue and removed. One side for each kind of send. */
export async function startAcceptSides(run: SideRun): Promise<Readonly<Record<SendName, ComparedSide>>> {
  const { environment, gateway } = await install(run)
  const api = run.stack.use(await gateway.startApi())
  const meter = new Meter()
  await run.setting.start?.({ gateway, environment, stack: run.stack, meter })
  meter.watch('gateway api', api.pid)
  meter.watchServices(environment)
  const token = await gateway.token(api.port)
  // No two requests have the same recipient: a repeated one is what the rules of velocity look for.
  let firstNumber = 0
  const accept =
    (send: SendName, milliseconds: number): Measure =>
    async () => {
      const amount = {
        connections: run.options.connections,
        milliseconds,
        requests: maxRequests,
        firstNumber,
      }
      const { value, cpu } = await metered(meter, () =>
        run.load.run({ send, port: api.port, token, ...amount }),
      )
      const { accepted, refused, firstRefusal, p50Ms, p99Ms } = value
      firstNumber += accepted + refused
      if (refused > 0) throw new Error(`${refused} sends were refused: ${firstRefusal ?? ''}`)
      const { jobs } = await drainQueue(environment.broker, gateway.accepted)
      if (jobs !== accepted) throw new Error(`${accepted} sends were accepted; the queue held ${jobs}`)
      const seconds = (value.endedAt - value.startedAt) / 1000
      return { perSecond: accepted / seconds, messages: accepted, seconds, p50Ms, p99Ms, cpu }
    }
  const sideOf = (send: SendName): ComparedSide => ({
    warmUp: accept(send, warmUpMs),
    measure: accept(send, run.options.seconds * 1000),
  })
  return { sms: sideOf('sms'), omni: sideOf('omni') }
}

/** From the first request to the last report; then all reports are polled and checked. */
export async function startPipelineSide(run: SideRun): Promise<ComparedSide> {
  const { environment, gateway } = await install(run)
  const { connections, window, workers, owners, messages } = run.options
  const { stack, load } = run
  const carrier = stack.use(await startCarrier())
  const meter = new Meter()
  const context = { environment, stack, meter, smscPort: carrier.port, window, workers, owners }
  const side = await startOurs(context, gateway)
  await run.setting.start?.({ gateway, environment, stack, meter })
  meter.watchServices(environment)
  const token = await gateway.token(side.port)
  let firstNumber = 0
  const send =
    (requests: number): Measure =>
    async () => {
      const amount = { connections, requests, milliseconds: maxRoundMs, firstNumber }
      firstNumber += requests
      const job = { send: 'sms', port: side.port, token, ...amount } as const
      const { value, cpu } = await metered(meter, () => measureRound(side, load, job))
      const polled = await pollAll(side.port, token)
      if (polled.records !== requests || polled.wrong > 0 || polled.repeated > 0)
        throw new Error(`of ${requests} messages, polling gave ${JSON.stringify(polled)}`)
      return { ...value, cpu }
    }
  return { warmUp: send(Math.min(messages, maxWarmUp)), measure: send(messages) }
}

async function install({ setting, stack, profileFolder, entry }: SideRun) {
  const environment = await openEnvironment()
  stack.use({ stop: () => environment.close() })
  const gateway = await installGateway(environment, profileFolder, setting.variables, entry)
  await setting.prepare?.(gateway)
  return { environment, gateway }
}
