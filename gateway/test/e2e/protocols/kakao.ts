/** The three channels of Kakao BizMessage: alimtalk results by push and by polling, friendtalk converted to brand messages. */
import { behaviours } from '../../../../simulator/src/kakao/behaviours.ts'
import { refused, simulatorArguments, taken, type Endings, type Protocol, type Shape } from './protocol.ts'

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

/** Endings of a message whose result is polled. */
const polled: Endings = {
  '0001': taken(delivered),
  '0002': taken(noUser),
  '0003': taken(unconfirmed),
  '0004': taken(delivered),
  '0006': taken(unconfirmed),
  '0007': taken(blocked),
  '0008': refused(badNumber),
  '0009': taken(delivered, { throttled: 1 }),
  '0010': taken(delivered, { throttled: 5 }),
  '0011': taken(delivered),
  '0012': taken(delivered),
  '0013': refused(unknown),
  '0015': taken(delivered),
  '0016': taken(cannotReceive),
  '0017': refused(unknown),
  '0018': taken(delivered),
  '0019': taken(oldMessenger),
  '0020': taken(unconfirmed),
  '0051': refused(otherThanTemplate),
  '0052': refused(barredHours),
  '0053': refused(unknown),
  '0054': taken(delivered),
  '0055': taken(delivered),
  '0056': refused(blockedChannel),
  '0057': refused(noTemplate),
  '0058': refused(wrongSender),
  '0059': refused(unknown),
  '0060': refused(failed),
  // A number without a special behaviour.
  '7358': taken(delivered),
}

/** A lost response leaves the outcome unknown if the response is the result. */
const inResponse: Endings = {
  ...polled,
  ...Object.fromEntries(
    ['0003', '0012', '0018', '0020', '0054', '0055'].map((ending) => [ending, taken(unknown)]),
  ),
}

export const senderKey = 'a'.repeat(40)
/** That Kakao does not know. */
export const foreignSenderKey = 'b'.repeat(40)

const contents = {
  alimtalk: { senderKey, msgType: 'AT', templateCode: 'e2e' },
  friendtalk: { senderKey, msgType: 'FT' },
  brandmessage: { senderKey, sendType: 'free', msgType: 'FT' },
} as const

type KakaoChannel = keyof typeof contents

/** `isWrong`: with a sender and a template that Kakao does not know. */
export function kakaoContent(channel: KakaoChannel, text: string, isWrong = false): object {
  const wrong = isWrong ? { senderKey: foreignSenderKey, templateCode: 'other' } : {}
  return { ...contents[channel], text, ...wrong }
}

export const kakaoProtocol: Protocol = {
  ...{ name: 'kakao', kind: 'kakao', carrier: 'kakao', prefix: '01073', takesFlows: true },
  ...{ behaviours, without: {} },
  simulators: () => [
    [...simulatorArguments, ...['--partner-key', 'key', '--sender-key', senderKey, '--template-code', 'e2e']],
  ],
  options: ([url]) => ({
    url,
    uploadUrl: url,
    partnerKey: 'key',
    channelKey: 'channel',
    brandPath: 'brandmessage/send',
    friendtalk: 'convert',
    results: { AT: 'push', AI: 'polling' },
    ...{ responseTimeoutMs: 4_000, pollIntervalMs: 200, throttleRetryMs: 20 },
  }),
  shapes: [
    shape('alimtalk', 'AT', inResponse),
    shape('alimtalk', 'AI', polled),
    shape('friendtalk', 'FT', inResponse),
    shape('brandmessage', 'FT', inResponse),
  ],
}

function shape(channel: KakaoChannel, msgType: string, endings: Endings): Shape {
  return {
    channel,
    msgType,
    hasTtl: false,
    endings,
    content: (text) => ({ ...kakaoContent(channel, text), msgType }),
  }
}
