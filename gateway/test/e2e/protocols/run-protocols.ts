/**
 * Every channel over the protocol of its carriers, and flows that cross them, in a running system: one outcome for each
 * message, the right one, and each reached its carrier exactly once. `npm run e2e` runs it while the SMS of the run wait.
 */
import { inParallel } from '../../support/parallel.ts'
import type { AccountClient, Credentials, SendAnswer } from '../../support/processes/account-client.ts'
import { repeatAsTold } from '../../support/processes/repeat-as-told.ts'
import { uploadImage } from '../../support/processes/upload-image.ts'
import { printProgress } from '../../support/progress.ts'
import { waitFor } from '../../support/wait.ts'
import { ReportCollector } from '../report-collector.ts'
import { enter, stepTtlSeconds, type System } from '../system.ts'
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
import { checkProtocols, type Protocol } from './protocol.ts'
import { createSender } from './create-sender.ts'
import { rbmProtocol } from './rbm.ts'
import { startCarriers, type Carriers } from './start-carriers.ts'

export const protocols: readonly Protocol[] = [...mm7Protocols, kakaoProtocol, ...maapProtocols, rbmProtocol]
checkProtocols(protocols)

export interface ProtocolsResult {
  readonly findings: string[]
  /** Messages that the gateway has accepted. */
  readonly accepted: number
}

export async function openProtocols(system: System): Promise<{ run(): Promise<ProtocolsResult> }> {
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
  carriers: Carriers,
): Promise<ProtocolsResult> {
  const client = await enter(url, credentials)
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
    // Its connections stay open, and nothing answers.
    carriers.inbound.freeze()
    const all = [...flows.map((flow) => ({ ...flow, path: 'omni' })), ...messages]
    await inParallel(all, 16, async ({ ref, path, body }) => {
      const answer = await send(client, path, body)
      if (typeof answer === 'string') sent.set(answer, expected.get(ref)!)
      else findings.push(`sending ${ref} was answered ${JSON.stringify(answer)}`)
    })
    printProgress(`${messages.length} messages and ${flows.length} flows sent over them`)
    await untilRepeated(carriers)
    carriers.inbound.thaw()
    printProgress('the carriers have repeated receipts that the API did not answer')

    const count = [...sent.values()].reduce((sum, { reports }) => sum + Object.keys(reports).length, 0)
    await waitFor(`${count} reports over them`, () => collector.reports.size >= count, {
      ...{ timeoutMs: (stepTtlSeconds + 60) * 1000, everyMs: 200 },
    }).catch((error: unknown) => findings.push((error as Error).message))
    await collector.stop()
    findings.push(...collector.findings)
    findings.push(...checkProtocolReports(sent, collector.reports))
    await untilAcknowledged(carriers)
    findings.push(...(await checkCarriers({ messages, flows, carriers })))
    printProgress(`${collector.reports.size} reports over them, ${findings.length} findings`)
    return { findings, accepted: sent.size }
  } finally {
    carriers.inbound.thaw()
    await collector.stop()
    client.close()
  }
}

/** Every carrier that calls the API and has sent it a receipt has sent one again. */
async function untilRepeated({ callers }: Carriers): Promise<void> {
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

/** Every receipt is acknowledged, or not in time: then the check shows how many. */
async function untilAcknowledged({ http }: Carriers): Promise<void> {
  for (const [name, simulators] of http)
    for (const simulator of simulators)
      await waitFor(
        `${name} to have its receipts acknowledged`,
        async () => (await simulator.stats()).receiptsPending === 0,
      ).catch(() => undefined)
}

/** The msgKey, or the answer that has none. */
async function send(client: AccountClient, path: string, body: object): Promise<unknown> {
  interface FlowAnswer extends SendAnswer {
    readonly data?: { readonly destinations?: readonly SendAnswer[] }
  }
  const answer = await repeatAsTold(() =>
    client.call<FlowAnswer>('POST', `/v1/send/${path}`, JSON.stringify(body)),
  )
  const { msgKey, data } = answer.body
  const key = msgKey ?? data?.destinations?.[0]?.msgKey
  return key === undefined || key === '' ? answer.body : key
}
