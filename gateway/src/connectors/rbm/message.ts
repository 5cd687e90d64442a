/**
 * The AgentMessage that an RCS message becomes: a text, a standalone card or a carousel, with suggestions. What RBM cannot
 * show is refused as a whole. Pure; used for submissions and for `postern route try`.
 */
import { formatOf } from '../../channels/rcs/formats.ts'
import type { SubmissionContent } from '../../channels/rcs/submission.ts'
import { isEmpty, readBody, type Card } from './body.ts'
import type { Fields } from '../json.ts'
import { layoutOf, type Height } from './layouts.ts'
import type { RbmOptions } from './options.ts'
import { openUrl, toSuggestions } from './suggestions.ts'
import { checkMax, UnsupportedContent } from './unsupported.ts'

const maxText = 3_072
const maxTitle = 200
const maxDescription = 2_000
const maxCardSuggestions = 4

export type MessageOptions = Pick<
  RbmOptions,
  | 'countryCode'
  | 'trafficType'
  | 'advertisementTrafficType'
  | 'advertisementPrefix'
  | 'optOutPrefix'
  | 'mediaUrlLabel'
>

/** Name of an uploaded file at Google, by its key. */
export type FileNames = (key: string) => string

/** Throws UnsupportedContent. */
export function toAgentMessage(
  options: MessageOptions,
  content: SubmissionContent,
  expireTime: Date,
  fileName: FileNames,
): Fields {
  const traffic = content.header === '1' ? options.advertisementTrafficType : options.trafficType
  return {
    contentMessage: toContentMessage(options, content, fileName),
    ...(traffic === 'none' ? {} : { messageTrafficType: traffic }),
    expireTime: expireTime.toISOString(),
  }
}

function toContentMessage(options: MessageOptions, content: SubmissionContent, fileName: FileNames): Fields {
  const { messagebaseId, body, buttons } = content
  const layout = layoutOf(messagebaseId)
  if (layout === undefined)
    throw new UnsupportedContent('template', 'RBM has no templates: their text lies with the Korean carriers')
  const { cards, subCards } = readBody(body, formatOf(messagebaseId)?.cards ?? 1)
  if (cards.some(isEmpty)) throw new UnsupportedContent('empty-card', 'a card has no text and no image')
  const marked = markAdvertisement(options, content, [...cards, ...subCards])
  const suggestions = marked.map((card, index) => [
    ...toSuggestions(buttons[index] ?? {}, options.countryCode),
    ...landing(options, card),
  ])
  const write = (height: Height) => (card: Card, index: number) =>
    toCardContent(card, height, suggestions[index]!, fileName)
  if (layout.kind === 'text') return toText(marked[0]!, suggestions[0]!)
  if (layout.kind === 'carousel') return carousel(layout.width, marked.map(write(layout.height)))
  // A card of RBM has one image: sub-infos with images become cards of their own, others lines of the text.
  if (marked.some(({ media }, index) => index > 0 && media !== ''))
    return carousel('MEDIUM', marked.map(write('MEDIUM')))
  const [cardContent] = [joined(marked)].map(write(layout.height))
  return { richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent } } }
}

function toText({ description }: Card, suggestions: readonly Fields[]): Fields {
  const text = checkMax(description, maxText, 'the text')
  return { text, ...(suggestions.length === 0 ? {} : { suggestions }) }
}

function carousel(cardWidth: 'SMALL' | 'MEDIUM', cardContents: readonly Fields[]): Fields {
  return { richCard: { carouselCard: { cardWidth, cardContents } } }
}

function toCardContent(
  { title, description, media }: Card,
  height: Height,
  suggestions: readonly Fields[],
  fileName: FileNames,
): Fields {
  if (suggestions.length > maxCardSuggestions)
    throw new UnsupportedContent(
      'buttons',
      `a card has ${suggestions.length} buttons; RBM allows ${maxCardSuggestions}`,
    )
  return {
    ...(title === '' ? {} : { title: checkMax(title, maxTitle, 'a title') }),
    ...(description === ''
      ? {}
      : { description: checkMax(description, maxDescription, 'the text of a card') }),
    ...(media === '' ? {} : { media: { height, uploadedRbmFile: { fileName: fileName(media) } } }),
    ...(suggestions.length === 0 ? {} : { suggestions }),
  }
}

/** The mark before the first text, the opt-out number after the last. */
function markAdvertisement(
  { advertisementPrefix, optOutPrefix }: MessageOptions,
  { header, footer }: SubmissionContent,
  cards: readonly Card[],
): readonly Card[] {
  if (header !== '1') return cards
  const marked = [...cards]
  const first = marked[0]!
  marked[0] =
    first.title === ''
      ? { ...first, description: (advertisementPrefix + first.description).trimEnd() }
      : { ...first, title: advertisementPrefix + first.title }
  if (footer === undefined) return marked
  const last = marked.at(-1)!
  marked[marked.length - 1] = { ...last, description: lines([last.description, optOutPrefix + footer]) }
  return marked
}

function landing({ mediaUrlLabel }: MessageOptions, card: Card): Fields[] {
  return card.landing === '' || mediaUrlLabel === '' ? [] : [openUrl(mediaUrlLabel, card.landing)]
}

function joined([first, ...subCards]: readonly Card[]): Card {
  const description = lines([
    first!.description,
    ...subCards.flatMap((card) => [card.title, card.description]),
  ])
  return { ...first!, description }
}

function lines(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n')
}
