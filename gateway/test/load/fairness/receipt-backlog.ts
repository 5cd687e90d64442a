/**
 * Measures the effect on fallbacks of two causes of pending receipts: a carrier sends all receipts that it
 * has held back, and PostgreSQL is unavailable while receipts arrive.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startService, stopService } from '../../../../tools/engines/index.ts'
import { AccountClient, type Credentials } from '../../support/processes/account-client.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import { createAccount } from '../../support/processes/postern-command.ts'
import { query } from '../../support/processes/scratch-database.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import { computeSpread, type Spread } from '../../support/measure/statistics.ts'
import { waitFor } from '../../support/wait.ts'
import { startBurst } from './burst-load-thread.ts'
import { countLost, countOutcomes, untilEnded } from '../outcomes.ts'
import { ReportPoller } from '../report-poller.ts'
import { SmppTap, type TappedSubmit } from '../smpp-tap.ts'
import { ordinaryRecipient, sender, SteadyLoad, type LoadOptions, type Use } from '../steady-load.ts'

export interface FlushRun {
  /** Milliseconds from the request of an alimtalk message that Kakao rejects to the submission of its SMS. */
  readonly before: Spread
  readonly during: Spread
  readonly receiptsPerSecond: number
  readonly lost: number
  readonly failures: readonly string[]
}

const senderKey = 'k'.repeat(40)
const fallbacksPerSecond = 40
/** Kakao rejects this number ending in its response; the SMSC delivers it. */
const rejectedRecipient = (index: number): string => `010${String(index).padStart(4, '0')}0051`

const alimtalkThenSms = (to: string, ref: string): ReturnType<NonNullable<LoadOptions['request']>> => ({
  path: '/v1/send/omni',
  body: {
    destinations: [{ to }],
    messageFlow: [
      { alimtalk: { senderKey, msgType: 'AT', templateCode: 'order', text: 'Your order is ready' } },
      { sms: { from: sender, text: 'Your order is ready' } },
    ],
    ref,
  },
})

export async function runFlush(receipts: number): Promise<FlushRun> {
  const base = await TestInstallation.open()
  const submits: TappedSubmit[] = []
  const clients: AccountClient[] = []
  let tap: SmppTap | undefined
  let failed = true
  try {
    const [bulk, texts, kakao] = await Promise.all([
      base.startSimulator('bulk'),
      base.startSimulator('texts'),
      base.startHttpSimulator('kakao', 'kakao'),
    ])
    tap = await SmppTap.open(texts.port, (submit) => submits.push(submit))
    const [campaign, shop] = [
      await createAccount(base.environment, 'campaign'),
      await createAccount(base.environment, 'shop'),
    ]
    await base.putRoute({
      id: 'bulk',
      channels: ['sms'],
      simulator: bulk,
      options: { window: 200 },
      flags: ['--accounts', campaign.clientId],
    })
    await base.putRoute({
      id: 'texts',
      channels: ['sms'],
      simulator: texts,
      options: { port: tap.port },
      flags: ['--accounts', shop.clientId],
    })
    const login = { partnerKey: 'trial', channelKey: 'trial' }
    await base.putRoute({
      id: 'kakao',
      channels: ['alimtalk'],
      protocol: 'kakao',
      options: { url: kakao.url, uploadUrl: kakao.url, ...login },
    })
    const [api, worker] = [await base.startGateway('api', 'api'), await base.startGateway('worker', 'worker')]
    await Promise.all([api.untilReady(60_000), worker.untilReady(60_000)])
    const [useCampaign, useShop] = [await logIn(api, campaign, clients), await logIn(api, shop, clients)]

    await bulk.holdReceipts()
    const flood = startBurst({ urls: [api.url], credentials: campaign, outstanding: 200 })
    await withProgress(
      waitFor('the messages of the campaign', () => flood.counts.accepted >= receipts, {
        timeoutMs: 600_000,
      }),
      () => `${flood.counts.accepted} of ${receipts} messages accepted`,
    )
    flood.stop()
    const campaignResult = await flood.done
    await withProgress(
      waitFor(
        'the submissions of the campaign',
        async () => (await bulk.stats()).accepted >= campaignResult.accepted,
        { timeoutMs: 600_000, everyMs: 1_000 },
      ),
      () => 'waiting until the carrier has all messages',
    )

    let index = 0
    const startFallbacks = (limit?: number): SteadyLoad =>
      new SteadyLoad({
        use: useShop,
        perSecond: fallbacksPerSecond,
        ...(limit === undefined ? {} : { limit }),
        recipient: () => rejectedRecipient(index++),
        request: alimtalkThenSms,
      })
    const warmUp = startFallbacks(10 * fallbacksPerSecond)
    await warmUp.done
    const calm = startFallbacks(10 * fallbacksPerSecond)
    await calm.done
    printProgress(`the carrier sends ${campaignResult.accepted} receipts`)
    const releasedAt = performance.now()
    await bulk.releaseReceipts()
    const busy = startFallbacks()
    const isSettled = async (): Promise<boolean> =>
      (await bulk.stats()).receiptsPending === 0 && (await worker.metric('postern_receipt_age_seconds')) < 2
    await withProgress(
      waitFor('the receipts to be settled', isSettled, { timeoutMs: 600_000, everyMs: 500 }),
      () => `${busy.sent.length} fallbacks requested in the meantime`,
    )
    const seconds = (performance.now() - releasedAt) / 1000
    await busy.stop()

    const loads = [warmUp, calm, busy]
    const accepted = new Set([
      ...campaignResult.msgKeys,
      ...loads.flatMap(({ sent }) => sent.flatMap(({ msgKey }) => msgKey ?? [])),
    ])
    const lost = await countLost(base, [useCampaign, useShop], accepted, () => submits.length)
    failed = false
    return {
      before: fallbackDelays(calm, submits),
      during: fallbackDelays(busy, submits),
      receiptsPerSecond: Math.round(campaignResult.accepted / seconds),
      lost,
      failures: [...loads.flatMap(({ failures }) => failures), ...base.unexpectedExits],
    }
  } finally {
    for (const client of clients) client.close()
    await base.close(failed)
    await tap?.close()
  }
}

