/** LMS and MMS over MM7: KT, which recognizes a repeated submission, and 3GPP, which does not. */
import { behaviours } from '../../../../simulator/src/mm7/behaviours.ts'
import {
  refused,
  silentTtlSeconds,
  simulatorArguments,
  taken,
  type Endings,
  type Protocol,
  type Shape,
} from './protocol.ts'

/** A code of the account. */
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

const common: Endings = {
  '0001': taken(delivered),
  '0003': taken(timeout, { silent: true }),
  '0004': taken(delivered),
  '0005': taken(delivered),
  '0006': taken(timeout),
  '0008': refused(badNumber),
  '0009': taken(delivered, { throttled: 1 }),
  '0010': taken(delivered, { throttled: 5 }),
  '0011': taken(delivered),
  '0012': taken(delivered),
  '0013': refused(unknown, { silent: true }),
  '0015': taken(delivered),
  '0017': taken(delivered),
  '0018': taken(delivered),
  '0019': taken(refusedByCarrier),
  '0020': taken(unknown),
  '0053': refused(unknown, { silent: true }),
  '0054': taken(delivered),
  '0055': taken(delivered),
  '0057': taken(unsupported),
  // A number without a special behaviour.
  '7358': taken(delivered),
}

const endings: Readonly<Record<Dialect, Endings>> = {
  kt: {
    ...common,
    '0002': taken(noSubscriber),
    '0007': taken(spam),
    // No code of KT is known to be intermediate: the first report ends the step.
    '0014': taken(failed),
    '0016': taken(phoneOff),
    '0051': taken(noSubscriber),
    '0052': taken(noSubscriber),
    '0056': taken(originCode),
    // The carrier says that it has accepted this message before, so its report is waited for.
    '0059': refused(timeout, { silent: true }),
    // No route lists the carrier that it was ported to.
    '0080': refused(noSubscriber),
    '0081': refused(noSubscriber),
    '0082': taken(noSubscriber),
  },
  '3gpp': {
    ...common,
    '0002': taken(refusedByCarrier),
    '0007': taken(refusedByCarrier),
    '0014': taken(delivered),
    '0016': taken(timeout),
    '0051': taken(refusedByCarrier),
    '0052': taken(refusedByCarrier),
    '0056': taken(refusedByCarrier),
    '0059': refused(failed),
    '0080': taken(delivered),
    '0081': taken(delivered),
    '0082': taken(delivered),
  },
}

const webhookToken = 'token-of-the-reports'

function mm7(dialect: Dialect, prefix: string): Protocol {
  const shape = { channel: 'mms', hasTtl: true, endings: endings[dialect] } as const
  const from = '0212345678'
  const shapes: readonly Shape[] = [
    { ...shape, msgType: 'LM', content: (text) => ({ from, text, title: '제목 & <1>' }) },
    {
      ...{ ...shape, msgType: 'MM' },
      content: (text, { mms }) => ({ from, text, fileKey: [mms], originCID: originCid }),
    },
  ]
  return {
    ...{ name: `mm7-${dialect}`, kind: 'mm7', carrier: 'mm7', prefix, shapes, behaviours },
    takesFlows: dialect === 'kt',
    simulators: ({ inbound }) => [
      [...simulatorArguments, '--dialect', dialect, '--report-url', `${inbound}/${webhookToken}`],
    ],
    options: ([url]) => ({
      ...{ url: `${url}/`, dialect, vaspId: 'vasp', vasId: 'vas', webhookToken },
      ...(dialect === 'kt' ? { partnerId: 'partner' } : {}),
      ...{ responseTimeoutMs: 2_500, throttleRetryMs: 20 },
    }),
    without: {
      '0058': `the carrier refuses the login, so the message waits for an operator beyond ${silentTtlSeconds} s`,
    },
  }
}

export const mm7Protocols: readonly Protocol[] = [mm7('kt', '01071'), mm7('3gpp', '01072')]
