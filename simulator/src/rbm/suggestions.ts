/** Checks suggested replies and actions and returns the reason for a refusal, if any. */
import { isObject, toObject, toText } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'

const MAX_LABEL = 25
const MAX_POSTBACK = 2048
const MAX_URL = 2048
const MAX_TITLE = 100

function isTime(value: unknown): boolean {
  return !Number.isNaN(Date.parse(toText(value)))
}

function isPlace({ latLong, query }: Fields): boolean {
  if (latLong === undefined) return toText(query) !== ''
  const { latitude, longitude } = toObject(latLong)
  return typeof latitude === 'number' && typeof longitude === 'number'
}

/** Required content of each action. */
const actions: Readonly<Record<string, (action: Fields) => boolean>> = {
  dialAction: ({ phoneNumber }) => /^\+[1-9]\d{5,14}$/.test(toText(phoneNumber)),
  viewLocationAction: isPlace,
  createCalendarEventAction: ({ startTime, endTime, title }) =>
    isTime(startTime) && isTime(endTime) && toText(title) !== '' && toText(title).length <= MAX_TITLE,
  openUrlAction: ({ url }) => /^https?:\/\/\S+$/.test(toText(url)) && toText(url).length <= MAX_URL,
  shareLocationAction: () => true,
}

function suggestionRefusal(suggestion: unknown): string | undefined {
  const { reply, action } = toObject(suggestion)
  if ((reply === undefined) === (action === undefined)) {
    return 'exactly one of reply and action is required in a suggestion'
  }
  const { text, postbackData, ...rest } = toObject(reply ?? action)
  const label = toText(text).length
  if (label === 0 || label > MAX_LABEL) return `suggestion text must have 1 to ${MAX_LABEL} characters`
  if (toText(postbackData).length > MAX_POSTBACK)
    return `postbackData must have at most ${MAX_POSTBACK} characters`
  if (reply !== undefined) return undefined
  const kinds = Object.keys(actions).filter((name) => isObject(rest[name]))
  if (kinds.length !== 1) return 'exactly one kind of action is required'
  const [kind] = kinds
  return actions[kind!]!(toObject(rest[kind!])) ? undefined : `invalid ${kind}`
}

export function suggestionsRefusal(suggestions: unknown, max: number): string | undefined {
  if (suggestions === undefined) return undefined
  if (!Array.isArray(suggestions) || suggestions.length > max) return `at most ${max} suggestions allowed`
  for (const suggestion of suggestions as unknown[]) {
    const refusal = suggestionRefusal(suggestion)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
