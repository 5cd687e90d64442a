/**
 * Checks the cards of the simple style, standalone and carousel, against the row of their format. No check
 * depends on a formatId: every difference between formats is in the row.
 */
import { invalidField } from '../../contract/problem.ts'
import { quote } from '../../contract/quote.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Issues } from '../issues.ts'
import { checkRcsButtons } from './buttons.ts'
import type { Format } from './formats.ts'
import type { RcsCard, Standalone, SubContent } from './schema.ts'
import { checkLength, isLanding, isMedia, countCharacters, uploadAdvice } from './values.ts'

/** `path` has no dot at its end, as in all checks of this file. */
export function checkStandalone(card: Standalone, format: Format, path: string, issues: Issues): void {
  checkCard(card, format, path, issues)
  if (format.text > 0) checkLength(card.text, format.text, 'A328', `${path}.text`, issues)
  checkSubContents(card.subContent ?? [], format, `${path}.subContent`, issues)
}

export function checkRcsCarousel(
  cards: readonly RcsCard[],
  format: Format,
  path: string,
  issues: Issues,
): void {
  if (cards.length !== format.cards) {
    issues.add(
      invalidField('A417', path, `must have ${format.cards} cards with ${format.id}, found ${cards.length}`),
    )
  }
  let total = 0
  for (const [index, card] of cards.entries()) {
    if (issues.isSettled()) return
    const at = `${path}[${index}]`
    checkCard(card, format, at, issues)
    total += countCharacters(card.text ?? '')
    if (total > format.text) {
      const reason = `all cards together must be at most ${format.text} characters, found ${total} up to this one`
      issues.add(invalidField('A328', `${at}.text`, reason))
    }
  }
}

function checkCard(card: RcsCard, format: Format, path: string, issues: Issues): void {
  const { text = '', title = '', media = '', mediaUrl } = card
  const rejectAny = (value: string | undefined, reason: string, name: string) => {
    if (value !== undefined && value !== '') issues.add(invalidField('A415', `${path}.${name}`, reason))
  }
  if (text === '' && title === '' && media === '') issues.add(invalidField('A415', path, 'the card is empty'))
  else if (format.image !== null && media === '')
    issues.add(invalidField('A415', `${path}.media`, `${format.id} shows an image; ${uploadAdvice}`))
  if (format.title === 0) rejectAny(title, `${format.id} has no title`, 'title')
  else checkLength(title, format.title, 'A415', `${path}.title`, issues)
  if (format.text === 0) rejectAny(text, `${format.id} has no text`, 'text')
  if (format.image === null) {
    rejectAny(media, `${format.id} has no image, SMwThT00 and SMwThM00 have one`, 'media')
    rejectAny(mediaUrl, `${format.id} has no image`, 'mediaUrl')
  } else {
    if (media !== '') checkMedia(media, 'A415', `${path}.media`, issues)
    checkLanding(mediaUrl, 'A415', `${path}.mediaUrl`, issues)
  }
  checkRcsButtons(card.button ?? [], format, `${path}.button`, issues)
}

function checkMedia(value: string, code: ResultCode, path: string, issues: Issues): void {
  if (isMedia(value)) return
  issues.add(invalidField(code, path, `must be the media or the fileKey of an upload, found ${quote(value)}`))
}

function checkLanding(value: string | undefined, code: ResultCode, path: string, issues: Issues): void {
  if (value === undefined || value === '' || isLanding(value)) return
  issues.add(invalidField(code, path, `must be an absolute address or a single \\, found ${quote(value)}`))
}

export interface SubContentLimits {
  readonly subContents: number
  /** Maximum characters of each text; absent if the format has no limit. */
  readonly subText?: number
}

export function checkSubContents(
  subContents: readonly SubContent[],
  limits: SubContentLimits,
  path: string,
  issues: Issues,
): void {
  if (subContents.length > limits.subContents) {
    const allowed = limits.subContents === 0 ? 'no items' : `at most ${limits.subContents} items`
    issues.add(
      invalidField('A424', path, `must have ${allowed} with this format, found ${subContents.length}`),
    )
  }
  for (const [index, { subTitle, subDesc, subMedia, subMediaUrl }] of subContents.entries()) {
    if (issues.isSettled()) return
    const at = `${path}[${index}]`
    if ([subTitle, subDesc, subMedia].every((value) => value === undefined || value === '')) {
      issues.add(invalidField('A424', at, 'the sub-info is empty'))
    }
    if (limits.subText !== undefined) {
      checkLength(subTitle, limits.subText, 'A424', `${at}.subTitle`, issues)
      checkLength(subDesc, limits.subText, 'A424', `${at}.subDesc`, issues)
    }
    if (subMedia !== undefined && subMedia !== '') checkMedia(subMedia, 'A424', `${at}.subMedia`, issues)
    checkLanding(subMediaUrl, 'A424', `${at}.subMediaUrl`, issues)
  }
}
