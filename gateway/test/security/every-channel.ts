/**
 * Creates the body of a send for every channel with the same number and text, or with the number abroad where
 * the channel requires one.
 */
import type { ChannelName } from '../../src/channels/channel.ts'

export interface Canary {
  readonly from: string
  readonly to: string
  readonly abroad: string
  readonly text: string
}

export function sendsOver({ from, to, abroad, text }: Canary): Readonly<Record<ChannelName, object>> {
  const kakao = { senderKey: 'a'.repeat(40), to }
  return {
    sms: { from, to, text },
    mms: { from, to, text, title: 'title' },
    international: { from, to: abroad, text },
    rcs: {
      from,
      to,
      formatId: 'SL000000',
      brandKey: 'BR.key',
      content: { standalone: { title: 'title', text } },
    },
    alimtalk: { ...kakao, msgType: 'AT', templateCode: 'welcome', text },
    friendtalk: { ...kakao, msgType: 'FT', text },
    brandmessage: { ...kakao, msgType: 'FT', sendType: 'free', targeting: 'I', text },
  }
}
