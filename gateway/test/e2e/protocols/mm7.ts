/** LMS and MMS over MM7: KT detects repeated submissions, 3GPP does not. */
import { behaviours } from '../../../../simulator/src/mm7/behaviours.ts'
import {
  expectRejected,
  silentTtlSeconds,
  simulatorArguments,
  expectAccepted,
  type ProtocolExpectations,
  type HttpProtocol,
  type MessageShape,
} from './protocol.ts'

/** Origin code registered for the account. */
export const originCid = '123456789'

type Dialect = 'kt' | '3gpp'

const delivered = '10000'
const timeout = '22000'
const phoneOff = '22003'
const failed = '23000'
const noSubscriber = '23001'
const badNumber = '23003'
const refusedByCarrier = '23006'
const unsupported = '23010'
const spam = '23012'
const originCode = '23036'
const unknown = '99999'

const common: ProtocolExpectations = {
  '0001': expectAccepted(delivered),
  '0003': expectAccepted(timeout, { silent: true }),
  '0004': expectAccepted(delivered),
  '0005': expectAccepted(delivered),
  '0006': expectAccepted(timeout),
  '0008': expectRejected(badNumber),
  '0009': expectAccepted(delivered, { throttled: 1 }),
  '0010': expectAccepted(delivered, { throttled: 5 }),
  '0011': expectAccepted(delivered),
  '0012': expectAccepted(delivered),
  '0013': expectRejected(unknown, { silent: true }),
  '0015': expectAccepted(delivered),
  '0017': expectAccepted(delivered),
  '0018': expectAccepted(delivered),
  '0019': expectAccepted(refusedByCarrier),
  '0020': expectAccepted(unknown),
  '0053': expectRejected(unknown, { silent: true }),
  '0054': expectAccepted(delivered),
  '0055': expectAccepted(delivered),
  '0057': expectAccepted(unsupported),
  // Number without special behaviour.
  '7358': expectAccepted(delivered),
}

const endings: Readonly<Record<Dialect, ProtocolExpectations>> = {
  kt: {
    ...common,
    '0002': expectAccepted(noSubscriber),
    '0007': expectAccepted(spam),
    // KT has no known intermediate code: the first report ends the step.
    '0014': expectAccepted(failed),
    '0016': expectAccepted(phoneOff),
    '0051': expectAccepted(noSubscriber),
    '0052': expectAccepted(noSubscriber),
    '0056': expectAccepted(originCode),
    // The carrier reports a duplicate, so the gateway waits for the report.
    '0059': expectRejected(timeout, { silent: true }),
    // No route serves the carrier to which the number was ported.
    '0080': expectRejected(noSubscriber),
    '0081': expectRejected(noSubscriber),
    '0082': expectAccepted(noSubscriber),
  },
  '3gpp': {
    ...common,
    '0002': expectAccepted(refusedByCarrier),
    '0007': expectAccepted(refusedByCarrier),
    '0014': expectAccepted(delivered),
    '0016': expectAccepted(timeout),
    '0051': expectAccepted(refusedByCarrier),
    '0052': expectAccepted(refusedByCarrier),
    '0056': expectAccepted(refusedByCarrier),
    '0059': expectRejected(failed),
    '0080': expectAccepted(delivered),
    '0081': expectAccepted(delivered),
    '0082': expectAccepted(delivered),
  },
}

const webhookToken = 'token-of-the-reports'

function mm7(dialect: Dialect, prefix: string): HttpProtocol {
  const shape = { channel: 'mms', hasTtl: true, endings: endings[dialect] } as const
  const from = '0212345678'
  const shapes: readonly MessageShape[] = [
    { ...shape, msgType: 'LM', content: (text) => ({ from, text, title: '제목 & <1>' }) },
    {
      ...shape,
      msgType: 'MM',
      content: (text, { mms }) => ({ from, text, fileKey: [mms], originCID: originCid }),
    },
  ]
  return {
    name: `mm7-${dialect}`,
    kind: 'mm7',
    carrier: 'mm7',
    prefix,
    shapes,
    behaviours,
    takesFlows: dialect === 'kt',
    simulators: ({ inbound }) => [
      [...simulatorArguments, '--dialect', dialect, '--report-url', `${inbound}/${webhookToken}`],
    ],
    options: ([url]) => ({
      url: `${url}/`,
      dialect,
      vaspId: 'vasp',
      vasId: 'vas',
      webhookToken,
      ...(dialect === 'kt' ? { partnerId: 'partner' } : {}),
      responseTimeoutMs: 2_500,
      throttleRetryMs: 20,
    }),
    without: {
      '0058': `the carrier refuses the login, so the message waits for an operator beyond ${silentTtlSeconds} s`,
    },
  }
}

export const mm7Protocols: readonly HttpProtocol[] = [mm7('kt', '01071'), mm7('3gpp', '01072')]
