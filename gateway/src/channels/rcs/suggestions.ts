/**
 * Converts a button of the simple style into the corresponding suggestion of the carriers' standard. Checks
 * nothing: the button was checked when the message was accepted.
 */
import { normalizeText } from '../text/normalize.ts'
import type { RcsButton, CardButtons } from './schema.ts'

export type Suggestion = NonNullable<CardButtons['suggestions']>[number]

export function toSuggestion(button: RcsButton): Suggestion {
  const { suffix, ...action } = toAction(button)
  // The standard requires a postback for every action; the carriers' own tools use these names.
  const postback = { data: `set_by_chatbot_${suffix}` }
  return { action: { ...action, displayText: normalizeText(button.name), postback } }
}

/** Returns the action and the `suffix` of its postback data. */
function toAction(button: RcsButton): { readonly suffix: string; readonly [action: string]: unknown } {
  const { url, phoneNumber, startTime, endTime } = button
  const textOf = (field: 'query' | 'text' | 'title') => normalizeText(button[field] ?? '')
  const optional = (field: 'label' | 'description' | 'fallbackUrl') =>
    button[field] ? { [field]: normalizeText(button[field]) } : {}
  switch (button.type) {
    case 'URL':
      return { suffix: 'open_url', urlAction: { openUrl: { url } } }
    case 'MAP_LOC': {
      const location = {
        latitude: Number(button.latitude),
        longitude: Number(button.longitude),
        ...optional('label'),
      }
      return {
        suffix: 'show_location',
        mapAction: { showLocation: { location, ...optional('fallbackUrl') } },
      }
    }
    case 'MAP_QRY': {
      const location = { query: textOf('query') }
      return {
        suffix: 'show_location',
        mapAction: { showLocation: { location, ...optional('fallbackUrl') } },
      }
    }
    case 'MAP_SEND':
      return { suffix: 'request_location_push', mapAction: { requestLocationPush: {} } }
    case 'CALENDAR': {
      const createCalendarEvent = { startTime, endTime, title: textOf('title'), ...optional('description') }
      return { suffix: 'create_calendar_event', calendarAction: { createCalendarEvent } }
    }
    case 'COPY':
      return { suffix: 'copy_to_clipboard', clipboardAction: { copyToClipboard: { text: textOf('text') } } }
    case 'COM_T':
      return {
        suffix: 'compose_text_message',
        composeAction: { composeTextMessage: { phoneNumber, text: textOf('text') } },
      }
    case 'COM_V': {
      const composeRecordingMessage = { phoneNumber, type: 'VIDEO' }
      return { suffix: 'compose_recording_message', composeAction: { composeRecordingMessage } }
    }
    case 'DIAL':
      return { suffix: 'dial_phone_number', dialerAction: { dialPhoneNumber: { phoneNumber } } }
  }
}
