/**
 * Friendtalk: a free-form message to friends of the channel. The simple send accepts FT, FI and FW, a flow entry all
 * eight bubbles; their limits are in kakao/limits.ts.
 */
import { Type } from 'typebox'
import type { FileReference } from '../channel.ts'
import { recipientField, refField } from '../fields.ts'
import {
  bubbleFields,
  bubbleImages,
  bubbleTextField,
  imgUrlField,
  senderKeyField,
  type BubbleContent,
} from '../kakao/bubble.ts'
import { buttonsField } from '../kakao/buttons.ts'
import { checkBubble } from '../kakao/check-bubble.ts'
import { bubbleCodes } from '../kakao/codes.ts'
import { fallbackField } from '../kakao/fallback.ts'
import type { BubbleType } from '../kakao/limits.ts'
import type { Issues } from '../issues.ts'
import { toBubbleSubmission, type BubbleSubmission } from '../kakao/submission.ts'

export const SimpleBody = Type.Object(
  {
    senderKey: senderKeyField,
    msgType: Type.Enum(['FT', 'FI', 'FW'], { description: 'FT text, FI image, FW wide image' }),
    to: recipientField,
    text: bubbleTextField,
    imgUrl: imgUrlField,
    button: buttonsField('Buttons, at most 5; 2 with FW'),
    adFlag: bubbleFields.adFlag,
    fallback: fallbackField,
    ref: refField,
  },
  { additionalProperties: false },
)

export const FlowEntry = Type.Object(bubbleFields, { additionalProperties: false })

export type Content = BubbleContent

export const fieldCodes = bubbleCodes

export function checkContent(content: Content, at: string, issues: Issues): void {
  checkBubble(content, at, true, issues)
}

export function getMsgType(content: Content): BubbleType {
  return content.msgType
}

export function getText(content: Content): string {
  return content.text ?? ''
}

/** FM has no upload kind of its own; it shows a plain image. */
const imageKinds: Readonly<Partial<Record<BubbleType, readonly string[]>>> = {
  FI: ['FI'],
  FW: ['FW'],
  FL: ['FL'],
  FC: ['FC'],
  FM: ['FI'],
  FA: ['FA'],
}

export function getFileReferences(content: Content): readonly FileReference[] {
  const kinds = imageKinds[content.msgType]
  return bubbleImages(content).map(({ key, path }) => ({
    key,
    path,
    use: 'FRIENDTALK',
    ...(kinds === undefined ? {} : { kinds }),
  }))
}

export type SubmissionContent = BubbleSubmission

export function toSubmission(content: Content): SubmissionContent {
  return toBubbleSubmission(content)
}
