/**
 * A bubble as a connector receives it: one shape for both bodies, with defaults and normalized texts. The
 * names are the provider's in camel case. Never throws for checked content.
 */
import type { Static } from 'typebox'
import { normalizeText } from '../text/normalize.ts'
import { getButtons, getImage, type Attachment, type BubbleContent } from './bubble.ts'
import type { Carousel } from './carousel.ts'
import { withoutZeroDiscounts } from './commerce.ts'
import type { BubbleType } from './limits.ts'

export interface BubbleSubmission {
  readonly messageType: BubbleType
  readonly senderKey: string
  readonly message?: string
  readonly header?: string
  readonly additionalContent?: string
  readonly attachment?: Static<typeof Attachment>
  readonly carousel?: Carousel
  readonly adFlag: 'Y' | 'N'
  readonly adult: 'Y' | 'N'
  readonly pushAlarm: 'Y' | 'N'
  readonly groupTagKey?: string
}

export function toBubbleSubmission(candidate: BubbleContent): BubbleSubmission {
  const content = normalizeShownTexts(candidate)
  const attachment = toAttachment(content)
  return {
    messageType: content.msgType,
    senderKey: content.senderKey,
    ...(content.text === undefined ? {} : { message: content.text }),
    ...pick(content, ['header', 'additionalContent', 'groupTagKey']),
    ...(Object.keys(attachment).length === 0 ? {} : { attachment }),
    ...(content.carousel === undefined ? {} : { carousel: withoutZeroDiscountsOnCards(content.carousel) }),
    adFlag: getAdFlag(content),
    adult: content.adult ?? 'N',
    pushAlarm: content.pushAlarm ?? 'Y',
  }
}

function toAttachment(content: BubbleContent): Static<typeof Attachment> {
  const { attachment = {} } = content
  const button = getButtons(content)
  const image = getImage(content)
  return {
    ...(button === undefined || button.length === 0 ? {} : { button }),
    ...(image === undefined ? {} : { image }),
    ...pick(attachment, ['item', 'coupon', 'video']),
    ...(attachment.commerce === undefined ? {} : { commerce: withoutZeroDiscounts(attachment.commerce) }),
  }
}

function withoutZeroDiscountsOnCards(carousel: Carousel): Carousel {
  const list = carousel.list.map((card) => {
    const { commerce, ...attachment } = card.attachment
    return commerce === undefined
      ? card
      : { ...card, attachment: { ...attachment, commerce: withoutZeroDiscounts(commerce) } }
  })
  return { ...carousel, list }
}

/** Copies the keys that are present. */
export function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {}
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key]
  return picked as Pick<T, K>
}

/** Fields whose value the recipient reads and which are normalized. Normalizing a URL would change the address. */
const shownFields = new Set('text title header name description message content additionalContent'.split(' '))

/** Returns the content with every shown text normalized, as it was counted. */
export function normalizeShownTexts<T>(content: T): T {
  return normalizeShown(content, false) as T
}

function normalizeShown(value: unknown, shown: boolean): unknown {
  if (typeof value === 'string') return shown ? normalizeText(value) : value
  if (Array.isArray(value)) return value.map((item) => normalizeShown(item, false))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, normalizeShown(inner, shownFields.has(key))]),
  )
}

/** Returns `Y` if a friendtalk or a brand message is an advertisement, which is the default. */
export function getAdFlag({ adFlag = 'Y' }: { readonly adFlag?: 'Y' | 'N' }): 'Y' | 'N' {
  return adFlag
}
