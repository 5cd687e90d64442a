/** Checks buttons and chips and returns the first code that refuses them. */
import { isObject, toObject, toText } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import type { MaapCode } from './codes.ts'
import type { MaapFormat } from './formats.ts'

const MAX_TEXT = 17
const MAX_POSTBACK = 2048
const MAX_CHIPS = 11

/** Returns whether the value is a string of 1 to `max` characters. */
function isTextWithin(value: unknown, max: number): boolean {
  return typeof value === 'string' && value !== '' && value.length <= max
}

function isTime(value: unknown): boolean {
  return !Number.isNaN(Date.parse(toText(value)))
}

function isPlace(value: unknown): boolean {
  const { latitude, longitude, query } = toObject(value)
  if (query !== undefined) return isTextWithin(query, 200)
  return [latitude, longitude].every(
    (degrees) => Math.abs(typeof degrees === 'number' ? degrees : Number.parseFloat(toText(degrees))) <= 180,
  )
}

/** Required content of each action. */
const actions: Readonly<Record<string, (action: Fields) => boolean>> = {
  urlAction: ({ openUrl }) => isTextWithin(toObject(openUrl)['url'], 2048),
  localBrowserAction: ({ openUrl }) => isTextWithin(toObject(openUrl)['url'], 2048),
  dialerAction: ({ dialPhoneNumber }) => isTextWithin(toObject(dialPhoneNumber)['phoneNumber'], 40),
  // Exactly one of the two, according to code 42057 of the carriers.
  composeAction: ({ composeTextMessage, composeRecordingMessage }) => {
    if (composeTextMessage === undefined)
      return isTextWithin(toObject(composeRecordingMessage)['phoneNumber'], 40)
    const { phoneNumber, text } = toObject(composeTextMessage)
    return composeRecordingMessage === undefined && isTextWithin(phoneNumber, 40) && isTextWithin(text, 100)
  },
  clipboardAction: ({ copyToClipboard }) => isTextWithin(toObject(copyToClipboard)['text'], 200),
  calendarAction: ({ createCalendarEvent }) => {
    const { startTime, endTime, title, description } = toObject(createCalendarEvent)
    return (
      isTime(startTime) &&
      isTime(endTime) &&
      isTextWithin(title, MAX_TEXT) &&
      toText(description).length <= 500
    )
  },
  mapAction: ({ showLocation, requestLocationPush }) =>
    isObject(requestLocationPush) || isPlace(toObject(showLocation)['location']),
}

function suggestionRefusal(suggestion: unknown, chat: boolean): MaapCode | undefined {
  const { action, reply } = toObject(suggestion)
  if ((action === undefined) === (reply === undefined)) return '55814'
  if (reply !== undefined && !chat) return '55825'
  const { displayText, postback, ...rest } = toObject(action ?? reply)
  if (!isTextWithin(displayText, Infinity)) return '55814'
  if (toText(displayText).length > MAX_TEXT) return '55813'
  if (toText(toObject(postback)['data']).length > MAX_POSTBACK) return '55814'
  if (reply !== undefined) return undefined
  const [name, ...others] = Object.keys(rest)
  if (name === undefined || others.length > 0 || !Object.hasOwn(actions, name)) return '55814'
  return actions[name]!(toObject(rest[name])) ? undefined : '55814'
}

/** Expects one element per card, in order; `{}` for a card without buttons. */
export function buttonsRefusal(buttons: unknown, format: MaapFormat, chat: boolean): MaapCode | undefined {
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

export function chipsRefusal(chips: unknown, chat: boolean): MaapCode | undefined {
  if (chips === undefined) return undefined
  if (!chat) return '55824'
  if (!Array.isArray(chips) || chips.length === 0) return '55823'
  return chips.length > MAX_CHIPS ? '55881' : firstRefusal(chips, true)
}

function firstRefusal(suggestions: readonly unknown[], chat: boolean): MaapCode | undefined {
  for (const suggestion of suggestions) {
    const refusal = suggestionRefusal(suggestion, chat)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
