/** RCS as the phones of the Korean carriers show it: one card or a carousel, with the buttons of each card. Pure. */
import type { SubmissionContent } from '../../channels/rcs/submission.ts'
import type { Suggestion } from '../../channels/rcs/suggestions.ts'
import { emptyBubble, emptyCard, given } from './bubble.ts'
import type { Bubble, Button, Card, ImageOf, Item } from './bubble.ts'

type Body = SubmissionContent['body']

/** Fields of a card; a carousel has them with the number of the card. */
const cardField = /^(?:title|description|media|mediaUrl)([1-9]?)$/
const itemField = /^(?:subTitle|subDesc|subMedia|subMediaUrl)([1-9])$/

export function showRcs(content: SubmissionContent, imageOf: ImageOf): Bubble {
  const { body, buttons, messagebaseId, footer } = content
  const numbers = numbersOf(body, cardField)
  const cards = (numbers.length === 0 ? [''] : numbers).map((number, index): Card => {
    const field = (name: string): string | undefined => textIn(body, name + number)
    return {
      ...emptyCard,
      images: imageOf(field('media'), field('mediaUrl')),
      ...{ title: given(field('title')), text: given(field('description')) },
      ...(number === '' ? { items: itemsOf(body, imageOf), lines: linesOf(body) } : {}),
      buttons: (buttons[index]?.suggestions ?? []).map(showSuggestion),
    }
  })
  return { ...emptyBubble, template: messagebaseId, cards, footer: footerOf(footer) }
}

/** As the phone writes the number by which a recipient opts out. */
function footerOf(footer: string | undefined): string | null {
  return given(footer) === null ? null : `무료수신거부 ${footer}`
}

function numbersOf(body: Body, form: RegExp): string[] {
  const numbers = Object.keys(body).flatMap((name) => form.exec(name)?.[1] ?? [])
  return [...new Set(numbers)].sort()
}

function textIn(body: Body, name: string): string | undefined {
  const value = body[name]
  return typeof value === 'string' ? value : undefined
}

function itemsOf(body: Body, imageOf: ImageOf): Item[] {
  return numbersOf(body, itemField).map((number) => ({
    title: given(textIn(body, `subTitle${number}`)),
    text: given(textIn(body, `subDesc${number}`)),
    image: imageOf(textIn(body, `subMedia${number}`))[0] ?? null,
    opens: given(textIn(body, `subMediaUrl${number}`)),
  }))
}

/** Fields that a template of the brand has: only the carrier knows where they stand. */
function linesOf(body: Body): Card['lines'] {
  return Object.entries(body).flatMap(([label, value]) =>
    cardField.test(label) || itemField.test(label) || typeof value !== 'string'
      ? []
      : [{ label, value, strong: false }],
  )
}

type Fields = Readonly<Record<string, unknown>>

function showSuggestion({ action, reply }: Suggestion): Button {
  if (reply !== undefined) return { label: reply.displayText, does: 'reply', target: reply.displayText }
  return { label: action?.displayText ?? '', ...deedOf(action ?? {}) }
}

function deedOf(action: Fields): Pick<Button, 'does' | 'target'> {
  const url = find(action, 'urlAction', 'openUrl')
  if (url !== null) return { does: 'url', target: textOf(url['url']) }
  const place = find(action, 'mapAction', 'showLocation')
  if (place !== null) return { does: 'map', target: placeOf(place) }
  if (find(action, 'mapAction', 'requestLocationPush') !== null) return { does: 'location', target: null }
  const event = find(action, 'calendarAction', 'createCalendarEvent')
  if (event !== null)
    return {
      does: 'calendar',
      target: [event['title'], event['startTime'], event['endTime']].map(textOf).filter(Boolean).join(' · '),
    }
  const copied = find(action, 'clipboardAction', 'copyToClipboard')
  if (copied !== null) return { does: 'copy', target: textOf(copied['text']) }
  const composed =
    find(action, 'composeAction', 'composeTextMessage') ??
    find(action, 'composeAction', 'composeRecordingMessage')
  if (composed !== null)
    return {
      does: 'compose',
      target: [composed['phoneNumber'], composed['text']].map(textOf).filter(Boolean).join(': '),
    }
  const dialled = find(action, 'dialerAction', 'dialPhoneNumber')
  if (dialled !== null) return { does: 'call', target: textOf(dialled['phoneNumber']) }
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

function placeOf({ location, fallbackUrl }: Fields): string | null {
  if (!isFields(location)) return textOf(fallbackUrl)
  const { label, query, latitude, longitude } = location
  const point = typeof latitude === 'number' ? `${latitude}, ${String(longitude)}` : null
  return [textOf(label), textOf(query), point].filter(Boolean).join(' · ')
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
