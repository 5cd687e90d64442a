/** The senders that a step of each channel names, and the rule that requires each to be registered. */
import type { ChannelName, Step } from '../../channels/channel.ts'
import type { RuleId } from '../rules.ts'
import type { SenderKind } from './sender.ts'

export interface SenderUse {
  /** The field of the step that names the sender. */
  readonly field: 'from' | 'brandKey' | 'senderKey' | 'templateCode'
  /** An active registration of any of its `sufficientKinds` is sufficient. */
  readonly kind: SenderKind
  readonly rule: RuleId
}

const number: SenderUse = { field: 'from', kind: 'number', rule: 'sender-number-registered' }
const key: SenderUse = { field: 'senderKey', kind: 'kakao-key', rule: 'kakao-key-registered' }
const template: SenderUse = {
  field: 'templateCode',
  kind: 'kakao-template',
  rule: 'kakao-template-registered',
}

/** The first use of each channel is its main sender. */
export const senderUses: Readonly<Record<ChannelName, readonly [SenderUse, ...SenderUse[]]>> = {
  sms: [number],
  mms: [number],
  international: [{ field: 'from', kind: 'international', rule: 'international-sender-registered' }],
  rcs: [
    { field: 'from', kind: 'chatbot', rule: 'rcs-chatbot-registered' },
    { field: 'brandKey', kind: 'brand', rule: 'rcs-brand-registered' },
  ],
  alimtalk: [key, template],
  friendtalk: [key],
  brandmessage: [key, template],
}

export function getStepSender(step: Step, field: SenderUse['field']): string | undefined {
  const fields = ('content' in step ? step.content : step) as { readonly [name in typeof field]?: string }
  return fields[field]
}
