/**
 * Checks the content of a message against its format and returns the first code that refuses it. Lengths are
 * in UTF-16 units. Variables of brand templates are unknown and not checked.
 */
import { isObject, toObject, toText } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import { buttonsRefusal, chipsRefusal } from './buttons.ts'
import type { MaapCode } from './codes.ts'
import { formats } from './formats.ts'
import type { MaapFormat, MaapProduct } from './formats.ts'

export interface MaapContent {
  readonly messagebaseId: string
  readonly product: MaapProduct | undefined
  readonly header: string
  readonly footer: string
  readonly body: unknown
  readonly buttons: unknown
  readonly chipList: unknown
}

export interface ContentContext {
  readonly templateId: string | undefined
  readonly acceptsMedia: (media: string) => boolean
}

const MAX_BODY_BYTES = 10_240
const ADVERTISING_LABEL = '(광고)'
const templateProducts: readonly (MaapProduct | undefined)[] = ['tmplt', 'itmpl', undefined]

export function isChat({ messagebaseId, product }: MaapContent): boolean {
  return product === 'chat' || formats.get(messagebaseId)?.products[0] === 'chat'
}

export function contentRefusal(content: MaapContent, context: ContentContext): MaapCode | undefined {
  const { messagebaseId, product, body, buttons } = content
  if (!isObject(body)) return '55804'
  const json = JSON.stringify(body)
  if (Buffer.byteLength(json) > MAX_BODY_BYTES) return '55804'
  if (json.includes(ADVERTISING_LABEL)) return '55701'
  const format = formats.get(messagebaseId)
  if (format === undefined) {
    if (context.templateId !== undefined && messagebaseId !== context.templateId) return '55818'
    if (!/^[\w.-]{1,40}$/.test(messagebaseId)) return '55818'
    if (!templateProducts.includes(product)) return '55509'
    return buttons === undefined ? mediaRefusal(body, context) : '55812'
  }
  if (product !== undefined && !format.products.includes(product)) return '55509'
  const chat = isChat(content)
  return (
    cardsRefusal(body, format) ??
    mediaRefusal(body, context) ??
    (product === 'itmpl' && buttons !== undefined ? '55812' : buttonsRefusal(buttons, format, chat)) ??
    chipsRefusal(content.chipList, chat)
  )
}

/** Returns the texts of a field on all cards: `title`, or `title1` … `title6`. */
function cardTexts(body: Fields, name: string, cards: number): string[] {
  if (cards === 1) return [toText(body[name])]
  return Array.from({ length: cards }, (_, card) => toText(body[`${name}${card + 1}`]))
}

function cardsRefusal(body: Fields, format: MaapFormat): MaapCode | undefined {
  const { cards, maxTitle, maxDescription, needs } = format
  const beyond = cards === 1 ? 1 : cards + 1
  if (['title', 'description', 'media'].some((name) => `${name}${beyond}` in body)) return '55711'
  if (cardTexts(body, 'title', cards).some((title) => title.length > maxTitle)) return '55708'
  const length = cardTexts(body, 'description', cards).reduce((sum, text) => sum + text.length, 0)
  if (length > maxDescription) return '55709'
  if (cardTexts(body, needs, cards).every((text) => text !== '')) return undefined
  return cards > 1 ? '55711' : '55804'
}

/** Requires every media item on all cards to be registered. */
function mediaRefusal(body: Fields, { acceptsMedia }: ContentContext): MaapCode | undefined {
  const media = Object.entries(toObject(body)).filter(([name]) =>
    /^(?:media|subMedia|itemMedia|mTitleMedia)\d?$/.test(name),
  )
  return media.every(([, value]) => value === '' || acceptsMedia(toText(value))) ? undefined : '55815'
}
