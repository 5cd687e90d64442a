/** The text message that a simple Kakao send falls back to; it becomes a second step, SMS or MMS. */
import { Type, type Static } from 'typebox'
import { invalidField } from '../../contract/problem.ts'
import type { FieldCodes } from '../../contract/result-codes.ts'
import { checkSender, numberField, originCidField } from '../fields.ts'
import { mmsLimits } from '../mms/limits.ts'
import { checkFileKeys, titleLimit } from '../mms/mms.ts'
import type { Issues } from '../issues.ts'
import { maxTextBytes as maxSmsBytes } from '../sms/sms.ts'
import { fallbackChannel } from '../text-fallback.ts'
import { limitBytes } from '../text/bytes.ts'
import { ttlField } from '../ttl.ts'
import { pick } from './submission.ts'

export const KakaoFallback = Type.Object(
  {
    type: Type.Enum(['SMS', 'MMS'], { description: 'Kind of text message' }),
    from: numberField('Sender number, digits only'),
    text: Type.String({
      minLength: 1,
      description: `Content, at most ${mmsLimits.textBytes} bytes; an SMS of more than ${maxSmsBytes} is sent as LMS`,
    }),
    title: Type.Optional(
      Type.String({ description: `Title, at most ${mmsLimits.titleBytes} bytes; shown by MMS only` }),
    ),
    fileKey: Type.Optional(
      Type.Array(Type.String({ minLength: 1, description: 'Key of an uploaded image' }), {
        description: `Keys of uploaded images, at most ${mmsLimits.files}; an SMS with images is sent as MMS`,
      }),
    ),
    originCID: originCidField,
    ttl: ttlField,
  },
  { additionalProperties: false, description: 'Text message sent when this one fails' },
)

export type KakaoFallback = Static<typeof KakaoFallback>

export const fallbackField = Type.Optional(KakaoFallback)

export const fallbackCodes: FieldCodes = {
  'fallback.type': 'A312',
  'fallback.from': 'A302',
  'fallback.text': 'A314',
  'fallback.fileKey': 'A317',
}

/** `at` ends with a dot, as in 'fallback.'. */
export function checkKakaoFallback(fallback: KakaoFallback, at: string, issues: Issues): void {
  checkSender(fallback.from, at, issues)
  checkFallbackText(fallback, `${at}text`, issues)
  if (fallback.title !== undefined) limitBytes(fallback.title, `${at}title`, titleLimit, issues)
  checkFileKeys(fallback.fileKey, 'A317', `${at}fileKey`, issues)
}

function checkFallbackText({ text }: KakaoFallback, path: string, issues: Issues): void {
  if (text === '') issues.add(invalidField('A314', path, 'must not be empty'))
  limitBytes(text, path, { max: mmsLimits.textBytes, tooLong: 'A329', wrong: 'A314' }, issues)
}

type SmsContent = Pick<KakaoFallback, 'from' | 'text' | 'originCID'>
type MmsContent = Pick<KakaoFallback, 'from' | 'text' | 'title' | 'fileKey' | 'originCID'>

export type FallbackStep =
  | { readonly channel: 'sms'; readonly content: SmsContent }
  | { readonly channel: 'mms'; readonly content: MmsContent }

/** Returns the content that the SMS or MMS channel accepts as a step. */
export function toFallbackStep(fallback: KakaoFallback): FallbackStep {
  const channel = fallbackChannel(fallback)
  return channel === 'sms'
    ? { channel, content: pick(fallback, ['from', 'text', 'originCID']) }
    : { channel, content: pick(fallback, ['from', 'text', 'title', 'fileKey', 'originCID']) }
}
