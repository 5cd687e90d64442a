/**
 * Checks the expert style, in which body and buttons have the carriers' own form. The known limits of the
 * format are enforced; unknown keys are passed on, so that new carrier formats need no new release.
 */
import { invalidField } from '../../contract/problem.ts'
import { quote } from '../../contract/quote.ts'
import type { Issues } from '../issues.ts'
import { checkLabel, type RcsButtonLimits } from './buttons.ts'
import type { Format } from './formats.ts'
import { loosestFormat } from './limits.ts'
import type { RcsBody, CardButtons } from './schema.ts'
import { checkLength, countCharacters, mediaIn, uploadAdvice } from './values.ts'

/** Matches a body key that belongs to a card, with the card's number if it has one. */
const cardKey = /^(title|description|media|mediaUrl)([1-9]\d*)?$/
/** Matches a body key that belongs to a sub-info, with its number. */
const subKey = /^sub(?:Title|Desc|Media|MediaUrl)([1-9]\d*)$/

/** `format` is null for an issued template ID, whose limits depend on its kind if that is known. */
export function checkBody(body: RcsBody, format: Format | null, path: string, issues: Issues): void {
  const limits = format ?? loosestFormat
  let total = 0
  for (const [key, value] of Object.entries(body)) {
    if (issues.isSettled()) return
    const at = `${path}.${key}`
    if (typeof value !== 'string') {
      // Keys whose length is limited must be strings; other keys may be objects.
      if (cardKey.test(key)) issues.add(invalidField('A425', at, 'must be a string, found an object'))
      continue
    }
    if (/^(media|subMedia)\d*$/.test(key) && value !== '' && mediaIn(value) === null) {
      const reason = `must be the media or the fileKey of an upload, found ${quote(value)}`
      issues.add(invalidField('A425', at, reason))
    }
    const sub = subKey.exec(key)?.[1]
    if (format !== null && sub !== undefined && value !== '' && Number(sub) > format.subContents) {
      const reason = `${format.id} has ${format.subContents} sub-infos, found a field of number ${sub}`
      issues.add(invalidField('A425', at, reason))
      continue
    }
    const [, name, card] = cardKey.exec(key) ?? []
    if (name === undefined) continue
    if (format !== null && card !== undefined && Number(card) > format.cards) {
      const reason = `${format.id} has ${format.cards} cards, found a field of card ${card}`
      issues.add(invalidField('A417', at, reason))
      continue
    }
    if (format !== null && value !== '' && lacksField(format, name)) {
      issues.add(invalidField('A425', at, `${format.id} has no ${name}`))
      continue
    }
    if (name === 'title') checkLength(value, limits.title, 'A425', at, issues)
    if (name === 'description') {
      total += countCharacters(value)
      if (total > limits.text) {
        issues.add(
          invalidField(
            'A328',
            at,
            `all cards together must be at most ${limits.text} characters, found ${total}`,
          ),
        )
      }
    }
  }
  if (format !== null && format.image !== null) checkImages(body, format, path, issues)
}

function checkImages(body: RcsBody, { id, cards }: Format, path: string, issues: Issues): void {
  for (let card = 1; card <= cards; card++) {
    if (body[`media${card}`] || (cards === 1 && body['media'])) continue
    const key = cards === 1 ? 'media' : `media${card}`
    issues.add(invalidField('A425', `${path}.${key}`, `${id} shows an image; ${uploadAdvice}`))
  }
}

function lacksField(format: Format, name: string): boolean {
  switch (name) {
    case 'title':
      return format.title === 0
    case 'description':
      return format.text === 0
    default:
      return format.image === null
  }
}

export interface RcsCardLimits extends RcsButtonLimits {
  readonly cards: number
}

const actions = [
  'urlAction',
  'localBrowserAction',
  'dialerAction',
  'mapAction',
  'calendarAction',
  'composeAction',
  'clipboardAction',
]

export function checkCardButtons(
  buttons: readonly CardButtons[],
  limits: RcsCardLimits,
  path: string,
  issues: Issues,
): void {
  if (buttons.length > limits.cards) {
    const reason = `must have at most one element for each of ${limits.cards} cards, found ${buttons.length}`
    issues.add(invalidField('A406', path, reason))
  }
  for (const [card, { suggestions = [] }] of buttons.entries()) {
    if (issues.isSettled()) return
    const at = `${path}[${card}].suggestions`
    if (suggestions.length > limits.buttonsPerCard) {
      issues.add(
        invalidField(
          'A406',
          at,
          `must have at most ${limits.buttonsPerCard} items, found ${suggestions.length}`,
        ),
      )
    }
    for (const [index, suggestion] of suggestions.entries()) {
      if (issues.isSettled()) return
      checkSuggestion(suggestion, limits, `${at}[${index}]`, issues)
    }
  }
}

type Suggestion = NonNullable<CardButtons['suggestions']>[number]

function checkSuggestion(
  { action, reply }: Suggestion,
  limits: RcsCardLimits,
  path: string,
  issues: Issues,
): void {
  if ((action === undefined) === (reply === undefined)) {
    issues.add(invalidField('A406', path, 'must have exactly one of action and reply'))
  }
  if (reply !== undefined) checkLabel(reply.displayText, limits, 'A427', `${path}.reply.displayText`, issues)
  if (action === undefined) return
  checkLabel(action.displayText, limits, 'A427', `${path}.action.displayText`, issues)
  const actionKinds = Object.keys(action).filter((key) => actions.includes(key))
  if (actionKinds.length !== 1) {
    const reason = `must have exactly one of ${actions.join(', ')}, found ${actionKinds.join(', ') || 'none'}`
    issues.add(invalidField('A426', `${path}.action`, reason))
    return
  }
  const { urlAction } = action as { urlAction?: { openUrl?: { url?: unknown } } | null }
  if (actionKinds[0] !== 'urlAction') return
  const url = urlAction?.openUrl?.url
  if (typeof url !== 'string' || url === '') {
    issues.add(invalidField('A406', `${path}.action.urlAction.openUrl.url`, 'must be the address to open'))
  }
}
