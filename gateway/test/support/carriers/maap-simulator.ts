/**
 * Simulated MaaP hosts, which share no code with the connector, a connector to them, and the receiver of their statuses
 * and replies, which answers as the API does. Everything is closed when the test ends.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { startMaap } from '../../../../simulator/src/maap.ts'
import type { MaapEntry, MaapOptions } from '../../../../simulator/src/maap.ts'
import type { HttpCarrier } from '../../../../simulator/src/shared/running-carrier.ts'
import type {
  Connector,
  ConnectorContext,
  Receipt,
  SubmitOutcome,
} from '../../../src/carriers/connectors/connector.ts'
import { createConnector, createInbound } from '../../../src/carriers/connectors/registry.ts'
import { rcsSubmission, smsBody, webhookToken } from './maap.ts'
import { recorded, type Recorded } from '../smpp/fixtures.ts'
import { waitFor } from '../wait.ts'

export type HostName = MaapOptions['carrier']
export const carrierHosts = ['skt', 'kt', 'lgu'] as const

export interface MaapStage {
  readonly kind: 'maap' | 'maap-kt'
  readonly hosts: ReadonlyMap<HostName, HttpCarrier<MaapEntry>>
  readonly options: Readonly<Record<string, unknown>>
  readonly record: Recorded
  readonly connector: Connector
  /** Creates another connector to the same hosts. Does not wait for its tokens if this stage has received some before. */
  open(context?: Partial<ConnectorContext>): Promise<Connector>
}

export interface StageSettings {
  readonly kind: MaapStage['kind']
  readonly options?: Readonly<Record<string, unknown>>
  readonly simulator?: Partial<MaapOptions>
  readonly context?: Partial<ConnectorContext>
  readonly onReceipt?: (receipt: Receipt) => Promise<void>
  /** Whether results are polled instead of received by webhook. */
  readonly polling?: boolean
}

/** Octets that begin like an image. */
export const image = (letter: string): Buffer => Buffer.from(`\x89PNG\r\n\x1a\n${letter}`, 'latin1')

export async function openMaapStage(t: TestContext, settings: StageSettings): Promise<MaapStage> {
  const { kind, polling = false, onReceipt } = settings
  const record = recorded(onReceipt)
  const reader: { inbound: ReturnType<typeof createInbound> } = { inbound: undefined }
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const query = new URLSearchParams()
      const result = reader.inbound!({ method, path, headers, query, body: Buffer.concat(chunks) })
      for (const event of result.events ?? []) record.context.onEvent(event)
      const { status, contentType = 'text/plain', body } = result.response
      Promise.all(result.receipts.map((receipt) => record.context.onReceipt(receipt))).then(
        () => response.writeHead(status, { 'content-type': contentType }).end(body),
        () => response.writeHead(503).end(),
      )
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const statusUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${webhookToken}`
  const names: readonly HostName[] = kind === 'maap' ? carrierHosts : ['kt-relay']
  const started = await Promise.all(
    names.map(async (carrier) => {
      const webhooks = polling ? {} : { statusUrl, replyUrl: statusUrl }
      const limits = { slowMs: 20, lateMs: 20, receiptRetryMs: 20 }
      const login = { clientId: 'client', clientSecret: 'secret08' }
      const host = await startMaap({ carrier, ...webhooks, ...limits, ...login, ...settings.simulator })
      return [carrier, host] as const
    }),
  )
  const hosts = new Map(started)
  const opened: Connector[] = []
  t.after(async () => {
    await Promise.all(opened.map((one) => one.stop(100)))
    await Promise.all([...hosts.values()].map((host) => host.close()))
    receiver.close()
    receiver.closeAllConnections()
  })
  const endpoints =
    kind === 'maap'
      ? { carriers: carriersAt(hosts), agencyId: 'agency' }
      : {
          url: urlOf(hosts.get('kt-relay')!, '/corp/v1'),
          queryUrl: urlOf(hosts.get('kt-relay')!, '/corp/v1'),
        }
  const options = {
    ...endpoints,
    ...(kind === 'maap' ? {} : { rcsId: 'client', rcsSecret: 'secret08' }),
    agencyKey: 'AK.agency',
    webhookToken,
    window: 200,
    responseTimeoutMs: 20_000,
    reconnectMinMs: 10,
    reconnectMaxMs: 50,
    loginPauseMs: 50,
    stopTimeoutMs: 500,
    ...settings.options,
  }
  reader.inbound = createInbound(kind, options)
  const open = async (context: Partial<ConnectorContext> = {}): Promise<Connector> => {
    const created = createConnector(kind, options, { ...record.context, ...settings.context, ...context })
    opened.push(created)
    created.start()
    await waitFor(
      'all tokens',
      () => record.events.filter((one) => one === 'token-renewed').length >= names.length,
    )
    return created
  }
  return { kind, hosts, options, record, connector: await open(), open }
}

function carriersAt(hosts: MaapStage['hosts']): object {
  return Object.fromEntries(
    [...hosts].map(([name, host]) => [
      name,
      { url: urlOf(host, '/ag/1.2'), clientId: 'client', clientSecret: 'secret08' },
    ]),
  )
}

function urlOf(host: HttpCarrier<MaapEntry>, path: string): string {
  return `http://127.0.0.1:${host.port}${path}`
}

let references = 0
export const nextReference = (): string =>
  `20261115000000000C00B${String(++references).padStart(11, '0')}-1-1-1`

/** Submits a text to the recipient with these last digits; `body` replaces fields of the request. */
export function submitTo(
  { connector }: MaapStage,
  ending: string,
  body: object = {},
): Promise<SubmitOutcome> {
  const request = { ...smsBody, to: `0101234${ending}`, ...body }
  return connector.submit(rcsSubmission(request, { reference: nextReference() }))
}

export const countOf = ({ record }: MaapStage, event: string): number =>
  record.events.filter((one) => one === event).length
