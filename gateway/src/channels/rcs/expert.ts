/**
 * Checks of the expert style, where body and buttons are the carriers' own. What is known of the format is
 * enforced; keys that this file does not know are passed on, so that a new format of the carriers needs no
 * release of ours.
 */
import { invalidField } from '../../platform/problem.ts'
import { checkLabel, type ButtonLimits } from './buttons.ts'
import type { Format } from './formats.ts'
import type { Body, CardButtons } from './schema.ts'
import { checkLength, lengthOf, mediaIn, mediaScheme } from './values.ts'

/** A key of the body that belongs to a card, with the card's number where it has one. */
const cardKey = /^(title|description|media|mediaUrl)([1-9]\d*)?$/

/** `format` is null for an issued template ID, whose limits are those of its kind. */
export function checkBody(body: Body, format: Format | null, path: string): void {
  let total = 0
  for (const [key, value] of Object.entries(body)) {
    if (typeof value !== 'string') continue
    const at = `${path}.${key}`
    if (/^(media|subMedia)\d*$/.test(key) && value !== '' && mediaIn(value) === null) {
      throw invalidField('A425', at, `${mediaScheme}… as the upload answered is wanted, found '${value}'`)
    }
    const [, name, card] = cardKey.exec(key) ?? []
    if (format === null || name === undefined) continue
    if (card !== undefined && Number(card) > format.cards) {
      throw invalidField('A417', at, `${format.id} has ${format.cards} cards, found a field of card ${card}`)
    }
    if (name === 'title' && format.title > 0) checkLength(value, format.title, 'A425', at)
    if (name === 'description' && format.text > 0) {
      total += lengthOf(value)
      if (total > format.text) {
        throw invalidField('A328', at, `at most ${format.text} characters over all cards, found ${total}`)
      }
    }
  }
}

export interface CardLimits extends ButtonLimits {
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

export function checkCardButtons(buttons: readonly CardButtons[], limits: CardLimits, path: string): void {
  if (buttons.length > limits.cards) {
    throw invalidField('A406', path, `one element for each of ${limits.cards} cards, found ${buttons.length}`)
  }
  for (const [card, { suggestions = [] }] of buttons.entries()) {
    const at = `${path}[${card}].suggestions`
    if (suggestions.length > limits.buttonsPerCard) {
      throw invalidField('A406', at, `at most ${limits.buttonsPerCard}, found ${suggestions.length}`)
    }
    for (const [index, suggestion] of suggestions.entries()) {
      checkSuggestion(suggestion, limits, `${at}[${index}]`)
    }
  }
}

type Suggestion = NonNullable<CardButtons['suggestions']>[number]

function checkSuggestion({ action, reply }: Suggestion, limits: CardLimits, path: string): void {
  if ((action === undefined) === (reply === undefined)) {
    throw invalidField('A406', path, 'exactly one of action and reply is wanted')
  }
  if (reply !== undefined) checkLabel(reply.displayText, limits, 'A427', `${path}.reply.displayText`)
  if (action === undefined) return
  checkLabel(action.displayText, limits, 'A427', `${path}.action.displayText`)
  const given = Object.keys(action).filter((key) => actions.includes(key))
  if (given.length !== 1) {
    const reason = `exactly one of ${actions.join(', ')} is wanted, found ${given.join(', ') || 'none'}`
    throw invalidField('A426', `${path}.action`, reason)
  }
  const { urlAction } = action as { urlAction?: { openUrl?: { url?: unknown } } | null }
  if (given[0] !== 'urlAction') return
  const url = urlAction?.openUrl?.url
  if (typeof url !== 'string' || url === '') {
    throw invalidField('A406', `${path}.action.urlAction.openUrl.url`, 'the address to open is wanted')
  }
}
