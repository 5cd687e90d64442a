/** The senders that a step uses, by channel, and the rule that each falls under. Pure; runs for every step. */
import type { ChannelName, Step } from '../../channels/channel.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { RuleId } from '../rules.ts'
import type { SenderKind } from './sender.ts'

/** How a channel names a sender. */
export interface SenderUse {
  /** The field of the step that names it. */
  readonly field: 'from' | 'brandKey' | 'senderKey' | 'templateCode'
  /** An active registration of any of these kinds permits it. */
  readonly kinds: readonly SenderKind[]
  readonly rule: RuleId
  /** What a client is answered without one. */
  readonly code: ResultCode
}

const number: SenderUse = {
  field: 'from',
  kinds: ['number'],
  rule: 'sender-number-registered',
  code: 'A327',
}
const internationalSender: SenderUse = {
  field: 'from',
  kinds: ['international', 'number'],
  rule: 'international-sender-registered',
  code: 'A327',
}
const chatbot: SenderUse = { field: 'from', kinds: ['chatbot'], rule: 'rcs-chatbot-registered', code: 'A327' }
const brand: SenderUse = { field: 'brandKey', kinds: ['brand'], rule: 'rcs-brand-registered', code: 'A327' }
const key: SenderUse = {
  field: 'senderKey',
  kinds: ['kakao-key'],
  rule: 'kakao-key-registered',
  code: 'A327',
}
const template: SenderUse = {
  field: 'templateCode',
  kinds: ['kakao-template'],
  rule: 'kakao-template-registered',
  code: 'A327',
}

const uses: Readonly<Record<ChannelName, readonly SenderUse[]>> = {
  sms: [number],
  mms: [number],
  international: [internationalSender],
  rcs: [chatbot, brand],
  alimtalk: [key, template],
  friendtalk: [key],
  brandmessage: [key, template],
}

export function sendersOf(step: Step): readonly SenderUse[] {
  return uses[step.channel]
}

/** Undefined where the step does not have the field. */
export function valueOf(step: Step, { field }: Pick<SenderUse, 'field'>): string | undefined {
  const fields = ('content' in step ? step.content : step) as { readonly [name in typeof field]?: string }
  return fields[field]
}
