/** Checks standalone cards and carousels and returns the reason for a refusal, if any. */
import { isObject, toObject, toText } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import { suggestionsRefusal } from './suggestions.ts'
import { fileRefusal } from './media.ts'
import type { MessageLimits } from './media.ts'

const MAX_TITLE = 200
const MAX_DESCRIPTION = 2000
const heights: readonly unknown[] = ['SHORT', 'MEDIUM', 'TALL']

export function cardRefusal(richCard: Fields, limits: MessageLimits): string | undefined {
  const { standaloneCard, carouselCard } = richCard
  if ((standaloneCard === undefined) === (carouselCard === undefined)) {
    return 'exactly one of standaloneCard and carouselCard is required'
  }
  return standaloneCard === undefined
    ? carouselRefusal(toObject(carouselCard), limits)
    : standaloneRefusal(toObject(standaloneCard), limits)
}

function standaloneRefusal(card: Fields, limits: MessageLimits): string | undefined {
  const { cardOrientation, thumbnailImageAlignment, cardContent } = card
  if (cardOrientation !== 'VERTICAL' && cardOrientation !== 'HORIZONTAL') {
    return 'cardOrientation must be VERTICAL or HORIZONTAL'
  }
  const isAligned = thumbnailImageAlignment === 'LEFT' || thumbnailImageAlignment === 'RIGHT'
  const media = toObject(cardContent)['media']
  if (cardOrientation === 'HORIZONTAL' && media !== undefined && !isAligned) {
    return 'thumbnailImageAlignment must be LEFT or RIGHT'
  }
  return contentRefusal(toObject(cardContent), limits, cardOrientation === 'VERTICAL' ? heights : undefined)
}

function carouselRefusal(carousel: Fields, limits: MessageLimits): string | undefined {
  const { cardWidth, cardContents } = carousel
  if (cardWidth !== 'SMALL' && cardWidth !== 'MEDIUM') return 'cardWidth must be SMALL or MEDIUM'
  if (!Array.isArray(cardContents) || cardContents.length < 2 || cardContents.length > 10) {
    return 'a carousel must have 2 to 10 cards'
  }
  const allowed = cardWidth === 'SMALL' ? heights.slice(0, 2) : heights
  for (const content of cardContents as unknown[]) {
    const refusal = contentRefusal(toObject(content), limits, allowed)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Does not check the media height if `allowedHeights` is undefined, as for horizontal cards. */
function contentRefusal(
  content: Fields,
  limits: MessageLimits,
  allowedHeights: readonly unknown[] | undefined,
): string | undefined {
  const { title, description, media, suggestions } = content
  if (title === undefined && description === undefined && media === undefined) {
    return 'a card must have a title, a description or media'
  }
  if (toText(title).length > MAX_TITLE) return `title must have at most ${MAX_TITLE} characters`
  if (toText(description).length > MAX_DESCRIPTION) {
    return `description must have at most ${MAX_DESCRIPTION} characters`
  }
  const refusal = suggestionsRefusal(suggestions, limits.maxCardSuggestions)
  if (refusal !== undefined || media === undefined) return refusal
  if (!isObject(media)) return 'media must be an object'
  if (allowedHeights !== undefined && !allowedHeights.includes(media['height'])) {
    return `the height of media must be one of ${allowedHeights.join(', ')}`
  }
  return fileRefusal(media['contentInfo'], media['uploadedRbmFile'], limits)
}
