import { inParallel } from '../../support/parallel.ts'
import type { AccountClient, Credentials, SendResponse } from '../../support/processes/account-client.ts'
import { retryAfterThrottling } from '../../support/processes/retry-after-throttling.ts'
import { uploadImage } from '../../support/processes/upload-image.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import { ReportCollector } from '../report-collector.ts'
import { createLoggedInClient, stepTtlSeconds, type E2eSystem } from '../system.ts'
import {
  checkCarriers,
  checkProtocolReports,
  expectedReports,
  reportKey,
  type ExpectedReports,
} from './check-protocols.ts'
import { planFlows } from './flows.ts'
import { kakaoProtocol } from './kakao.ts'
import { maapProtocols } from './maap.ts'
import { mm7Protocols } from './mm7.ts'
import { planProtocol } from './plan.ts'
import { checkProtocols, type HttpProtocol } from './protocol.ts'
import { createSender } from './create-sender.ts'
import { rbmProtocol } from './rbm.ts'
import { startCarriers, type ProtocolCarriers } from './start-carriers.ts'

export const protocols: readonly HttpProtocol[] = [
  ...mm7Protocols,
  kakaoProtocol,
  ...maapProtocols,
  rbmProtocol,
]
checkProtocols(protocols)

export interface ProtocolsResult {
  readonly findings: string[]
  /** Number of accepted messages. */
  readonly accepted: number
}

/**
 * Prepares the test of every channel over the protocols of its carriers, and of flows across them. Every
 * message must have one correct outcome and reach its carrier exactly once. `npm run e2e` runs it while SMS
 * wait for their deadline.
 */
export async function openProtocols(system: E2eSystem): Promise<{ run(): Promise<ProtocolsResult> }> {
  const [credentials, carriers] = await Promise.all([
    createSender(system.installation, protocols),
    startCarriers(system, protocols),
  ])
  printProgress(`${carriers.http.size} protocols over HTTP are ready`)
  return { run: () => runProtocols(system.api.url, credentials, carriers) }
}

async function runProtocols(
  url: string,
  credentials: Credentials,
  carriers: ProtocolCarriers,
): Promise<ProtocolsResult> {
  const client = await createLoggedInClient(url, credentials)
  const collector = new ReportCollector(client, reportKey)
  const findings: string[] = []
  try {
    const [mms, rcs] = await Promise.all([
      uploadImage(url, client, 'MMS'),
      uploadImage(url, client, 'RCS', { width: 568, height: 528 }),
    ])
    const images = { mms: mms.fileKey!, rcs: rcs.media! }
    const messages = protocols.flatMap((protocol) => planProtocol(protocol, images))
    const flows = planFlows(images)

    const expected = new Map(expectedReports(messages, flows).map((each) => [each.ref, each]))
    const sent = new Map<string, ExpectedReports>()
    collector.start()
    // Connections stay open without responses.
    carriers.inbound.freeze()
    const sends = [...flows.map((flow) => ({ ...flow, path: 'omni' })), ...messages]
    await inParallel(sends, 16, async ({ ref, path, body }) => {
      const response = await send(client, path, body)
      if (typeof response === 'string') sent.set(response, expected.get(ref)!)
      else findings.push(`sending ${ref} failed: ${JSON.stringify(response)}`)
    })
    printProgress(`${messages.length} messages and ${flows.length} flows sent over HTTP protocols`)
    await untilRepeated(carriers)
    carriers.inbound.thaw()
    printProgress('the carriers have repeated receipts that the API did not answer')

    const count = [...sent.values()].reduce((sum, { reports }) => sum + Object.keys(reports).length, 0)
    await waitFor(`${count} reports over HTTP protocols`, () => collector.reports.size >= count, {
      timeoutMs: (stepTtlSeconds + 60) * 1000,
      everyMs: 200,
    }).catch((error: unknown) => findings.push((error as Error).message))
    await collector.stop()
    findings.push(...collector.findings)
    findings.push(...checkProtocolReports(sent, collector.reports))
    await untilAcknowledged(carriers)
    findings.push(...(await checkCarriers({ messages, flows, carriers })))
    printProgress(`${collector.reports.size} reports over HTTP protocols, ${findings.length} findings`)
    return { findings, accepted: sent.size }
  } finally {
    carriers.inbound.thaw()
    await collector.stop()
    client.close()
  }
}

/** Waits until every carrier that sent a receipt to the API has repeated one. */
async function untilRepeated({ callers }: ProtocolCarriers): Promise<void> {
  for (const caller of callers)
    await waitFor(
      `${caller.name} to repeat a receipt`,
      async () => {
        const { receiptsSent, receiptsRepeated } = await caller.stats()
        return receiptsSent === 0 || receiptsRepeated > 0
      },
      { timeoutMs: 60_000 },
    )
}

/**
 * Waits until every receipt is acknowledged. After a timeout, the later check reports the number of missing
 * ones.
 */
async function untilAcknowledged({ http }: ProtocolCarriers): Promise<void> {
  for (const [name, simulators] of http)
    for (const simulator of simulators)
      await waitFor(
        `${name} to have its receipts acknowledged`,
        async () => (await simulator.stats()).receiptsPending === 0,
      ).catch(() => undefined)
}

/** Sends a message. Returns the msgKey, or the response body if it has none. */
async function send(client: AccountClient, path: string, body: object): Promise<unknown> {
  interface FlowResponse extends SendResponse {
    readonly data?: { readonly destinations?: readonly SendResponse[] }
  }
  const response = await retryAfterThrottling(() =>
    client.call<FlowResponse>('POST', `/v1/send/${path}`, JSON.stringify(body)),
  )
  const { msgKey, data } = response.body
  const key = msgKey ?? data?.destinations?.[0]?.msgKey
  return key === undefined || key === '' ? response.body : key
}
