/** Formats (messagebases) shared by all brands, with their limits. Any other id is a brand template. */

export type MaapProduct = 'sms' | 'lms' | 'mms' | 'tmplt' | 'itmpl' | 'chat'

export interface MaapFormat {
  readonly products: readonly MaapProduct[]
  readonly cards: number
  /** Maximum buttons per card. */
  readonly buttons: number
  readonly maxTitle: number
  /** Maximum description length of all cards together. */
  readonly maxDescription: number
  readonly needs: 'description' | 'media'
}

const MAX_TITLE = 30
const MAX_DESCRIPTION = 1300

function format(
  products: readonly MaapProduct[],
  buttons: number,
  change: Partial<MaapFormat> = {},
): MaapFormat {
  const defaults = { cards: 1, maxTitle: MAX_TITLE, maxDescription: MAX_DESCRIPTION, needs: 'media' as const }
  return { ...defaults, products, buttons, ...change }
}

const text = { needs: 'description' } as const
const short = { ...text, maxTitle: 0, maxDescription: 100 }
// Sources disagree about the horizontal thumbnail: OMTBNH or OMTBNS.
const open = ['OMHITV', 'OMHITS', 'OMHIMV', 'OMHIMS', 'OMTBNV', 'OMTBNH', 'OMTBNS', 'OMSNSS', 'OMSNSH']

export const formats: ReadonlyMap<string, MaapFormat> = new Map<string, MaapFormat>([
  ['SS000000', format(['sms'], 1, short)],
  ['SL000000', format(['lms'], 3, text)],
  ['OL00000001', format(['lms'], 2, text)],
  ['SMwThT00', format(['mms'], 2)],
  ['SMwThM00', format(['mms'], 2)],
  ...carousels(['CMwMhM', 'CMwShS'], 'mms'),
  ...open.map((id) => [`${id}0001`, format(['mms', 'itmpl'], 2)] as const),
  ['SCS00000', format(['chat'], 1, { ...text, maxTitle: 0 })],
  ['SCL00000', format(['chat'], 3, text)],
  ['SCwThT00', format(['chat'], 2)],
  ['SCwThM00', format(['chat'], 2)],
  ...carousels(['CCwMhM', 'CCwShS'], 'chat'),
])

/** Builds the formats of two to six cards. */
function carousels(ids: readonly string[], product: MaapProduct): (readonly [string, MaapFormat])[] {
  return ids.flatMap((id) =>
    [2, 3, 4, 5, 6].map((cards) => [`${id}0${cards}00`, format([product], 2, { cards })] as const),
  )
}
