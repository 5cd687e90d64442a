/** Checks suggested replies and actions, and says why they are refused. Pure. */
import { isObject, objectOf, textOf } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'

const MAX_LABEL = 25
const MAX_POSTBACK = 2048
const MAX_URL = 2048
const MAX_TITLE = 100

function isTime(value: unknown): boolean {
  return !Number.isNaN(Date.parse(textOf(value)))
}

function isPlace({ latLong, query }: Fields): boolean {
  if (latLong === undefined) return textOf(query) !== ''
  const { latitude, longitude } = objectOf(latLong)
  return typeof latitude === 'number' && typeof longitude === 'number'
}

/** What each action must have. */
const actions: Readonly<Record<string, (action: Fields) => boolean>> = {
  dialAction: ({ phoneNumber }) => /^\+[1-9]\d{5,14}$/.test(textOf(phoneNumber)),
  viewLocationAction: isPlace,
  createCalendarEventAction: ({ startTime, endTime, title }) =>
    isTime(startTime) && isTime(endTime) && textOf(title) !== '' && textOf(title).length <= MAX_TITLE,
  openUrlAction: ({ url }) => /^https?:\/\/\S+$/.test(textOf(url)) && textOf(url).length <= MAX_URL,
  shareLocationAction: () => true,
}

function suggestionRefusal(suggestion: unknown): string | undefined {
  const { reply, action } = objectOf(suggestion)
  if ((reply === undefined) === (action === undefined)) {
    return 'exactly one of reply and action is required in a suggestion'
  }
  const { text, postbackData, ...rest } = objectOf(reply ?? action)
  const label = textOf(text).length
  if (label === 0 || label > MAX_LABEL)
    return `the text of a suggestion must have 1 to ${MAX_LABEL} characters`
  if (textOf(postbackData).length > MAX_POSTBACK)
    return `postbackData must have at most ${MAX_POSTBACK} characters`
  if (reply !== undefined) return undefined
  const kinds = Object.keys(actions).filter((name) => isObject(rest[name]))
  if (kinds.length !== 1) return 'exactly one kind of action is required'
  const [kind] = kinds
  return actions[kind!]!(objectOf(rest[kind!])) ? undefined : `${kind} is not valid`
}

export function suggestionsRefusal(suggestions: unknown, max: number): string | undefined {
  if (suggestions === undefined) return undefined
  if (!Array.isArray(suggestions) || suggestions.length > max) return `at most ${max} suggestions are allowed`
  for (const suggestion of suggestions as unknown[]) {
    const refusal = suggestionRefusal(suggestion)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
