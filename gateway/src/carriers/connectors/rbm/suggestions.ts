/**
 * Converts buttons of the carriers' standard to suggestions of RBM. A button that RBM does not support refuses the message, because
 * the recipient could not do what the message asks for.
 */
import type { CardButtons } from '../../../channels/rcs/schema.ts'
import { toFields, isObject, readString, type JsonFields } from '../http/json.ts'
import { toE164 } from '../phone-number.ts'
import { checkMax, UnsupportedContent } from './unsupported.ts'

const maxLabel = 25
const maxPostback = 2_048
const maxUrl = 2_048
const maxEventTitle = 100
const maxEventDescription = 500

type StandardSuggestion = NonNullable<CardButtons['suggestions']>[number]

export function toSuggestions({ suggestions = [] }: CardButtons, countryCode: string): JsonFields[] {
  return suggestions.map((suggestion) => toSuggestion(suggestion, countryCode))
}

/** Creates a button that opens a URL. */
export function openUrl(label: string, url: string): JsonFields {
  const action = { openUrlAction: { url: checkMax(url, maxUrl, 'the URL of a button') } }
  return {
    action: { text: checkMax(label, maxLabel, 'the label of a button'), postbackData: 'open_url', ...action },
  }
}

function toSuggestion({ action, reply }: StandardSuggestion, countryCode: string): JsonFields {
  const given = action ?? reply
  if (given === undefined) throw new UnsupportedContent('button', 'a button must be an action or a reply')
  const { displayText, postback, ...rest } = given
  const label = {
    text: checkMax(displayText, maxLabel, 'the label of a button'),
    // RBM requires postback data; the carriers do not.
    postbackData: checkMax(postback?.data ?? displayText, maxPostback, 'the postback of a button'),
  }
  if (action === undefined) return { reply: label }
  const [kind = ''] = Object.keys(rest)
  const convert = Object.hasOwn(actions, kind) ? actions[kind] : undefined
  if (convert === undefined) throw unsupportedButton(kind)
  return { action: { ...label, ...convert(toFields((rest as JsonFields)[kind]), countryCode) } }
}

function unsupportedButton(kind: string): UnsupportedContent {
  return new UnsupportedContent('button', `RBM does not support buttons of kind ${kind.slice(0, 32)}`)
}

/** Keys are the names in the carriers' standard. composeAction and clipboardAction have no counterpart. */
const actions: Readonly<Record<string, (action: JsonFields, countryCode: string) => JsonFields>> = {
  urlAction: ({ openUrl: open }) => ({ openUrlAction: { url: readUrl(open) } }),
  localBrowserAction({ openUrl: open }) {
    const { postParameter } = toFields(open)
    if (isObject(postParameter) && Object.keys(postParameter).length > 0)
      throw new UnsupportedContent('button', 'buttons of RBM cannot post parameters')
    return { openUrlAction: { url: readUrl(open) } }
  },
  dialerAction({ dialPhoneNumber }, countryCode) {
    const number = toE164(readString(toFields(dialPhoneNumber)['phoneNumber']), countryCode)
    if (number === null)
      throw new UnsupportedContent('phone-number', 'the number of a button has no international form')
    return { dialAction: { phoneNumber: number } }
  },
  calendarAction({ createCalendarEvent }) {
    const { startTime, endTime, title, description } = toFields(createCalendarEvent)
    return {
      createCalendarEventAction: {
        startTime: readString(startTime),
        endTime: readString(endTime),
        title: checkMax(readString(title), maxEventTitle, 'the title of an event'),
        description: checkMax(readString(description), maxEventDescription, 'the description of an event'),
      },
    }
  },
  mapAction(action) {
    if (isObject(action['requestLocationPush'])) return { shareLocationAction: {} }
    if (!isObject(action['showLocation'])) throw unsupportedButton('mapAction')
    const { location, fallbackUrl } = action['showLocation']
    const { latitude, longitude, label, query } = toFields(location)
    const target =
      query === undefined
        ? {
            latLong: { latitude: Number(latitude), longitude: Number(longitude) },
            ...(label === undefined ? {} : { label: readString(label) }),
          }
        : { query: readString(query) }
    const fallback =
      fallbackUrl === undefined
        ? {}
        : { fallbackUrl: checkMax(readString(fallbackUrl), maxUrl, 'fallbackUrl') }
    return { viewLocationAction: target, ...fallback }
  },
}

function readUrl(open: unknown): string {
  return checkMax(readString(toFields(open)['url']), maxUrl, 'the URL of a button')
}
