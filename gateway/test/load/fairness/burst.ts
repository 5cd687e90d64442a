/**
 * Measures, through two APIs, the time from request to carrier of the messages of two accounts while a third
 * one floods: one-time codes in the urgent lane, and texts in the lane of the flood. No backlog exists at the
 * start.
 */
import { AccountClient, type Credentials } from '../../support/processes/account-client.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import { createAccount } from '../../support/processes/postern-command.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import { startBurst } from './burst-load-thread.ts'
import type { BurstResult } from './burst-load.ts'
import { measureDelays, type Delays } from './delays.ts'
import { countLost } from '../outcomes.ts'
import { SmppTap, type TappedSubmit } from '../smpp-tap.ts'
import { oneTimeCode, ordinaryRecipient, plainText, SteadyLoad, type Use } from '../steady-load.ts'

export interface BurstRunOptions {
  readonly seconds: number
  /** Number of one-time codes, and of texts, spread over the time. */
  readonly messages: number
  /** Requests of the flooding account in progress or waiting for their `Retry-After`. */
  readonly outstanding: number
}

/** Pairs of seconds since the start of the flood and a value. */
type Series = readonly (readonly [number, number])[]

export interface BurstRun {
  readonly options: BurstRunOptions
  readonly urgent: Delays
  readonly sameLane: Delays
  /** Requests of the two accounts that were not accepted, with the response. */
  readonly refusals: readonly string[]
  readonly flood: BurstResult
  /** Accepted messages of all accounts that did not reach exactly one outcome. */
  readonly lost: number
  /** Recipients that the carrier got twice. */
  readonly doubled: number
  /** Age of the intake queue in the lane of the flood, in seconds, as the APIs export it. */
  readonly queueAge: Series
  /** Accepted messages of the flooding account per second. */
  readonly acceptedRate: Series
  /** Processes that exited unexpectedly. */
  readonly failures: readonly string[]
}

/**
 * Messages of each of the two accounts that are sent first and not measured, while processes compile their
 * code.
 */
const warmUp = 600
const warmUpPerSecond = 150
const sampleEveryMs = 500

export async function runBurst(options: BurstRunOptions): Promise<BurstRun> {
  const base = await TestInstallation.open()
  const submits: TappedSubmit[] = []
  const clients: AccountClient[] = []
  let tap: SmppTap | undefined
  let failed = true
  try {
    const simulator = await base.startSimulator('smsc', '--receipt-delay-ms', '200')
    tap = await SmppTap.open(simulator.port, (submit) => submits.push(submit))
    await base.putRoute({
      id: 'carrier',
      channels: ['sms'],
      simulator,
      options: { port: tap.port, window: 100 },
    })
    const names = ['flood', 'bank', 'shop'] as const
    const [flooding, bank, shop] = await Promise.all(
      names.map((name) => createAccount(base.environment, name)),
    )
    const gateways = await Promise.all([
      base.startGateway('api', 'api-1'),
      base.startGateway('api', 'api-2'),
      base.startGateway('worker', 'worker'),
    ])
    await Promise.all(gateways.map((gateway) => gateway.untilReady(60_000)))
    const apis = gateways.slice(0, 2)
    const useOf = async (credentials: Credentials): Promise<Use> => {
      const apiClients = await Promise.all(apis.map((api) => logIn(api, credentials)))
      clients.push(...apiClients)
      let turn = 0
      return (call) => call(apiClients[turn++ % apiClients.length]!)
    }
    const [useFlood, useBank, useShop] = [await useOf(flooding!), await useOf(bank!), await useOf(shop!)]
    const perSecond = options.messages / options.seconds
    const codes = (prefix: string, limit: number, rate = perSecond): SteadyLoad =>
      new SteadyLoad({
        use: useBank,
        perSecond: rate,
        limit,
        request: oneTimeCode,
        recipient: (index) => ordinaryRecipient(prefix, index),
      })
    const texts = (prefix: string, limit: number, rate = perSecond): SteadyLoad =>
      new SteadyLoad({
        use: useShop,
        perSecond: rate,
        limit,
        request: plainText,
        recipient: (index) => ordinaryRecipient(prefix, index),
      })
    const warming = [codes('0104', warmUp, warmUpPerSecond), texts('0105', warmUp, warmUpPerSecond)]
    await Promise.all(warming.map(({ done }) => done))
    await waitFor('the first messages to be submitted', () => submits.length === 2 * warmUp, {
      timeoutMs: 30_000,
    })

    const from = performance.now()
    const flood = startBurst({
      urls: apis.map(({ url }) => url),
      credentials: flooding!,
      outstanding: options.outstanding,
    })
    const [urgent, sameLane] = [codes('0102', options.messages), texts('0103', options.messages)]
    const queueAge: [number, number][] = []
    const acceptedRate: [number, number][] = []
    let before = { at: from, accepted: 0 }
    const sampling = setInterval(() => {
      const at = performance.now()
      const { accepted } = flood.counts
      acceptedRate.push([(at - from) / 1000, ((accepted - before.accepted) * 1000) / (at - before.at)])
      before = { at, accepted }
      void Promise.all(
        apis.map((api) => api.metric('postern_intake_queue_age_seconds', 'lane="normal"')),
      ).then((ages) => queueAge.push([(at - from) / 1000, Math.max(...ages)]))
    }, sampleEveryMs)
    const finished = (async () => {
      await Promise.all([urgent.done, sameLane.done])
      flood.stop()
      return flood.done
    })()
    const result = await withProgress(finished, () => {
      const { accepted, refused } = flood.counts
      return `flood: ${accepted} accepted, ${refused} requests refused; ${submits.length} submitted in all`
    }).finally(() => clearInterval(sampling))
    printProgress(`the flood has ended; ${result.accepted} messages were accepted`)

    const accepted = new Set([
      ...result.msgKeys,
      ...[...warming, urgent, sameLane].flatMap(({ sent }) => sent.flatMap(({ msgKey }) => msgKey ?? [])),
    ])
    const lost = await countLost(base, [useFlood, useBank, useShop], accepted, () => submits.length)
    const run: BurstRun = {
      options,
      urgent: await measureDelays(urgent, submits, from),
      sameLane: await measureDelays(sameLane, submits, from),
      refusals: [urgent, sameLane].flatMap(({ failures }) => failures),
      flood: result,
      lost,
      doubled: submits.length - new Set(submits.map(({ to }) => to)).size,
      queueAge,
      acceptedRate,
      failures: base.unexpectedExits,
    }
    failed = false
    return run
  } finally {
    for (const client of clients) client.close()
    await base.close(failed)
    await tap?.close()
  }
}

async function logIn(api: Gateway, credentials: Credentials): Promise<AccountClient> {
  const client = new AccountClient(api.url, credentials)
  const canLogIn = async (): Promise<boolean> => (await client.login()).httpStatus === 200
  await waitFor('the account to be known', canLogIn, { timeoutMs: 20_000, everyMs: 200 })
  return client
}
