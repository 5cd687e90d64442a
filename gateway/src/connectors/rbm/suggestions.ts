/**
 * Buttons of the carriers' standard as suggestions of RBM. A button that RBM does not have refuses the message: without
 * it the recipient could not do what the message asks for. Pure.
 */
import type { CardButtons } from '../../channels/rcs/schema.ts'
import { fieldsOf, isObject, textOf, type Fields } from '../json.ts'
import { toE164 } from '../phone-number.ts'
import { checkMax, UnsupportedContent } from './unsupported.ts'

const maxLabel = 25
const maxPostback = 2_048
const maxUrl = 2_048
const maxEventTitle = 100
const maxEventDescription = 500

type StandardSuggestion = NonNullable<CardButtons['suggestions']>[number]

export function toSuggestions({ suggestions = [] }: CardButtons, countryCode: string): Fields[] {
  return suggestions.map((suggestion) => toSuggestion(suggestion, countryCode))
}

/** A button that opens an address. */
export function openUrl(label: string, url: string): Fields {
  const action = { openUrlAction: { url: checkMax(url, maxUrl, 'the address of a button') } }
  return {
    action: { text: checkMax(label, maxLabel, 'the label of a button'), postbackData: 'open_url', ...action },
  }
}

function toSuggestion({ action, reply }: StandardSuggestion, countryCode: string): Fields {
  const given = action ?? reply
  if (given === undefined) throw new UnsupportedContent('button', 'a button is neither an action nor a reply')
  const { displayText, postback, ...rest } = given
  const label = {
    text: checkMax(displayText, maxLabel, 'the label of a button'),
    // RBM requires one; the carriers do not.
    postbackData: checkMax(postback?.data ?? displayText, maxPostback, 'the postback of a button'),
  }
  if (action === undefined) return { reply: label }
  const [kind = ''] = Object.keys(rest)
  const convert = Object.hasOwn(actions, kind) ? actions[kind] : undefined
  if (convert === undefined) throw noSuch(kind)
  return { action: { ...label, ...convert(fieldsOf((rest as Fields)[kind]), countryCode) } }
}

function noSuch(kind: string): UnsupportedContent {
  return new UnsupportedContent('button', `RBM has no button of the kind ${kind.slice(0, 32)}`)
}

/** By the name in the carriers' standard. composeAction and clipboardAction have no counterpart. */
const actions: Readonly<Record<string, (action: Fields, countryCode: string) => Fields>> = {
  urlAction: ({ openUrl: open }) => ({ openUrlAction: { url: urlOf(open) } }),
  localBrowserAction({ openUrl: open }) {
    const { postParameter } = fieldsOf(open)
    if (isObject(postParameter) && Object.keys(postParameter).length > 0)
      throw new UnsupportedContent('button', 'a button of RBM cannot post parameters')
    return { openUrlAction: { url: urlOf(open) } }
  },
  dialerAction({ dialPhoneNumber }, countryCode) {
    const number = toE164(textOf(fieldsOf(dialPhoneNumber)['phoneNumber']), countryCode)
    if (number === null)
      throw new UnsupportedContent('phone-number', 'the number of a button has no international form')
    return { dialAction: { phoneNumber: number } }
  },
  calendarAction({ createCalendarEvent }) {
    const { startTime, endTime, title, description } = fieldsOf(createCalendarEvent)
    return {
      createCalendarEventAction: {
        startTime: textOf(startTime),
        endTime: textOf(endTime),
        title: checkMax(textOf(title), maxEventTitle, 'the title of an event'),
        description: checkMax(textOf(description), maxEventDescription, 'the description of an event'),
      },
    }
  },
  mapAction(action) {
    if (isObject(action['requestLocationPush'])) return { shareLocationAction: {} }
    if (!isObject(action['showLocation'])) throw noSuch('mapAction')
    const { location, fallbackUrl } = action['showLocation']
    const { latitude, longitude, label, query } = fieldsOf(location)
    const place =
      query === undefined
        ? {
            latLong: { latitude: Number(latitude), longitude: Number(longitude) },
            ...(label === undefined ? {} : { label: textOf(label) }),
          }
        : { query: textOf(query) }
    const fallback =
      fallbackUrl === undefined ? {} : { fallbackUrl: checkMax(textOf(fallbackUrl), maxUrl, 'fallbackUrl') }
    return { viewLocationAction: place, ...fallback }
  },
}

function urlOf(open: unknown): string {
  return checkMax(textOf(fieldsOf(open)['url']), maxUrl, 'the address of a button')
}
