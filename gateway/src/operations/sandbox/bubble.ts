/**
 * A message as the phone of its recipient shows it: one format for all channels, for the console and for
 * client tests.
 */
import type { Static } from 'typebox'
import { flag, list, nullable, oneOf, record, text, whole } from '../fields.ts'

export const buttonActions = [
  ...(['url', 'app', 'call', 'map', 'location', 'calendar', 'copy', 'compose'] as const),
  ...(['reply', 'chat', 'tracking', 'channel', 'form', 'other'] as const),
] as const

export const BubbleButton = record(
  {
    label: text('Label of the button'),
    does: oneOf(
      buttonActions,
      'Action of the button; reply: sends `target` to the sender; chat: writes in the chat of the Kakao channel, which no carrier delivers to this gateway',
    ),
    target: nullable(text('Target to open, call, copy or send; null if the phone decides')),
  },
  'A button',
  { title: 'SandboxButton' },
)

export const BubbleImage = record(
  {
    file: nullable(
      whole(
        'Number for GET /admin/v1/sandbox/messages/{msgKey}/steps/{step}/files/{file}; null if not stored here',
      ),
    ),
    address: nullable(text('URL, if only the carrier has it')),
    opens: nullable(text('URL that a press on it opens')),
  },
  'An image',
  { title: 'SandboxImage' },
)

export const BubbleItem = record(
  {
    title: nullable(text('Title')),
    text: nullable(text('Text')),
    image: nullable(BubbleImage),
    opens: nullable(text('URL that a press opens')),
  },
  'An entry of a list in a card',
  { title: 'SandboxCardItem' },
)

export const BubbleCard = record(
  {
    images: list(BubbleImage, 'Images, above the text'),
    header: nullable(text('Heading')),
    title: nullable(text('Title')),
    text: nullable(text('Text')),
    lines: list(
      record(
        { label: text('Label'), value: text('Value'), strong: flag('Whether this is the sum of the others') },
        'A line',
      ),
      'Lines of label and value',
    ),
    items: list(BubbleItem, 'Entries'),
    price: nullable(
      record(
        {
          now: text('Current price'),
          before: nullable(text('Previous price')),
          off: nullable(text('Discount')),
        },
        'A price',
      ),
    ),
    coupon: nullable(
      record(
        { title: text('Title'), text: text('Description'), opens: nullable(text('URL that a press opens')) },
        'A coupon',
      ),
    ),
    smallPrint: nullable(text('Small print')),
    buttons: list(BubbleButton, 'Buttons, below the text'),
  },
  'A card',
  { title: 'SandboxCard' },
)

export const Bubble = record(
  {
    advertisement: flag('Whether it is marked as an advertisement'),
    template: nullable(text('Code of the template or format, if it has one')),
    cards: list(BubbleCard, 'One card, or the cards of a carousel'),
    more: nullable(text('URL after the last card of a carousel')),
    quickReplies: list(BubbleButton, 'Chips below the message'),
    footer: nullable(text('Last line, such as how to opt out')),
  },
  'A message as a phone shows it',
  { title: 'SandboxBubble' },
)

export type BubbleButton = Static<typeof BubbleButton>
export type BubbleImage = Static<typeof BubbleImage>
export type BubbleItem = Static<typeof BubbleItem>
export type BubbleCard = Static<typeof BubbleCard>
export type Bubble = Static<typeof Bubble>

/** Returns the image that a content field refers to; empty without a reference. */
export type ImageLookup = (reference: string | undefined, opens?: string) => BubbleImage[]

export const emptyCard: BubbleCard = {
  images: [],
  header: null,
  title: null,
  text: null,
  lines: [],
  items: [],
  price: null,
  coupon: null,
  smallPrint: null,
  buttons: [],
}

export const emptyBubble: Bubble = {
  advertisement: false,
  template: null,
  cards: [],
  more: null,
  quickReplies: [],
  footer: null,
}

/** Returns null for an absent or empty value. */
export function nonEmpty(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value
}

/** Returns all readable text, line by line. */
export function toPlainText({ cards, footer }: Bubble): string {
  const lines = cards.flatMap((card) => [
    ...[card.header, card.title, card.text],
    ...card.lines.map(({ label, value }) => `${label} ${value}`),
    ...card.items.flatMap((item) => [item.title, item.text]),
    card.smallPrint,
  ])
  return [...lines, footer].filter((line) => line !== null).join('\n')
}
