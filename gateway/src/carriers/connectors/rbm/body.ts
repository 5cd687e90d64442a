/**
 * Converts the carriers' standard body to cards, whichever style the client used: texts, image, URL of the image, and sub-infos. A
 * field that RBM cards do not support refuses the message.
 */
import type { RcsBody } from '../../../channels/rcs/schema.ts'
import { UnsupportedContent } from './unsupported.ts'

export interface RbmCard {
  readonly title: string
  readonly description: string
  /** Key of an uploaded file; empty without an image. */
  readonly media: string
  /** URL of the button that replaces a tap on the image; empty for none. */
  readonly landing: string
}

export interface CardTexts {
  readonly cards: readonly RbmCard[]
  readonly subCards: readonly RbmCard[]
}

const known = /^(?:(title|description|media|mediaUrl)(\d{0,2})|sub(Title|Desc|Media|MediaUrl)(\d{1,2}))$/

/** `count` is 1 for a standalone card, whose keys have no number. */
export function readBody(body: Readonly<RcsBody>, count: number): CardTexts {
  const texts = new Map<string, string>()
  let subCount = 0
  for (const [key, value] of Object.entries(body)) {
    if (value === '') continue
    const match = known.exec(key)
    const [, , number = '', sub, subNumber = '0'] = match ?? []
    const isOfCard = count === 1 ? number === '' : Number(number) >= 1 && Number(number) <= count
    if (typeof value !== 'string' || match === null || (sub === undefined && !isOfCard))
      throw new UnsupportedContent('body', `RBM does not support the body field ${key.slice(0, 32)}`)
    texts.set(key, value)
    subCount = Math.max(subCount, Number(subNumber))
  }
  const get = (key: string): string => texts.get(key) ?? ''
  const cards = Array.from({ length: count }, (_, index) => {
    const number = count === 1 ? '' : `${index + 1}`
    return toCard(
      get(`title${number}`),
      get(`description${number}`),
      get(`media${number}`),
      get(`mediaUrl${number}`),
    )
  })
  const subCards = Array.from({ length: subCount }, (_, index) => {
    const number = `${index + 1}`
    return toCard(
      get(`subTitle${number}`),
      get(`subDesc${number}`),
      get(`subMedia${number}`),
      get(`subMediaUrl${number}`),
    )
  })
  return { cards, subCards: subCards.filter((card) => !isEmptyCard(card)) }
}

export function isEmptyCard({ title, description, media }: RbmCard): boolean {
  return title === '' && description === '' && media === ''
}

/** A video is its URL, a comma and the thumbnail: the thumbnail is shown, and a button opens the URL. */
function toCard(title: string, description: string, media: string, mediaUrl: string): RbmCard {
  const comma = media.lastIndexOf(',')
  // Only an image can be tapped. With a single backslash, a tap shows it in full, as it always does in RBM.
  const landing = media === '' || mediaUrl === '\\' ? '' : mediaUrl
  if (comma === -1) return { title, description, media, landing }
  return { title, description, media: media.slice(comma + 1), landing: media.slice(0, comma) }
}
