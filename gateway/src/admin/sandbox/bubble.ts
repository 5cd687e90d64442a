/** A message as the phone of its recipient shows it: one shape for all channels, for the console and for tests of clients. Pure. */
import type { Static } from 'typebox'
import { flag, list, nullable, oneOf, record, text, whole } from '../fields.ts'

export const deeds = [
  ...(['url', 'app', 'call', 'map', 'location', 'calendar', 'copy', 'compose'] as const),
  ...(['reply', 'chat', 'tracking', 'channel', 'form', 'other'] as const),
] as const

export const Button = record(
  {
    label: text('What is written on it'),
    does: oneOf(
      deeds,
      'What a press does. reply: sends `target` to the sender as a reply; chat: writes in the chat of the Kakao channel, which no carrier delivers to this gateway',
    ),
    target: nullable(text('What it opens, calls, copies or sends; null where the phone decides')),
  },
  'A button',
  { title: 'SandboxButton' },
)

export const Image = record(
  {
    file: nullable(
      whole(
        'Its number for GET /admin/v1/sandbox/messages/{msgKey}/steps/{step}/files/{file}; null: not here',
      ),
    ),
    address: nullable(text('Where it is, when only the carrier has it')),
    opens: nullable(text('The address that a press on it opens')),
  },
  'A picture',
  { title: 'SandboxImage' },
)

export const Item = record(
  {
    title: nullable(text('Title')),
    text: nullable(text('Text')),
    image: nullable(Image),
    opens: nullable(text('The address that a press opens')),
  },
  'An entry of a list inside of a card',
  { title: 'SandboxCardItem' },
)

export const Card = record(
  {
    images: list(Image, 'Pictures, above the text'),
    header: nullable(text('Heading')),
    title: nullable(text('Title')),
    text: nullable(text('Text')),
    lines: list(
      record(
        {
          label: text('Label'),
          value: text('Value'),
          strong: flag('The sum of the others'),
        },
        'A line',
      ),
      'Label and value, one below the other',
    ),
    items: list(Item, 'Entries'),
    price: nullable(
      record(
        {
          now: text('What it costs'),
          before: nullable(text('What it cost')),
          off: nullable(text('What is taken off')),
        },
        'A price',
      ),
    ),
    coupon: nullable(
      record(
        {
          title: text('Title'),
          text: text('Description'),
          opens: nullable(text('The address that a press opens')),
        },
        'A coupon',
      ),
    ),
    smallPrint: nullable(text('Small print')),
    buttons: list(Button, 'Buttons, below the text'),
  },
  'A card',
  { title: 'SandboxCard' },
)

export const Bubble = record(
  {
    advertisement: flag('It is marked as an advertisement'),
    template: nullable(text('Code of the template or format, where it has one')),
    /** Several cards are a carousel. */
    cards: list(Card, 'One card, or those of a carousel'),
    more: nullable(text('The address behind the last card of a carousel')),
    quickReplies: list(Button, 'Chips below it'),
    footer: nullable(text('Below everything, such as how to opt out')),
  },
  'A message as a phone shows it',
  { title: 'SandboxBubble' },
)

export type Button = Static<typeof Button>
export type Image = Static<typeof Image>
export type Item = Static<typeof Item>
export type Card = Static<typeof Card>
export type Bubble = Static<typeof Bubble>

/** The picture that a field of a content refers to; none without a reference. */
export type ImageOf = (reference: string | undefined, opens?: string) => Image[]

export const emptyCard: Card = {
  ...{ images: [], header: null, title: null, text: null, lines: [], items: [] },
  ...{ price: null, coupon: null, smallPrint: null, buttons: [] },
}

export const emptyBubble: Bubble = {
  ...{ advertisement: false, template: null, cards: [], more: null, quickReplies: [], footer: null },
}

/** Null for what is absent or empty. */
export function given(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value
}

/** All that can be read in it, line by line. */
export function plainText({ cards, footer }: Bubble): string {
  const lines = cards.flatMap((card) => [
    ...[card.header, card.title, card.text],
    ...card.lines.map(({ label, value }) => `${label} ${value}`),
    ...card.items.flatMap((item) => [item.title, item.text]),
    card.smallPrint,
  ])
  return [...lines, footer].filter((line) => line !== null).join('\n')
}