/** A fallback that was never submitted counts as infinitely late. */
function fallbackDelays({ sent }: SteadyLoad, submits: readonly TappedSubmit[]): Spread {
  const submittedAt = new Map(submits.map(({ to, at }) => [to, at]))
  return computeSpread(sent.map(({ to, sentAt }) => (submittedAt.get(to) ?? Infinity) - sentAt))
}

export interface OutageRun {
  /** RCS steps whose receipt arrived before their deadline. */
  readonly deliveredInTime: number
  /** RCS steps that expired although their receipt had arrived before the deadline. */
  readonly endedThoughDelivered: number
  /** RCS steps whose receipt arrived after their deadline; their fallback is sent in addition. */
  readonly deliveredLate: number
  /** Recipients of SMS that were submitted twice. */
  readonly doubled: number
  /** Difference between the number of messages that were not reported as delivered and of those that no carrier got. */
  readonly wrongReports: number
  readonly accepted: number
  readonly refused: number
  readonly lost: number
  readonly failures: readonly string[]
}

export interface OutageOptions {
  /** Seconds of load before PostgreSQL stops; receipts arrive 20 s after a submission. */
  readonly beforeSeconds: number
  readonly outageSeconds: number
  readonly messagesPerSecond: number
}

const receiptDelayMs = 20_000
/** The time limit of RCS `expiryOption` 2. */
const rcsExpirySeconds = 40
const rcsFraction = 0.2
const statusToken = 'token-of-the-statuses'
const destinationsPerRequest = 10

const rcsThenSms = {
  rcs: {
    from: sender,
    formatId: 'SS000000',
    brandKey: 'BK.fairness',
    content: { standalone: { text: 'Your order is ready' } },
    expiryOption: '2',
  },
}
const smsStep = { sms: { from: sender, text: 'Your order is ready' } }

