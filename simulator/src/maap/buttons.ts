/** Checks buttons and chips, and says the first code that refuses them. Pure. */
import { isObject, objectOf, textOf } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { Code } from './codes.ts'
import type { Format } from './formats.ts'

const MAX_TEXT = 17
const MAX_POSTBACK = 2048
const MAX_CHIPS = 11

/** A text of 1 to `max` characters. */
function within(value: unknown, max: number): boolean {
  return typeof value === 'string' && value !== '' && value.length <= max
}

function isTime(value: unknown): boolean {
  return !Number.isNaN(Date.parse(textOf(value)))
}

function isPlace(value: unknown): boolean {
  const { latitude, longitude, query } = objectOf(value)
  if (query !== undefined) return within(query, 200)
  return [latitude, longitude].every(
    (degrees) => Math.abs(typeof degrees === 'number' ? degrees : Number.parseFloat(textOf(degrees))) <= 180,
  )
}

/** What each action must have. */
const actions: Readonly<Record<string, (action: Fields) => boolean>> = {
  urlAction: ({ openUrl }) => within(objectOf(openUrl)['url'], 2048),
  localBrowserAction: ({ openUrl }) => within(objectOf(openUrl)['url'], 2048),
  dialerAction: ({ dialPhoneNumber }) => within(objectOf(dialPhoneNumber)['phoneNumber'], 40),
  // One of the two, as code 42057 of the carriers' list says.
  composeAction: ({ composeTextMessage, composeRecordingMessage }) => {
    if (composeTextMessage === undefined) return within(objectOf(composeRecordingMessage)['phoneNumber'], 40)
    const { phoneNumber, text } = objectOf(composeTextMessage)
    return composeRecordingMessage === undefined && within(phoneNumber, 40) && within(text, 100)
  },
  clipboardAction: ({ copyToClipboard }) => within(objectOf(copyToClipboard)['text'], 200),
  calendarAction: ({ createCalendarEvent }) => {
    const { startTime, endTime, title, description } = objectOf(createCalendarEvent)
    return (
      isTime(startTime) && isTime(endTime) && within(title, MAX_TEXT) && textOf(description).length <= 500
    )
  },
  mapAction: ({ showLocation, requestLocationPush }) =>
    isObject(requestLocationPush) || isPlace(objectOf(showLocation)['location']),
}

function suggestionRefusal(suggestion: unknown, chat: boolean): Code | undefined {
  const { action, reply } = objectOf(suggestion)
  if ((action === undefined) === (reply === undefined)) return '55814'
  if (reply !== undefined && !chat) return '55825'
  const { displayText, postback, ...rest } = objectOf(action ?? reply)
  if (!within(displayText, Infinity)) return '55814'
  if (textOf(displayText).length > MAX_TEXT) return '55813'
  if (textOf(objectOf(postback)['data']).length > MAX_POSTBACK) return '55814'
  if (reply !== undefined) return undefined
  const [name, ...others] = Object.keys(rest)
  if (name === undefined || others.length > 0 || !Object.hasOwn(actions, name)) return '55814'
  return actions[name]!(objectOf(rest[name])) ? undefined : '55814'
}

/** One element for each card, in order; `{}` for a card without buttons. */
export function buttonsRefusal(buttons: unknown, format: Format, chat: boolean): Code | undefined {
  if (buttons === undefined) return undefined
  if (!Array.isArray(buttons)) return '55814'
  if (buttons.length > format.cards || (format.cards > 1 && buttons.length !== format.cards)) return '55880'
  for (const card of buttons as unknown[]) {
    if (!isObject(card)) return '55814'
    const { suggestions } = card
    if (suggestions === undefined && Object.keys(card).length === 0) continue
    if (!Array.isArray(suggestions)) return '55814'
    if (suggestions.length === 0) return '55816'
    if (suggestions.length > format.buttons) return '55710'
    const refusal = firstRefusal(suggestions, chat)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

export function chipsRefusal(chips: unknown, chat: boolean): Code | undefined {
  if (chips === undefined) return undefined
  if (!chat) return '55824'
  if (!Array.isArray(chips) || chips.length === 0) return '55823'
  return chips.length > MAX_CHIPS ? '55881' : firstRefusal(chips, true)
}

function firstRefusal(suggestions: readonly unknown[], chat: boolean): Code | undefined {
  for (const suggestion of suggestions) {
    const refusal = suggestionRefusal(suggestion, chat)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
