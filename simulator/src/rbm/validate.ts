/** Checks an AgentMessage and returns the reason for a refusal, if any. Lengths are in UTF-16 units. */
import { isObject, toObject, toText } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import { cardRefusal } from './cards.ts'
import { fileRefusal } from './media.ts'
import type { MessageLimits } from './media.ts'
import { suggestionsRefusal } from './suggestions.ts'

export const MAX_MESSAGE_BYTES = 250 * 1024
const MAX_TEXT = 3072
const MAX_SUGGESTIONS = 11
const MAX_TTL_SECONDS = 15 * 86_400

const trafficTypes: readonly unknown[] = [
  undefined,
  'MESSAGE_TRAFFIC_TYPE_UNSPECIFIED',
  'AUTHENTICATION',
  'TRANSACTION',
  'PROMOTION',
  'SERVICEREQUEST',
  'ACKNOWLEDGEMENT',
]

function lifetimeRefusal({ ttl, expireTime }: Fields, nowMs: number): string | undefined {
  if (ttl !== undefined && expireTime !== undefined) return 'only one of ttl and expireTime is allowed'
  if (ttl !== undefined) {
    const seconds = Number(/^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(toText(ttl))?.[1])
    return seconds > 0 && seconds <= MAX_TTL_SECONDS
      ? undefined
      : 'ttl must be more than 0s and at most 15 days'
  }
  if (expireTime === undefined) return undefined
  const at = Date.parse(toText(expireTime))
  return at > nowMs && at <= nowMs + MAX_TTL_SECONDS * 1000
    ? undefined
    : 'expireTime must be in the next 15 days'
}

export function messageRefusal(message: Fields, limits: MessageLimits, nowMs: number): string | undefined {
  const { contentMessage, messageTrafficType } = message
  if (!isObject(contentMessage)) return 'contentMessage is required'
  if (!trafficTypes.includes(messageTrafficType)) return 'unknown messageTrafficType'
  const { text, richCard, contentInfo, uploadedRbmFile, suggestions } = contentMessage
  const contents = [text, richCard, contentInfo, uploadedRbmFile].filter((content) => content !== undefined)
  if (contents.length !== 1)
    return 'exactly one of text, richCard, contentInfo and uploadedRbmFile is required'
  return (
    lifetimeRefusal(message, nowMs) ??
    suggestionsRefusal(suggestions, MAX_SUGGESTIONS) ??
    contentRefusal(contentMessage, limits)
  )
}

function contentRefusal(content: Fields, limits: MessageLimits): string | undefined {
  const { text, richCard, contentInfo, uploadedRbmFile } = content
  if (text !== undefined) {
    const length = toText(text).length
    return length > 0 && length <= MAX_TEXT ? undefined : `text must have 1 to ${MAX_TEXT} characters`
  }
  if (richCard !== undefined) return cardRefusal(toObject(richCard), limits)
  return fileRefusal(contentInfo, uploadedRbmFile, limits)
}
