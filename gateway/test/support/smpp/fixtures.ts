/** Options with short timers, submissions and a recording context for tests. */
import type {
  Connector,
  ConnectorContext,
  Receipt,
  Submission,
} from '../../../src/carriers/connectors/connector.ts'
import { createSmppConnector } from '../../../src/carriers/connectors/smpp/connector.ts'
import type { SmppOptions } from '../../../src/carriers/connectors/smpp/options.ts'
import { readOptions } from '../../../src/carriers/connectors/registry.ts'
import type { Reply } from '../../../src/carriers/connectors/reply.ts'
import type { BodyOf } from '../../../src/carriers/smpp/pdu.ts'

export function testOptions(overrides: object = {}): SmppOptions {
  const options = readOptions('smpp', {
    host: '127.0.0.1',
    systemId: 'postern',
    password: 'secret08',
    reconnectMinMs: 10,
    reconnectMaxMs: 50,
    responseTimeoutMs: 5000,
    stopTimeoutMs: 500,
    ...overrides,
  })
  return options as unknown as SmppOptions
}

export function submission(overrides: Partial<Submission> = {}, text = 'Hello'): Submission {
  return {
    reference: 'att_1',
    from: '0215880000',
    to: '01012345678',
    part: { kind: 'text', text, encoding: 'gsm7', part: 1, parts: 1, concatReference: 0 },
    message: { channel: 'sms', content: { text } },
    given: { channel: 'sms', from: '0215880000', text },
    originCid: undefined,
    isAdvertisement: false,
    files: [],
    ttlSeconds: undefined,
    validUntil: new Date(Date.now() + 3_600_000),
    ...overrides,
  }
}

export interface Recorded {
  readonly receipts: Receipt[]
  readonly replies: Reply[]
  readonly links: { up: boolean; reason: string }[]
  readonly linkFailures: string[]
  readonly events: string[]
  readonly lines: { level: string; fields: object; text: string }[]
  readonly context: ConnectorContext
}

export function recorded(onReceipt?: (receipt: Receipt) => Promise<void>): Recorded {
  const receipts: Receipt[] = []
  const replies: Reply[] = []
  const links: Recorded['links'] = []
  const linkFailures: string[] = []
  const events: string[] = []
  const lines: Recorded['lines'] = []
  const at =
    (level: string) =>
    (fields: object, text: string): void => {
      lines.push({ level, fields, text })
    }
  const context: ConnectorContext = {
    onReceipt: async (receipt) => {
      receipts.push(receipt)
      await onReceipt?.(receipt)
    },
    onReply: (reply) => {
      replies.push(reply)
      return Promise.resolve()
    },
    onLink: (up, reason) => links.push({ up, reason }),
    onLinkFailure: (reason) => linkFailures.push(reason),
    onEvent: (event) => events.push(event),
    openFile: () => Promise.resolve(null),
    isFirstOwner: true,
    log: { info: at('info'), warn: at('warn'), error: at('error') },
  }
  return { receipts, replies, links, linkFailures, events, lines, context }
}

export function testConnector(port: number, overrides: object = {}, record = recorded()): Connector {
  const connector = createSmppConnector(testOptions({ port, ...overrides }), record.context)
  connector.start()
  return connector
}

export function deliverBody(overrides: Partial<BodyOf<'deliver_sm'>> = {}, text = ''): BodyOf<'deliver_sm'> {
  return {
    serviceType: '',
    sourceTon: 1,
    sourceNpi: 1,
    source: '821012345678',
    destinationTon: 0,
    destinationNpi: 1,
    destination: '0215880000',
    esmClass: 0x04,
    protocolId: 0,
    priorityFlag: 0,
    scheduleDeliveryTime: '',
    validityPeriod: '',
    registeredDelivery: 0,
    replaceIfPresent: 0,
    dataCoding: 0,
    defaultMessageId: 0,
    shortMessage: Buffer.from(text, 'latin1'),
    ...overrides,
  }
}
