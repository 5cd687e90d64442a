/** The formatId table, separate from the gateway's own table so that tests detect a mistake in either. */
import { createRows, type RowTuple, type ContractRow } from '../row.ts'

export interface FormatCase {
  readonly id: string
  readonly image: readonly [width: number, height: number] | null
  /** Maximum characters; 0 means not allowed. */
  readonly title: number
  readonly text: number
  readonly cards: number
  readonly buttons: number
  /** Maximum characters of a button label; `null` means no limit. */
  readonly label: number | null
  readonly subInfos: number
}

type Size = readonly [width: number, height: number]

const standalone = (id: string, image: Size | null, change: Partial<FormatCase> = {}): FormatCase => ({
  id,
  image,
  title: 30,
  text: 1300,
  cards: 1,
  buttons: 2,
  label: 17,
  subInfos: 0,
  ...change,
})

const carousels = (prefix: string, image: Size, label: number): FormatCase[] =>
  [2, 3, 4, 5, 6].map((cards) => standalone(`${prefix}0${cards}00`, image, { cards, label }))

const openRichCard = (id: string, image: Size, text: number, subInfos: number): FormatCase =>
  standalone(id, image, { text, label: 16, subInfos })

export const formatCases: readonly FormatCase[] = [
  standalone('SS000000', null, { title: 0, text: 100, buttons: 1, label: null }),
  standalone('SL000000', null, { buttons: 3 }),
  standalone('SMwThT00', [568, 528]),
  standalone('SMwThM00', [568, 336]),
  ...carousels('CMwMhM', [696, 504], 13),
  ...carousels('CMwShS', [360, 336], 5),
  openRichCard('OMHITV0001', [900, 1200], 0, 1),
  openRichCard('OMHITS0001', [900, 900], 0, 1),
  openRichCard('OMHIMV0001', [900, 1200], 0, 0),
  openRichCard('OMHIMS0001', [900, 900], 0, 0),
  openRichCard('OMTBNV0001', [900, 560], 150, 2),
  openRichCard('OMTBNH0001', [900, 560], 150, 3),
  openRichCard('OMSNSS0001', [900, 900], 150, 0),
  openRichCard('OMSNSH0001', [900, 900], 150, 0),
]

export interface TemplateCase {
  readonly kind: 'Free' | 'Description' | 'Cell' | 'Image'
  readonly title: number
  readonly text: number
  readonly buttons: number
  readonly images: readonly Size[]
}

export const templateCases: readonly TemplateCase[] = [
  { kind: 'Free', title: 0, text: 90, buttons: 1, images: [] },
  { kind: 'Description', title: 8, text: 90, buttons: 2, images: [] },
  { kind: 'Cell', title: 8, text: 90, buttons: 2, images: [] },
  {
    kind: 'Image',
    title: 30,
    text: 150,
    buttons: 2,
    images: [
      [900, 1200],
      [900, 900],
      [900, 560],
    ],
  },
]

const section = 'Endpoints · POST /v1/send/rcs · formatId table'
const size = ([width, height]: Size): string => `${width}x${height}`

const upTo = (subject: string, max: number, code: string): string =>
  max === 0
    ? `no ${subject}: one is rejected`
    : `${subject} of ${max} is accepted, of ${max + 1} rejected (${code})`

function createFormatRows({
  id,
  image,
  title,
  text,
  cards,
  buttons,
  label,
  subInfos,
}: FormatCase): ContractRow[] {
  const lines: RowTuple[] = [
    [
      'image',
      id,
      image === null
        ? 'no image: one is rejected (A415)'
        : `image ${size(image)} is accepted, none (A415) and another size (A203) rejected`,
    ],
    ['title', id, upTo('title', title, 'A415')],
    ['text', id, upTo(cards > 1 ? 'text over all cards' : 'text', text, 'A328')],
    [
      'cards',
      id,
      cards === 1
        ? '1 card: a carousel is rejected (A415)'
        : `${cards} cards: one fewer and one more are rejected (A417), a standalone too (A415)`,
    ],
    ['buttons', id, `${buttons} on a card are accepted, ${buttons + 1} rejected (A406)`],
  ]
  lines.push(['expert', id, 'the same limits hold for body and buttons (A425, A328, A203, A417, A406, A427)'])
  const forbidden = findForbiddenKeys({ image, title, text })
  if (forbidden.length > 0)
    lines.push(['expert-lacks', id, `body has no ${forbidden.join(' and no ')} either (A425)`])
  if (hasSubInfoLimit(id))
    lines.push(['expert-subInfos', id, `body has keys of at most ${subInfos} sub-info (A425)`])
  if (label !== null) lines.push(['label', id, upTo('button label', label, 'A427')])
  if (cards > 1) {
    lines.push(['total', id, 'images of 1 MB together are accepted, one byte more is rejected'])
    lines.push(['every-card', id, 'the limits of title, image, buttons and label hold for the last card too'])
  }
  if (cards === 1 && image !== null) lines.push(['subInfos', id, subInfoProof(subInfos)])
  return createRows(section, `format.${id}`, lines)
}

/** Returns the body keys that the format does not allow. */
export function findForbiddenKeys({
  image,
  title,
  text,
}: Pick<FormatCase, 'image' | 'title' | 'text'>): string[] {
  return [title === 0 ? 'title' : '', text === 0 ? 'description' : '', image === null ? 'media' : ''].filter(
    Boolean,
  )
}

/** Reports whether the table limits the sub-infos of the format. */
export const hasSubInfoLimit = (id: string): boolean => id.startsWith('OM')

const subInfoProof = (max: number): string =>
  max === 0
    ? 'no sub-info: one is rejected (A424)'
    : `${max} sub-info are accepted, ${max + 1} rejected (A424)`

function createTemplateRows({ kind, title, text, buttons, images }: TemplateCase): ContractRow[] {
  const row = `issued template ID (kind ${kind})`
  const lines: RowTuple[] = [
    [
      'image',
      row,
      images.length === 0 ? 'no image: one is rejected (A415)' : `accepts ${images.map(size).join(', ')}`,
    ],
    ['title', row, upTo('title', title, 'A415')],
    ['text', row, upTo('text', text, 'A328')],
    ['cards', row, '1 card: buttons of a second one are rejected (A406)'],
    ['buttons', row, `none to ${buttons} are accepted, ${buttons + 1} rejected (A406)`],
  ]
  if (kind === 'Image') {
    lines.push(['detail-image', row, 'detail image 300x300 is accepted, another size rejected'])
    lines.push(['detail-text', row, 'detail text of 33 is accepted, of 34 rejected (A424)'])
  }
  return createRows(section, `template.${kind}`, lines)
}

export const formatRows: readonly ContractRow[] = [
  ...formatCases.flatMap(createFormatRows),
  ...createRows(section, 'format.SL000000', [
    [
      'variant',
      'SL000000',
      'the variant with a tall 568x528 image is SMwThT00, with the same title and text',
    ],
  ]),
  ...templateCases.flatMap(createTemplateRows),
  ...createRows(section, 'format', [
    ['characters', 'characters', 'a syllable, a letter, a digit and a sign count as one each'],
  ]),
]
