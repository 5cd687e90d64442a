/**
 * Checks of the simple style's cards, standalone and carousel, against their format's row. It must not know any
 * single formatId: all that differs between formats is in the row.
 */
import { invalidField } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Refuse } from '../refuse.ts'
import { checkButtons } from './buttons.ts'
import type { Format } from './formats.ts'
import type { Card, Standalone, SubContent } from './schema.ts'
import { checkLength, isLanding, isMedia, lengthOf, mediaScheme } from './values.ts'

/** `path` without a dot at its end, for all checks here. */
export function checkStandalone(card: Standalone, format: Format, path: string, refuse: Refuse): void {
  checkCard(card, format, path, refuse)
  if (format.text > 0) checkLength(card.text, format.text, 'A328', `${path}.text`, refuse)
  checkSubContents(card.subContent ?? [], format, `${path}.subContent`, refuse)
}

export function checkCarousel(cards: readonly Card[], format: Format, path: string, refuse: Refuse): void {
  if (cards.length !== format.cards) {
    refuse(invalidField('A417', path, `${format.id} has ${format.cards} cards, found ${cards.length}`))
  }
  let total = 0
  for (const [index, card] of cards.entries()) {
    const at = `${path}[${index}]`
    checkCard(card, format, at, refuse)
    total += lengthOf(card.text ?? '')
    if (total > format.text) {
      const reason = `at most ${format.text} characters over all cards, found ${total} up to this one`
      refuse(invalidField('A328', `${at}.text`, reason))
    }
  }
}

function checkCard(card: Card, format: Format, path: string, refuse: Refuse): void {
  const { text = '', title = '', media = '', mediaUrl } = card
  const refuseAny = (value: string | undefined, reason: string, name: string) => {
    if (value !== undefined && value !== '') refuse(invalidField('A415', `${path}.${name}`, reason))
  }
  if (text === '' && title === '' && media === '') refuse(invalidField('A415', path, 'the card is empty'))
  if (format.title === 0) refuseAny(title, `${format.id} has no title`, 'title')
  else checkLength(title, format.title, 'A415', `${path}.title`, refuse)
  if (format.text === 0) refuseAny(text, `${format.id} has no text`, 'text')
  if (format.image === null) {
    refuseAny(media, `${format.id} has no image, SMwThT00 and SMwThM00 have one`, 'media')
    refuseAny(mediaUrl, `${format.id} has no image`, 'mediaUrl')
  } else {
    if (media !== '') checkMedia(media, 'A415', `${path}.media`, refuse)
    checkLanding(mediaUrl, 'A415', `${path}.mediaUrl`, refuse)
  }
  checkButtons(card.button ?? [], format, `${path}.button`, refuse)
}

export function checkMedia(value: string, code: ResultCode, path: string, refuse: Refuse): void {
  if (isMedia(value)) return
  refuse(invalidField(code, path, `${mediaScheme}… as the upload answered is wanted, found '${value}'`))
}

function checkLanding(value: string | undefined, code: ResultCode, path: string, refuse: Refuse): void {
  if (value === undefined || value === '' || isLanding(value)) return
  refuse(invalidField(code, path, `an absolute address or a single \\ is wanted, found '${value}'`))
}

export interface SubContentLimits {
  readonly subContents: number
  /** Of each text, where the format gives a limit. */
  readonly subText?: number
}

export function checkSubContents(
  subContents: readonly SubContent[],
  limits: SubContentLimits,
  path: string,
  refuse: Refuse,
): void {
  if (subContents.length > limits.subContents) {
    const allowed = limits.subContents === 0 ? 'none' : `at most ${limits.subContents}`
    refuse(invalidField('A424', path, `${allowed} for this format, found ${subContents.length}`))
  }
  for (const [index, { subTitle, subDesc, subMedia, subMediaUrl }] of subContents.entries()) {
    const at = `${path}[${index}]`
    if ([subTitle, subDesc, subMedia].every((value) => value === undefined || value === '')) {
      refuse(invalidField('A424', at, 'the sub-info is empty'))
    }
    if (limits.subText !== undefined) {
      checkLength(subTitle, limits.subText, 'A424', `${at}.subTitle`, refuse)
      checkLength(subDesc, limits.subText, 'A424', `${at}.subDesc`, refuse)
    }
    if (subMedia !== undefined && subMedia !== '') checkMedia(subMedia, 'A424', `${at}.subMedia`, refuse)
    checkLanding(subMediaUrl, 'A424', `${at}.subMediaUrl`, refuse)
  }
}
