/**
 * `--encrypted`: our gateway with recipients and texts encrypted, against the same gateway without, in the same run. Accept
 * is measured without workers; the pipeline to the last report.
 */
import { randomBytes } from 'node:crypto'
import { startCarrier } from './carrier.ts'
import type { CleanupStack } from './cleanup-stack.ts'
import { drainQueue } from './drain.ts'
import { openEnvironment } from './environment.ts'
import { installGateway } from './gateway.ts'
import { startLoadGenerator } from './load/load.ts'
import { maxRoundMs, measureRound } from './measure-round.ts'
import { Meter } from './meter.ts'
import type { BenchOptions, ScenarioName } from './options.ts'
import { pollAll } from './poll.ts'
import { summarizeSide, table, type SideSummary } from './report.ts'
import { alternate, median, metered, type Measure } from './rounds.ts'
import { startOurs } from './sides.ts'

/** Of the gateway without encryption. */
export const minEncryptedRatio = 0.85
const warmUpMs = 3_000
const maxRequests = 2_000_000

export interface EncryptedSummary {
  readonly ratio: number
  readonly pairedRatio: number
  /** CPU time a message without encryption, divided by that with it: hardly affected by other load. */
  readonly cpuRatio: number
  readonly sides: Readonly<Record<'encrypted' | 'clear', SideSummary>>
}

interface Side {
  warmUp(): Promise<unknown>
  measure: Measure
}

export async function runEncrypted(
  scenario: ScenarioName,
  options: BenchOptions,
  cores: number,
  stack: CleanupStack,
  say: (text: string) => void,
): Promise<EncryptedSummary> {
  const load = stack.use(startLoadGenerator())
  let firstNumber = 0

  async function startSide(settings: Readonly<Record<string, string>>): Promise<Side> {
    const environment = await openEnvironment()
    stack.use({ stop: () => environment.close() })
    const gateway = await installGateway(environment, undefined, settings)
    const meter = new Meter()
    const { connections, window, workers, owners, messages } = options
    if (scenario === 'accept') {
      const api = stack.use(await gateway.startApi())
      meter.watch('gateway api', api.pid)
      meter.watchServices(environment)
      const token = await gateway.token(api.port)
      const accept = async (milliseconds: number): ReturnType<Measure> => {
        const job = { send: 'sms', port: api.port, token, connections, milliseconds } as const
        const { value, cpu } = await metered(meter, () =>
          load.run({ ...job, requests: maxRequests, firstNumber: 0 }),
        )
        await drainQueue(environment.broker, gateway.accepted)
        const seconds = (value.endedAt - value.startedAt) / 1000
        const { accepted, p50Ms, p99Ms } = value
        return { perSecond: accepted / seconds, messages: accepted, seconds, p50Ms, p99Ms, cpu }
      }
      return { warmUp: () => accept(warmUpMs), measure: () => accept(options.seconds * 1000) }
    }
    const carrier = stack.use(await startCarrier())
    const context = { environment, stack, meter, smscPort: carrier.port, window, workers, owners }
    const side = await startOurs(context, gateway)
    meter.watchServices(environment)
    const token = await gateway.token(side.port)
    const send = async (requests: number): ReturnType<Measure> => {
      const amount = { connections, requests, milliseconds: maxRoundMs, firstNumber }
      firstNumber += requests
      const job = { send: 'sms', port: side.port, token, ...amount } as const
      const { value, cpu } = await metered(meter, () => measureRound(side, load, job))
      const polled = await pollAll(side.port, token)
      if (polled.records !== requests || polled.wrong > 0 || polled.repeated > 0)
        throw new Error(`of ${requests} messages, polling gave ${JSON.stringify(polled)}`)
      return { ...value, cpu }
    }
    return { warmUp: () => send(Math.min(messages, 10_000)), measure: () => send(messages) }
  }

  const clear = await startSide({})
  const encrypted = await startSide({
    POSTERN_MASTER_KEY: 'env:BENCH_MASTER_KEY',
    BENCH_MASTER_KEY: randomBytes(32).toString('hex'),
    POSTERN_ENCRYPT_MESSAGES: 'yes',
  })
  say('warming up')
  for (const side of [clear, encrypted]) await side.warmUp()
  const measured = { encrypted: encrypted.measure, clear: clear.measure }
  const rounds = await alternate(options.rounds, cores, measured, say)
  const speed = (side: 'encrypted' | 'clear'): number =>
    median(rounds[side].map(({ perSecond }) => perSecond))
  const sides = { encrypted: summarizeSide(rounds.encrypted), clear: summarizeSide(rounds.clear) }
  const ratios = rounds.encrypted.map((round, n) => round.perSecond / rounds.clear[n]!.perSecond)
  return {
    ratio: hundredths(speed('encrypted') / speed('clear')),
    pairedRatio: hundredths(median(ratios)),
    cpuRatio: hundredths(sides.clear.cpuMicrosTotal / sides.encrypted.cpuMicrosTotal),
    sides,
  }
}

export function renderEncrypted(name: ScenarioName, summary: EncryptedSummary): string {
  const { ratio, pairedRatio, cpuRatio, sides } = summary
  const both = [sides.encrypted, sides.clear]
  const rows = [
    [`${name}: messages per second`, 'encrypted', 'in clear', 'ratio'],
    ['median', ...both.map((side) => String(Math.round(median(side.perSecond)))), ratio.toFixed(2)],
    ['round by round, median', '', '', pairedRatio.toFixed(2)],
    ['others on the machine, %', ...both.map((side) => String(Math.round(side.disturbance * 100)))],
    ['CPU a message, µs'],
    ...Object.keys(sides.clear.cpuMicros).map((part) => [
      `  ${part}`,
      ...both.map((side) => (side.cpuMicros[part] ?? 0).toFixed(1)),
    ]),
    ['  sum', ...both.map((side) => side.cpuMicrosTotal.toFixed(1)), cpuRatio.toFixed(2)],
  ]
  const holds = Math.max(ratio, cpuRatio) >= minEncryptedRatio
  return `${table(rows)}  encryption ${holds ? 'keeps' : 'does not keep'} ${minEncryptedRatio} of what the gateway does without it\n`
}

const hundredths = (figure: number): number => Math.round(figure * 100) / 100