export async function runOutage(options: OutageOptions): Promise<OutageRun> {
  const base = await TestInstallation.open()
  const submits: TappedSubmit[] = []
  const clients: AccountClient[] = []
  let tap: SmppTap | undefined
  let failed = true
  try {
    const apis = await Promise.all([1, 2].map((nth) => base.startGateway('api', `api-${nth}`)))
    const workers = await Promise.all([1, 2].map((nth) => base.startGateway('worker', `worker-${nth}`)))
    await Promise.all([...apis, ...workers].map((gateway) => gateway.untilReady(60_000)))
    const delayed = ['--receipt-delay-ms', String(receiptDelayMs)]
    const [smsc, maap] = await Promise.all([
      base.startSimulator('smsc', ...delayed),
      base.startHttpSimulator(
        'maap',
        'maap',
        ...delayed,
        ...['--carrier', 'skt', '--status-url', `${apis[0]!.url}/inbound/rcs/${statusToken}`],
        ...['--window', '200', '--record-limit', '1000000'],
      ),
    ])
    tap = await SmppTap.open(smsc.port, (submit) => submits.push(submit))
    const [texts, rcs] = [
      await createAccount(base.environment, 'texts'),
      await createAccount(base.environment, 'rcs'),
    ]
    await base.putRoute({
      id: 'sms',
      channels: ['sms'],
      simulator: smsc,
      options: { port: tap.port, window: 200 },
    })
    await base.putRoute({
      id: 'rcs',
      channels: ['rcs'],
      protocol: 'maap',
      options: {
        agencyId: 'agency',
        agencyKey: 'AK.fairness',
        webhookToken: statusToken,
        carriers: { skt: { url: `${maap.url}/ag/1.2`, clientId: 'fairness', clientSecret: 'secret' } },
      },
    })
    const uses = { texts: await logIn(apis[0]!, texts, clients), rcs: await logIn(apis[1]!, rcs, clients) }
    const load = (use: Use, prefix: string, fraction: number, flow: readonly object[]): BulkLoad =>
      new BulkLoad(use, prefix, options.messagesPerSecond * fraction, flow)
    const loads = [
      load(uses.texts, '0101', 1 - rcsFraction, [smsStep]),
      load(uses.rcs, '0102', rcsFraction, [rcsThenSms, smsStep]),
    ]
    const progress = (): string => {
      const [accepted, refused] = [sum(loads, 'accepted'), sum(loads, 'refused')]
      return `${accepted} accepted, ${refused} rejected, ${submits.length} submitted as SMS`
    }
    await withProgress(pause(options.beforeSeconds * 1000), progress)
    printProgress(`PostgreSQL is unavailable for ${options.outageSeconds} s`)
    await stopService('postgres')
    await withProgress(pause(options.outageSeconds * 1000), progress)
    await startService('postgres')
    printProgress('PostgreSQL is available')
    await withProgress(pause(10_000), progress)
    await Promise.all(loads.map((one) => one.stop()))

    const accepted = new Set(loads.flatMap(({ msgKeys }) => msgKeys))
    await untilEnded(base, accepted, () => submits.length)
    const pollers = [new ReportPoller(uses.texts), new ReportPoller(uses.rcs)]
    const { missing, unaccepted } = await countOutcomes(pollers, accepted)
    // No interface shows when a late receipt arrived.
    const [steps] = await query<
      Pick<OutageRun, 'deliveredInTime' | 'endedThoughDelivered' | 'deliveredLate'>
    >(
      base.databaseUrl,
      `select count(*) filter (where in_time)::int as "deliveredInTime",
              count(*) filter (where in_time and late)::int as "endedThoughDelivered",
              count(*) filter (where not in_time)::int as "deliveredLate"
         from (select a.late, a.received_at <= m.accepted_at + interval '${rcsExpirySeconds} seconds' as in_time
                 from attempts a join messages m using (msg_key)
                where a.route_id = 'rcs' and a.result = 'delivered') as delivered`,
    )
    const sentAsSms = new Set(submits.map(({ to }) => to))
    const reached = new Set([...sentAsSms, ...(await maap.submissions()).map(({ to }) => to)])
    const notDelivered = pollers.flatMap(({ others }) => [...others.values()]).reduce((a, b) => a + b, 0)
    failed = false
    return {
      ...steps!,
      doubled: submits.length - sentAsSms.size,
      wrongReports: Math.abs(notDelivered - (accepted.size + unaccepted - reached.size)),
      accepted: accepted.size,
      refused: sum(loads, 'refused'),
      // A request whose confirm did not come in time is not counted as accepted and may be sent.
      lost: missing + Math.max(0, unaccepted - sum(loads, 'unconfirmed')),
      failures: base.unexpectedExits,
    }
  } finally {
    for (const client of clients) client.close()
    await base.close(failed)
    await tap?.close()
  }
}

/** Sends omni requests with ten destinations at a constant rate; rejected ones are not retried. */
class BulkLoad {
  readonly msgKeys: string[] = []
  refused = 0
  unconfirmed = 0
  readonly #timer: NodeJS.Timeout
  readonly #open = new Set<Promise<void>>()

  constructor(use: Use, prefix: string, messagesPerSecond: number, messageFlow: readonly object[]) {
    const began = performance.now()
    let begun = 0
    this.#timer = setInterval(() => {
      const due = ((performance.now() - began) / 1000) * (messagesPerSecond / destinationsPerRequest)
      for (; begun < due; begun++) {
        const request = this.#send(use, prefix, begun, messageFlow).finally(() => this.#open.delete(request))
        this.#open.add(request)
      }
    }, 10)
  }

  get accepted(): number {
    return this.msgKeys.length
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#open)
  }

  async #send(use: Use, prefix: string, index: number, messageFlow: readonly object[]): Promise<void> {
    const destinations = Array.from({ length: destinationsPerRequest }, (_, nth) => ({
      to: ordinaryRecipient(prefix, index * destinationsPerRequest + nth),
    }))
    const body = JSON.stringify({ destinations, messageFlow })
    type OmniResponse = { data?: { destinations: { code: string; msgKey: string }[] } }
    const response = await use<OmniResponse>((client) => client.call('POST', '/v1/send/omni', body)).catch(
      () => undefined,
    )
    const results = response?.body.data?.destinations ?? []
    this.msgKeys.push(...results.filter(({ code }) => code === 'A000').map(({ msgKey }) => msgKey))
    const others = destinations.length - results.filter(({ code }) => code === 'A000').length
    if (response?.httpStatus === 429) this.refused += others
    else this.unconfirmed += others
  }
}

const sum = (loads: readonly BulkLoad[], count: 'accepted' | 'refused' | 'unconfirmed'): number =>
  loads.reduce((total, load) => total + load[count], 0)

async function logIn(api: Gateway, credentials: Credentials, clients: AccountClient[]): Promise<Use> {
  const client = new AccountClient(api.url, credentials)
  clients.push(client)
  const canLogIn = async (): Promise<boolean> => (await client.login()).httpStatus === 200
  await waitFor('the account to be known', canLogIn, { timeoutMs: 20_000, everyMs: 200 })
  return (call) => call(client)
}
