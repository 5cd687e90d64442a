/**
 * Brand message: one of the eight bubbles, by default marked as an advertisement. With sendType free the content
 * is complete; with basic it refers to a registered template, which supplies the missing parts.
 */
import { invalidField } from '../../contract/problem.ts'
import type { FieldCodes } from '../../contract/result-codes.ts'
import type { FileReference } from '../channel.ts'
import { bubbleImages } from '../kakao/bubble.ts'
import { checkBubble } from '../kakao/check-bubble.ts'
import { limitText, requireText, requireValue } from '../kakao/check.ts'
import { bubbleCodes } from '../kakao/codes.ts'
import type { ImageReference } from '../kakao/image.ts'
import { profileLimits, type BubbleType } from '../kakao/limits.ts'
import { pick, toBubbleSubmission, type BubbleSubmission } from '../kakao/submission.ts'
import type { Issues } from '../issues.ts'
import { brandLimits } from './limits.ts'
import type { Content } from './schema.ts'
import { variableImages, variableNames, getTemplateVariables, type TemplateVariables } from './variables.ts'

export { FlowEntry, SimpleBody, type Content } from './schema.ts'

export const fieldCodes: FieldCodes = {
  ...bubbleCodes,
  sendType: 'A571',
  targeting: 'A570',
  templateCode: 'A505',
}

export function checkContent(content: Content, at: string, issues: Issues): void {
  const isFree = content.sendType === 'free'
  if (isFree) rejectVariables(content, at, issues)
  else checkTemplate(content, at, issues)
  checkBubble(content, at, isFree, issues)
  for (const { key, path } of variableImages(content)) requireValue(key, 'A513', `${at}${path}`, issues)
  checkUnsubscribe(content, at, issues)
  const bytes = Buffer.byteLength(JSON.stringify(content))
  if (bytes > brandLimits.contentBytes) {
    const reason = `must be at most ${brandLimits.contentBytes} bytes of JSON in all, found ${bytes}`
    issues.add(invalidField('A300', at === '' ? 'body' : at.replace(/\.$/, ''), reason))
  }
}

function checkTemplate(content: Content, at: string, issues: Issues): void {
  requireValue(content.targeting, 'A570', `${at}targeting`, issues, 'must be M, N or I with sendType basic')
  requireText(content.templateCode, profileLimits.templateCode, 'A505', `${at}templateCode`, issues)
  if (content.adult !== undefined) {
    issues.add(
      invalidField(
        'A569',
        `${at}adult`,
        'is allowed only with sendType free: with basic, the template defines it',
      ),
    )
  }
}

function rejectVariables(content: Content, at: string, issues: Issues): void {
  for (const name of variableNames) {
    if (content[name] === undefined) continue
    issues.add(
      invalidField('A300', `${at}${name}`, 'is allowed only with sendType basic: free has no template'),
    )
  }
}

function checkUnsubscribe(content: Content, at: string, issues: Issues): void {
  const { unsubscribePhoneNumber: number, unsubscribeAuthNumber: code } = content
  limitText(number, brandLimits.unsubscribePhoneNumber, 'A300', `${at}unsubscribePhoneNumber`, issues)
  if (number !== undefined && !/^\d[\d-]*\d$/.test(number)) {
    const reason = 'must be digits and hyphens'
    issues.add(invalidField('A300', `${at}unsubscribePhoneNumber`, reason))
  }
  limitText(code, brandLimits.unsubscribeAuthNumber, 'A300', `${at}unsubscribeAuthNumber`, issues)
}

export function getMsgType(content: Content): BubbleType {
  return content.msgType
}

export function getText(content: Content): string {
  return content.text ?? ''
}

const imageKinds: Readonly<Partial<Record<BubbleType, readonly string[]>>> = {
  FI: ['default'],
  FW: ['wide'],
  // A template variable does not say which item its image belongs to, so the sizes of both kinds are allowed.
  FL: ['wideItemList', 'wideItemList/first'],
  FC: ['carouselFeed'],
  FM: ['default'],
  FA: ['carouselCommerce'],
}

export function getFileReferences(content: Content): readonly FileReference[] {
  const { msgType } = content
  const items = bubbleImages(content).map(({ key, path, first }) => {
    const kinds = msgType === 'FL' ? [first ? 'wideItemList/first' : 'wideItemList'] : imageKinds[msgType]
    return toReference({ key, path }, kinds)
  })
  return [...items, ...variableImages(content).map((image) => toReference(image, imageKinds[msgType]))]
}

function toReference({ key, path }: ImageReference, kinds: readonly string[] | undefined): FileReference {
  return { key, path, use: 'BRANDMESSAGE', ...(kinds === undefined ? {} : { kinds }) }
}

export interface SubmissionContent extends BubbleSubmission {
  readonly sendType: 'basic' | 'free'
  readonly targeting?: 'M' | 'N' | 'I'
  readonly templateCode?: string
  readonly variables?: TemplateVariables
  readonly originCid?: string
  readonly unsubscribePhoneNumber?: string
  readonly unsubscribeAuthNumber?: string
}

export function toSubmission(content: Content): SubmissionContent {
  const variables = getTemplateVariables(content)
  return {
    ...toBubbleSubmission(content),
    sendType: content.sendType,
    ...pick(content, ['targeting', 'templateCode', 'unsubscribePhoneNumber', 'unsubscribeAuthNumber']),
    ...(variables === undefined ? {} : { variables }),
    ...(content.originCID === undefined ? {} : { originCid: content.originCID }),
  }
}
