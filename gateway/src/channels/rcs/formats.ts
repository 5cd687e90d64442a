/**
 * The RCS formats that every brand can use, one row for each formatId, as in the carriers' table of formats.
 * An ID outside this list is an issued template ID; limits.ts has the limits of templates.
 */
import type { ImageSize } from '../channel.ts'

/** How the carriers bill a format. */
export type Product = 'sms' | 'lms' | 'mms'

export interface Format {
  readonly id: string
  readonly layout: string
  readonly product: Product
  readonly kind: 'standalone' | 'carousel'
  readonly cards: number
  /** Pixels of each card's image; `null` if the format shows none. */
  readonly image: ImageSize | null
  /** Characters of each card's title; 0 if the format has none. */
  readonly title: number
  /** Characters of text over all cards together; 0 if the format has none. */
  readonly text: number
  readonly buttonsPerCard: number
  /** Characters of a button's label. */
  readonly buttonLabel: number
  readonly subContents: number
}

/** The table has no label limit for SS000000 and templates without images; this limit comes from the carriers. */
export const carrierLabelLimit = 17

/** Limit for all images of a carousel together; the upload limits single images. */
export const carouselImagesBytes = 1024 * 1024

const rich: Pick<Format, 'product' | 'title'> = { product: 'mms', title: 30 }

function standalone(
  id: string,
  layout: string,
  row: Omit<Format, 'id' | 'layout' | 'kind' | 'cards'>,
): Format {
  return { id, layout, kind: 'standalone', cards: 1, ...row }
}

function carousel(id: string, layout: string, cards: number, image: ImageSize, buttonLabel: number): Format {
  const common = { ...rich, kind: 'carousel', text: 1300, buttonsPerCard: 2, subContents: 0 } as const
  return { id, layout: `${layout}, ${cards} cards`, cards, image, buttonLabel, ...common }
}

/** The open formats differ only in their image, in whether they have text, and in the number of sub-infos. */
function open(id: string, layout: string, image: ImageSize, text: number, subContents: number): Format {
  return standalone(id, layout, { ...rich, image, text, buttonsPerCard: 2, buttonLabel: 16, subContents })
}

const tall: ImageSize = { width: 568, height: 528 }
const medium: ImageSize = { width: 568, height: 336 }
const carouselMedium: ImageSize = { width: 696, height: 504 }
const carouselSmall: ImageSize = { width: 360, height: 336 }
const long: ImageSize = { width: 900, height: 1200 }
const square: ImageSize = { width: 900, height: 900 }
const wide: ImageSize = { width: 900, height: 560 }

/** Shared by the media formats, which differ only in the image. */
const media = { ...rich, text: 1300, buttonsPerCard: 2, buttonLabel: 17, subContents: 0 }

export const formats: readonly Format[] = [
  standalone('SS000000', 'SMS', {
    product: 'sms',
    image: null,
    title: 0,
    text: 100,
    buttonsPerCard: 1,
    buttonLabel: carrierLabelLimit,
    subContents: 0,
  }),
  // Its variant with a tall image is SMwThT00 at the carriers: SL000000 itself has none.
  standalone('SL000000', 'LMS', {
    product: 'lms',
    image: null,
    title: 30,
    text: 1300,
    buttonsPerCard: 3,
    buttonLabel: 17,
    subContents: 0,
  }),
  standalone('SMwThT00', 'Media top, tall', { ...media, image: tall }),
  standalone('SMwThM00', 'Media top, medium', { ...media, image: medium }),
  carousel('CMwMhM0200', 'Carousel medium', 2, carouselMedium, 13),
  carousel('CMwMhM0300', 'Carousel medium', 3, carouselMedium, 13),
  carousel('CMwMhM0400', 'Carousel medium', 4, carouselMedium, 13),
  carousel('CMwMhM0500', 'Carousel medium', 5, carouselMedium, 13),
  carousel('CMwMhM0600', 'Carousel medium', 6, carouselMedium, 13),
  carousel('CMwShS0200', 'Carousel small', 2, carouselSmall, 5),
  carousel('CMwShS0300', 'Carousel small', 3, carouselSmall, 5),
  carousel('CMwShS0400', 'Carousel small', 4, carouselSmall, 5),
  carousel('CMwShS0500', 'Carousel small', 5, carouselSmall, 5),
  carousel('CMwShS0600', 'Carousel small', 6, carouselSmall, 5),
  open('OMHITV0001', 'Image and title emphasis 3:4 long', long, 0, 1),
  open('OMHITS0001', 'Image and title emphasis 1:1 square', square, 0, 1),
  open('OMHIMV0001', 'Image emphasis 3:4 long', long, 0, 0),
  open('OMHIMS0001', 'Image emphasis 1:1 square', square, 0, 0),
  open('OMTBNV0001', 'Thumbnail vertical', wide, 150, 2),
  open('OMTBNH0001', 'Thumbnail horizontal', wide, 150, 3),
  open('OMSNSS0001', 'SNS', square, 150, 0),
  open('OMSNSH0001', 'SNS with middle button', square, 150, 0),
]

const byId: ReadonlyMap<string, Format> = new Map(formats.map((format) => [format.id, format]))

/** Returns null for an issued template ID. */
export function findFormat(formatId: string): Format | null {
  return byId.get(formatId) ?? null
}
