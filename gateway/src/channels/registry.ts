/** Every channel by its name, which is also the last segment of its send path and its key in a message flow. */
import * as alimtalk from './alimtalk/alimtalk.ts'
import * as brandmessage from './brandmessage/brandmessage.ts'
import type { Channel, ChannelName, Step } from './channel.ts'
import * as friendtalk from './friendtalk/friendtalk.ts'
import { international } from './international/international.ts'
import * as kakaoFallback from './kakao/fallback.ts'
import * as mmsKind from './mms/mms.ts'
import * as rcsKind from './rcs/rcs.ts'
import type { Issues } from './issues.ts'
import { kakaoReportCodes, rcsReportCodes, textReportCodes } from './report-codes.ts'
import { richChannel } from './rich-channel.ts'
import { sms } from './sms/sms.ts'

const mms = richChannel({
  name: 'mms',
  serviceType: 'MMS',
  kind: mmsKind,
  reportCodes: textReportCodes,
  countsBytes: true,
})

/** A fallback is a text message: its fields are those of an SMS or MMS step. */
function textStep(channel: 'sms' | 'mms', content: object, issues: Issues): Step {
  return (channel === 'sms' ? sms : mms).step(content, 'fallback.', issues)
}

function withoutUndefined(content: object): object {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined))
}

const kakao = {
  reportCodes: kakaoReportCodes,
  fallbackStep(fallback: object, _body: object, issues: Issues): Step {
    const checked = fallback as kakaoFallback.Fallback
    // The step's own checks find some issues again, under the codes of a text message.
    return issues.oncePerField([], () => {
      kakaoFallback.checkFallback(checked, 'fallback.', issues)
      const { channel, content } = kakaoFallback.toFallbackStep(checked)
      return textStep(channel, content, issues)
    })
  },
}

export const channels: Readonly<Record<ChannelName, Channel>> = {
  sms,
  mms,
  international,
  rcs: richChannel({
    name: 'rcs',
    serviceType: 'RCS',
    kind: rcsKind,
    reportCodes: rcsReportCodes,
    ttlSeconds: rcsKind.deadlineSecondsOf,
    fallbackStep(fallback, body, issues) {
      const checked = fallback as rcsKind.Fallback
      const { from = body.from, text, title, fileKey, originCID } = checked
      // The sender of the message itself has been checked there.
      return issues.oncePerField(checked.from === undefined ? ['fallback.from'] : [], () => {
        rcsKind.checkFallback(checked, 'fallback.', issues)
        const channel = rcsKind.fallbackChannel(checked)
        const content =
          channel === 'sms' ? { from, text, originCID } : { from, text, title, fileKey, originCID }
        return textStep(channel, withoutUndefined(content), issues)
      })
    },
  }),
  alimtalk: richChannel({ name: 'alimtalk', serviceType: 'ALIMTALK', kind: alimtalk, ...kakao }),
  friendtalk: richChannel({ name: 'friendtalk', serviceType: 'FRIENDTALK', kind: friendtalk, ...kakao }),
  brandmessage: richChannel({
    name: 'brandmessage',
    serviceType: 'BRANDMESSAGE',
    kind: brandmessage,
    ...kakao,
  }),
}
