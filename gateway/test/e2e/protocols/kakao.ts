import { behaviours } from '../../../../simulator/src/kakao/behaviours.ts'
import {
  expectRejected,
  simulatorArguments,
  expectAccepted,
  type ProtocolExpectations,
  type HttpProtocol,
  type MessageShape,
} from './protocol.ts'

const delivered = '10000'
const unconfirmed = '63005'
const badNumber = '63008'
const noUser = '63019'
const blocked = '63020'
const barredHours = '63022'
const wrongSender = '61003'
const blockedChannel = '61021'
const noTemplate = '63015'
const otherThanTemplate = '63016'
const cannotReceive = '63018'
const oldMessenger = '63021'
const failed = '69999'
const unknown = '99999'

/** Expectations if results are polled. */
const polled: ProtocolExpectations = {
  '0001': expectAccepted(delivered),
  '0002': expectAccepted(noUser),
  '0003': expectAccepted(unconfirmed),
  '0004': expectAccepted(delivered),
  '0006': expectAccepted(unconfirmed),
  '0007': expectAccepted(blocked),
  '0008': expectRejected(badNumber),
  '0009': expectAccepted(delivered, { throttled: 1 }),
  '0010': expectAccepted(delivered, { throttled: 5 }),
  '0011': expectAccepted(delivered),
  '0012': expectAccepted(delivered),
  '0013': expectRejected(unknown),
  '0015': expectAccepted(delivered),
  '0016': expectAccepted(cannotReceive),
  '0017': expectRejected(unknown),
  '0018': expectAccepted(delivered),
  '0019': expectAccepted(oldMessenger),
  '0020': expectAccepted(unconfirmed),
  '0051': expectRejected(otherThanTemplate),
  '0052': expectRejected(barredHours),
  '0053': expectRejected(unknown),
  '0054': expectAccepted(delivered),
  '0055': expectAccepted(delivered),
  '0056': expectRejected(blockedChannel),
  '0057': expectRejected(noTemplate),
  '0058': expectRejected(wrongSender),
  '0059': expectRejected(unknown),
  '0060': expectRejected(failed),
  // Number without special behaviour.
  '7358': expectAccepted(delivered),
}

/** Expectations if the response is the result: a lost response leaves the outcome unknown. */
const inResponse: ProtocolExpectations = {
  ...polled,
  ...Object.fromEntries(
    ['0003', '0012', '0018', '0020', '0054', '0055'].map((ending) => [ending, expectAccepted(unknown)]),
  ),
}

export const registeredSenderKey = 'a'.repeat(40)
/** Sender key that is unknown to Kakao. */
export const foreignSenderKey = 'b'.repeat(40)

const contents = {
  alimtalk: { senderKey: registeredSenderKey, msgType: 'AT', templateCode: 'e2e' },
  friendtalk: { senderKey: registeredSenderKey, msgType: 'FT' },
  brandmessage: { senderKey: registeredSenderKey, sendType: 'free', msgType: 'FT' },
} as const

type KakaoChannel = keyof typeof contents

/** Returns the content of a message. `isWrong` uses a sender and a template that are unknown to Kakao. */
export function kakaoContent(channel: KakaoChannel, text: string, isWrong = false): object {
  const wrong = isWrong ? { senderKey: foreignSenderKey, templateCode: 'other' } : {}
  return { ...contents[channel], text, ...wrong }
}

export const kakaoProtocol: HttpProtocol = {
  name: 'kakao',
  kind: 'kakao',
  carrier: 'kakao',
  prefix: '01073',
  takesFlows: true,
  behaviours,
  without: {},
  simulators: () => [
    [
      ...simulatorArguments,
      ...['--partner-key', 'key', '--sender-key', registeredSenderKey, '--template-code', 'e2e'],
    ],
  ],
  options: ([url]) => ({
    url,
    uploadUrl: url,
    partnerKey: 'key',
    channelKey: 'channel',
    brandPath: 'brandmessage/send',
    friendtalk: 'convert',
    results: { AT: 'push', AI: 'polling' },
    responseTimeoutMs: 4_000,
    pollIntervalMs: 200,
    throttleRetryMs: 20,
  }),
  shapes: [
    shape('alimtalk', 'AT', inResponse),
    shape('alimtalk', 'AI', polled),
    shape('friendtalk', 'FT', inResponse),
    shape('brandmessage', 'FT', inResponse),
  ],
}

function shape(channel: KakaoChannel, msgType: string, endings: ProtocolExpectations): MessageShape {
  return {
    channel,
    msgType,
    hasTtl: false,
    endings,
    content: (text) => ({ ...kakaoContent(channel, text), msgType }),
  }
}
