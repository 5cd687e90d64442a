import type { Step } from '../../../../src/channels/channel.ts'
import type { RuleId } from '../../../../src/trust/rules.ts'
import type { SenderKind } from '../../../../src/trust/senders/sender.ts'

/** Registration that a rule requires. */
export interface UsedSender {
  readonly rule: RuleId
  readonly kinds: readonly SenderKind[]
  readonly value: string
}

/** Step with known properties, so that the reference model does not parse texts. */
export interface KnownStep {
  readonly step: Step
  /** Whether the text is an advertisement for any account. */
  readonly isAd: boolean
  readonly senders: readonly UsedSender[]
  /** Violated form rules of advertisements. Rules about name and number depend on registrations. */
  readonly broken: readonly RuleId[]
  /** Advertiser name after the mark. */
  readonly name: string | null
  readonly optOut: string | null
  readonly host: string | null
}

export const shop = '0234567890'
export const other = '15881234'
export const optOut = '0801234567'

interface Text {
  readonly text: string
  readonly isAd?: true
  readonly broken?: readonly RuleId[]
  readonly name?: string
  readonly optOut?: string
  readonly host?: string
}

/** For advertisers all texts are advertisements, so those without the mark violate the mark rule as well. */
const texts: readonly Text[] = [
  { text: 'hello', broken: ['advertisement-mark', 'advertisement-opt-out'] },
  { text: 'see https://shop.kr/a', host: 'shop.kr', broken: ['advertisement-mark', 'advertisement-opt-out'] },
  { text: 'bit[.]ly/x', host: 'bit.ly', broken: ['advertisement-mark', 'advertisement-opt-out'] },
  { text: '(광고)Shop sale\n무료거부 080-123-4567', isAd: true, name: 'Shop', optOut },
  { text: '(광고)Mall sale\n무료거부 080-999-9999', isAd: true, name: 'Mall', optOut: '0809999999' },
  { text: '(광고)Shop sale', isAd: true, name: 'Shop', broken: ['advertisement-opt-out'] },
  { text: '[광고]Shop\n무료거부 080-123-4567', isAd: true, optOut, broken: ['advertisement-mark'] },
  { text: '★(광고)Shop\n무료거부 080-123-4567', isAd: true, optOut, broken: ['advertisement-mark'] },
]

const number = (value: string): UsedSender => ({ rule: 'sender-number-registered', kinds: ['number'], value })
const abroad = (value: string): UsedSender => ({
  rule: 'international-sender-registered',
  kinds: ['number', 'international'],
  value,
})

function textStep(channel: 'sms' | 'mms' | 'international', from: string, given: Text): KnownStep {
  const { text, isAd = false, broken = [], name = null, optOut: number080 = null, host = null } = given
  return {
    step: channel === 'mms' ? { channel, content: { from, text } } : { channel, from, text },
    isAd,
    name,
    optOut: number080,
    host,
    broken,
    senders: [channel === 'international' ? abroad(from) : number(from)],
  }
}

const plain = { isAd: false, broken: [], name: null, optOut: null, host: null } as const
const chatbot: UsedSender = { rule: 'rcs-chatbot-registered', kinds: ['chatbot', 'number'], value: other }
const brand: UsedSender = { rule: 'rcs-brand-registered', kinds: ['brand'], value: 'b' }
const key: UsedSender = { rule: 'kakao-key-registered', kinds: ['kakao-key'], value: '@a' }
const template: UsedSender = { rule: 'kakao-template-registered', kinds: ['kakao-template'], value: 't' }

const rich: readonly KnownStep[] = [
  {
    ...plain,
    step: { channel: 'rcs', content: { from: other, brandKey: 'b', content: { standalone: { text: 'x' } } } },
    senders: [chatbot, brand],
  },
  {
    ...plain,
    isAd: true,
    optOut,
    step: { channel: 'rcs', content: { from: other, header: '1', footer: '080-123-4567' } },
    senders: [chatbot],
  },
  {
    ...plain,
    isAd: true,
    broken: ['rcs-advertisement-header'],
    step: { channel: 'rcs', content: { from: other, content: { standalone: { text: '(광 고)x' } } } },
    senders: [chatbot],
  },
  {
    ...plain,
    isAd: true,
    broken: ['kakao-advertisement-flag'],
    step: { channel: 'brandmessage', content: { senderKey: '@a', adFlag: 'N', text: '[광고] sale' } },
    senders: [key],
  },
  {
    ...plain,
    step: { channel: 'alimtalk', content: { senderKey: '@a', templateCode: 't', text: 'your order' } },
    senders: [key, template],
  },
  {
    ...plain,
    isAd: true,
    broken: ['alimtalk-not-advertisement'],
    step: { channel: 'alimtalk', content: { senderKey: '@a', text: '[광고] sale' } },
    senders: [key],
  },
  { ...plain, isAd: true, step: { channel: 'friendtalk', content: { senderKey: '@a' } }, senders: [key] },
  { ...plain, step: { channel: 'brandmessage', content: { senderKey: '@a', adFlag: 'N' } }, senders: [key] },
  {
    ...plain,
    isAd: true,
    step: { channel: 'brandmessage', content: { senderKey: '@a', templateCode: 't' } },
    senders: [key, template],
  },
]

export const domesticSteps: readonly KnownStep[] = [
  ...texts.map((text) => textStep('sms', shop, text)),
  ...texts.map((text) => textStep('mms', shop, text)),
  textStep('sms', other, texts[0]!),
  textStep('sms', other, texts[3]!),
  ...rich,
]
export const abroadSteps: readonly KnownStep[] = texts.map((text) => textStep('international', shop, text))

/** All values that can be registered. */
export const registrable: readonly (readonly [kind: SenderKind, value: string])[] = [
  ['number', shop],
  ['number', other],
  ['international', shop],
  ['chatbot', other],
  ['brand', 'b'],
  ['kakao-key', '@a'],
  ['kakao-template', 't'],
]

export interface KnownRecipient {
  readonly to: string
  /** `null` for domestic numbers and numbers without country. */
  readonly country: string | null
  readonly isPremium?: true
}

export const domesticRecipients: readonly KnownRecipient[] = [
  { to: '01012345678', country: null },
  { to: '01087654321', country: null },
]
export const foreignRecipients: readonly KnownRecipient[] = [
  { to: '+12025550123', country: 'US' },
  { to: '+33612345678', country: 'FR' },
  { to: '+84912345678', country: 'VN' },
  { to: '+4915112345678', country: 'DE' },
  { to: '+97912345678', country: null, isPremium: true },
]
