/**
 * Converts an RCS message to an AgentMessage: a text, a standalone card or a carousel, with suggestions. A message with content
 * that RBM does not support is refused as a whole.
 */
import { findFormat } from '../../../channels/rcs/formats.ts'
import type { SubmissionContent } from '../../../channels/rcs/submission.ts'
import { isEmptyCard, readBody, type RbmCard } from './body.ts'
import type { JsonFields } from '../http/json.ts'
import { findLayout, type Height } from './layouts.ts'
import type { RbmOptions } from './options.ts'
import { openUrl, toSuggestions } from './suggestions.ts'
import { checkMax, UnsupportedContent } from './unsupported.ts'

const maxText = 3_072
const maxTitle = 200
const maxDescription = 2_000
const maxCardSuggestions = 4

export type RbmMessageOptions = Pick<
  RbmOptions,
  | 'countryCode'
  | 'trafficType'
  | 'advertisementTrafficType'
  | 'advertisementPrefix'
  | 'optOutPrefix'
  | 'mediaUrlLabel'
>

/** Returns the name of an uploaded file at Google by its key. */
export type FileNames = (key: string) => string

/** Throws UnsupportedContent. */
export function toAgentMessage(
  options: RbmMessageOptions,
  content: SubmissionContent,
  expireTime: Date,
  fileName: FileNames,
): JsonFields {
  const traffic = content.header === '1' ? options.advertisementTrafficType : options.trafficType
  return {
    contentMessage: toContentMessage(options, content, fileName),
    ...(traffic === 'none' ? {} : { messageTrafficType: traffic }),
    expireTime: expireTime.toISOString(),
  }
}

function toContentMessage(
  options: RbmMessageOptions,
  content: SubmissionContent,
  fileName: FileNames,
): JsonFields {
  const { messagebaseId, body, buttons } = content
  const layout = findLayout(messagebaseId)
  if (layout === undefined)
    throw new UnsupportedContent(
      'template',
      'RBM does not support templates; their text is stored at the Korean carriers',
    )
  const { cards, subCards } = readBody(body, findFormat(messagebaseId)?.cards ?? 1)
  if (cards.some(isEmptyCard)) throw new UnsupportedContent('empty-card', 'a card has no text and no image')
  const allCards = markAdvertisement(options, content, [...cards, ...subCards])
  const suggestions = allCards.map((card, index) => [
    ...toSuggestions(buttons[index] ?? {}, options.countryCode),
    ...landing(options, card),
  ])
  const write = (height: Height) => (card: RbmCard, index: number) =>
    toCardContent(card, height, suggestions[index]!, fileName)
  if (layout.kind === 'text') return toText(allCards[0]!, suggestions[0]!)
  if (layout.kind === 'carousel') return carousel(layout.width, allCards.map(write(layout.height)))
  // A card of RBM has one image: if any sub-info has an image, every sub-info becomes a card; otherwise all become lines of the
  // text.
  if (allCards.some(({ media }, index) => index > 0 && media !== ''))
    return carousel('MEDIUM', allCards.map(write('MEDIUM')))
  const cardContent = write(layout.height)(joinCards(allCards), 0)
  return { richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent } } }
}

function toText({ description }: RbmCard, suggestions: readonly JsonFields[]): JsonFields {
  const text = checkMax(description, maxText, 'the text')
  return { text, ...(suggestions.length === 0 ? {} : { suggestions }) }
}

function carousel(cardWidth: 'SMALL' | 'MEDIUM', cardContents: readonly JsonFields[]): JsonFields {
  return { richCard: { carouselCard: { cardWidth, cardContents } } }
}

function toCardContent(
  { title, description, media }: RbmCard,
  height: Height,
  suggestions: readonly JsonFields[],
  fileName: FileNames,
): JsonFields {
  if (suggestions.length > maxCardSuggestions)
    throw new UnsupportedContent(
      'buttons',
      `at most ${maxCardSuggestions} buttons are allowed on an RBM card, got ${suggestions.length}`,
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

/** Adds the advertisement mark before the first text and the opt-out number after the last. */
function markAdvertisement(
  { advertisementPrefix, optOutPrefix }: RbmMessageOptions,
  { header, footer }: SubmissionContent,
  cards: readonly RbmCard[],
): readonly RbmCard[] {
  if (header !== '1') return cards
  const markedCards = [...cards]
  const first = markedCards[0]!
  markedCards[0] =
    first.title === ''
      ? { ...first, description: (advertisementPrefix + first.description).trimEnd() }
      : { ...first, title: advertisementPrefix + first.title }
  if (footer === undefined) return markedCards
  const last = markedCards.at(-1)!
  markedCards[markedCards.length - 1] = {
    ...last,
    description: lines([last.description, optOutPrefix + footer]),
  }
  return markedCards
}

function landing({ mediaUrlLabel }: RbmMessageOptions, card: RbmCard): JsonFields[] {
  return card.landing === '' || mediaUrlLabel === '' ? [] : [openUrl(mediaUrlLabel, card.landing)]
}

function joinCards([first, ...subCards]: readonly RbmCard[]): RbmCard {
  const description = lines([
    first!.description,
    ...subCards.flatMap((card) => [card.title, card.description]),
  ])
  return { ...first!, description }
}

function lines(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n')
}
