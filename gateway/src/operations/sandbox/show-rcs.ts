/** Shows RCS messages like the phones of Korean carriers: one card or a carousel, with buttons per card. */
import type { SubmissionContent } from '../../channels/rcs/submission.ts'
import type { Suggestion } from '../../channels/rcs/suggestions.ts'
import { emptyBubble, emptyCard, nonEmpty } from './bubble.ts'
import type { Bubble, BubbleButton, BubbleCard, ImageLookup, BubbleItem } from './bubble.ts'

type Body = SubmissionContent['body']

/** Fields of a card; in a carousel they end with the number of the card. */
const cardField = /^(?:title|description|media|mediaUrl)([1-9]?)$/
const itemField = /^(?:subTitle|subDesc|subMedia|subMediaUrl)([1-9])$/

export function showRcs(content: SubmissionContent, imageOf: ImageLookup): Bubble {
  const { body, buttons, messagebaseId, footer } = content
  const numbers = findNumbers(body, cardField)
  const cards = (numbers.length === 0 ? [''] : numbers).map((number, index): BubbleCard => {
    const field = (name: string): string | undefined => textIn(body, name + number)
    return {
      ...emptyCard,
      images: imageOf(field('media'), field('mediaUrl')),
      title: nonEmpty(field('title')),
      text: nonEmpty(field('description')),
      ...(number === '' ? { items: toItems(body, imageOf), lines: toLines(body) } : {}),
      buttons: (buttons[index]?.suggestions ?? []).map(showSuggestion),
    }
  })
  return { ...emptyBubble, template: messagebaseId, cards, footer: toFooter(footer) }
}

/** Formats the opt-out number as the phone does. */
function toFooter(footer: string | undefined): string | null {
  return nonEmpty(footer) === null ? null : `무료수신거부 ${footer}`
}

function findNumbers(body: Body, form: RegExp): string[] {
  const numbers = Object.keys(body).flatMap((name) => form.exec(name)?.[1] ?? [])
  return [...new Set(numbers)].sort()
}

function textIn(body: Body, name: string): string | undefined {
  const value = body[name]
  return typeof value === 'string' ? value : undefined
}

function toItems(body: Body, imageOf: ImageLookup): BubbleItem[] {
  return findNumbers(body, itemField).map((number) => ({
    title: nonEmpty(textIn(body, `subTitle${number}`)),
    text: nonEmpty(textIn(body, `subDesc${number}`)),
    image: imageOf(textIn(body, `subMedia${number}`))[0] ?? null,
    opens: nonEmpty(textIn(body, `subMediaUrl${number}`)),
  }))
}

/** Returns the fields of a brand template, whose layout only the carrier knows. */
function toLines(body: Body): BubbleCard['lines'] {
  return Object.entries(body).flatMap(([label, value]) =>
    cardField.test(label) || itemField.test(label) || typeof value !== 'string'
      ? []
      : [{ label, value, strong: false }],
  )
}

type Fields = Readonly<Record<string, unknown>>

function showSuggestion({ action, reply }: Suggestion): BubbleButton {
  if (reply !== undefined) return { label: reply.displayText, does: 'reply', target: reply.displayText }
  return { label: action?.displayText ?? '', ...toAction(action ?? {}) }
}

function toAction(action: Fields): Pick<BubbleButton, 'does' | 'target'> {
  const url = find(action, 'urlAction', 'openUrl')
  if (url !== null) return { does: 'url', target: toText(url['url']) }
  const location = find(action, 'mapAction', 'showLocation')
  if (location !== null) return { does: 'map', target: toLocation(location) }
  if (find(action, 'mapAction', 'requestLocationPush') !== null) return { does: 'location', target: null }
  const event = find(action, 'calendarAction', 'createCalendarEvent')
  if (event !== null)
    return {
      does: 'calendar',
      target: [event['title'], event['startTime'], event['endTime']].map(toText).filter(Boolean).join(' · '),
    }
  const copied = find(action, 'clipboardAction', 'copyToClipboard')
  if (copied !== null) return { does: 'copy', target: toText(copied['text']) }
  const composed =
    find(action, 'composeAction', 'composeTextMessage') ??
    find(action, 'composeAction', 'composeRecordingMessage')
  if (composed !== null)
    return {
      does: 'compose',
      target: [composed['phoneNumber'], composed['text']].map(toText).filter(Boolean).join(': '),
    }
  const dialled = find(action, 'dialerAction', 'dialPhoneNumber')
  if (dialled !== null) return { does: 'call', target: toText(dialled['phoneNumber']) }
  return { does: 'other', target: null }
}

function find(action: Fields, kind: string, name: string): Fields | null {
  const outer = action[kind]
  const inner = isFields(outer) ? outer[name] : undefined
  return isFields(inner) ? inner : null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function toLocation({ location, fallbackUrl }: Fields): string | null {
  if (!isFields(location)) return toText(fallbackUrl)
  const { label, query, latitude, longitude } = location
  const point = typeof latitude === 'number' ? `${latitude}, ${String(longitude)}` : null
  return [toText(label), toText(query), point].filter(Boolean).join(' · ')
}

function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
