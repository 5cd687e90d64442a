/** The senders that a step of each channel names, and the rule that requires each to be registered. */
import type { ChannelName, Step } from '../../channels/channel.ts'
import type { RuleId } from '../rules.ts'
import type { SenderKind } from './sender.ts'

export interface SenderUse {
  /** The field of the step that names the sender. */
  readonly field: 'from' | 'brandKey' | 'senderKey' | 'templateCode'
  /** An active registration of any of these kinds is sufficient. */
  readonly kinds: readonly SenderKind[]
  readonly rule: RuleId
}

const number: SenderUse = { field: 'from', kinds: ['number'], rule: 'sender-number-registered' }
const key: SenderUse = { field: 'senderKey', kinds: ['kakao-key'], rule: 'kakao-key-registered' }
const template: SenderUse = {
  field: 'templateCode',
  kinds: ['kakao-template'],
  rule: 'kakao-template-registered',
}

/** The first use of each channel is its main sender. */
export const senderUses: Readonly<Record<ChannelName, readonly [SenderUse, ...SenderUse[]]>> = {
  sms: [number],
  mms: [number],
  international: [
    { field: 'from', kinds: ['international', 'number'], rule: 'international-sender-registered' },
  ],
  rcs: [
    { field: 'from', kinds: ['chatbot'], rule: 'rcs-chatbot-registered' },
    { field: 'brandKey', kinds: ['brand'], rule: 'rcs-brand-registered' },
  ],
  alimtalk: [key, template],
  friendtalk: [key],
  brandmessage: [key, template],
}

export function getStepSender(step: Step, field: SenderUse['field']): string | undefined {
  const fields = ('content' in step ? step.content : step) as { readonly [name in typeof field]?: string }
  return fields[field]
}
