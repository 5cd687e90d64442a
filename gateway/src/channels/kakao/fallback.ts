/**
 * The text message that a simple Kakao send falls back to. It becomes a step of its own, SMS or MMS; nothing is
 * promoted from SMS to MMS silently, because the two are billed differently.
 */
import { Type, type Static } from 'typebox'
import { invalidField } from '../../platform/problem.ts'
import { numberField, originCidField } from '../fields.ts'
import { bytesOf, limitBytes } from '../mms/bytes.ts'
import { mmsLimits } from '../mms/limits.ts'
import { checkFileKeys } from '../mms/mms.ts'
import { isSender } from '../numbers.ts'
import { fallbackLimits } from './limits.ts'
import { pick } from './submission.ts'

export const Fallback = Type.Object(
  {
    type: Type.Enum(['SMS', 'MMS'], { description: 'Kind of text message' }),
    from: numberField('Sender number, digits only'),
    text: Type.String({
      minLength: 1,
      description: `Content: at most ${mmsLimits.textBytes} bytes, as SMS ${fallbackLimits.smsTextBytes}`,
    }),
    title: Type.Optional(
      Type.String({ description: `Title, at most ${mmsLimits.titleBytes} bytes; shown by MMS only` }),
    ),
    fileKey: Type.Optional(
      Type.Array(Type.String({ minLength: 1, description: 'Key of an uploaded image' }), {
        description: `Keys of uploaded images, at most ${mmsLimits.files}; MMS only`,
      }),
    ),
    originCID: originCidField,
  },
  { additionalProperties: false, description: 'Text message sent when this one fails' },
)

export type Fallback = Static<typeof Fallback>

export const fallbackField = Type.Optional(Fallback)

export const fallbackCodes: Readonly<Record<string, string>> = {
  'fallback.type': 'A312',
  'fallback.from': 'A302',
  'fallback.text': 'A314',
  'fallback.fileKey': 'A317',
}

/** `at` ends with a dot, as in 'fallback.'. */
export function checkFallback(fallback: Fallback, at: string): void {
  if (!isSender(fallback.from)) {
    throw invalidField('A302', `${at}from`, 'digits of a sender number are wanted')
  }
  checkFallbackText(fallback, `${at}text`)
  if (fallback.title !== undefined) {
    limitBytes(fallback.title, `${at}title`, { most: mmsLimits.titleBytes, tooLong: 'A300', wrong: 'A300' })
  }
  checkFileKeys(fallback.fileKey, 'A317', `${at}fileKey`)
  if (fallback.type === 'SMS' && fallback.fileKey !== undefined && fallback.fileKey.length > 0) {
    throw invalidField('A312', `${at}type`, 'SMS carries no files: MMS is wanted with fileKey')
  }
}

function checkFallbackText(fallback: Fallback, path: string): void {
  if (fallback.text === '') throw invalidField('A314', path, 'it is empty')
  limitBytes(fallback.text, path, { most: mmsLimits.textBytes, tooLong: 'A329', wrong: 'A314' })
  const bytes = bytesOf(fallback.text, 'A314', path)
  if (fallback.type === 'SMS' && bytes > fallbackLimits.smsTextBytes) {
    const reason = `at most ${fallbackLimits.smsTextBytes} bytes as SMS, found ${bytes} (set type to MMS)`
    throw invalidField('A329', path, reason)
  }
}

type SmsContent = Pick<Fallback, 'from' | 'text' | 'originCID'>
type MmsContent = Pick<Fallback, 'from' | 'text' | 'title' | 'fileKey' | 'originCID'>

export type FallbackStep =
  | { readonly channel: 'sms'; readonly content: SmsContent }
  | { readonly channel: 'mms'; readonly content: MmsContent }

export function fallbackChannel(fallback: Fallback): 'sms' | 'mms' {
  return fallback.type === 'SMS' ? 'sms' : 'mms'
}

/** The content that the SMS or MMS channel takes as the next step of the flow. */
export function toFallbackStep(fallback: Fallback): FallbackStep {
  const channel = fallbackChannel(fallback)
  return channel === 'sms'
    ? { channel, content: pick(fallback, ['from', 'text', 'originCID']) }
    : { channel, content: pick(fallback, ['from', 'text', 'title', 'fileKey', 'originCID']) }
}
