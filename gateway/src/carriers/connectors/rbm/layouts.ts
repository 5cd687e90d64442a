/** Layout of each RCS format at RBM. A test compares it with the formats that clients can use. */

export type Height = 'SHORT' | 'MEDIUM' | 'TALL'

export type RbmLayout =
  | { readonly kind: 'text' }
  | { readonly kind: 'card'; readonly height: Height }
  | { readonly kind: 'carousel'; readonly width: 'SMALL' | 'MEDIUM'; readonly height: Height }

const card = (height: Height): RbmLayout => ({ kind: 'card', height })
const mediumCarousel: RbmLayout = { kind: 'carousel', width: 'MEDIUM', height: 'MEDIUM' }
/** RBM allows no TALL media in a small carousel. */
const smallCarousel: RbmLayout = { kind: 'carousel', width: 'SMALL', height: 'SHORT' }

/** SHORT, MEDIUM and TALL are 112, 168 and 264 dp high; images are cropped to fit. */
const layouts: Readonly<Record<string, RbmLayout>> = {
  SS000000: { kind: 'text' },
  SL000000: card('MEDIUM'),
  SMwThT00: card('TALL'),
  SMwThM00: card('MEDIUM'),
  CMwMhM0200: mediumCarousel,
  CMwMhM0300: mediumCarousel,
  CMwMhM0400: mediumCarousel,
  CMwMhM0500: mediumCarousel,
  CMwMhM0600: mediumCarousel,
  CMwShS0200: smallCarousel,
  CMwShS0300: smallCarousel,
  CMwShS0400: smallCarousel,
  CMwShS0500: smallCarousel,
  CMwShS0600: smallCarousel,
  OMHITV0001: card('TALL'),
  OMHITS0001: card('TALL'),
  OMHIMV0001: card('TALL'),
  OMHIMS0001: card('TALL'),
  OMTBNV0001: card('MEDIUM'),
  OMTBNH0001: card('MEDIUM'),
  OMSNSS0001: card('TALL'),
  OMSNSH0001: card('TALL'),
}

/** Returns undefined for an issued template, whose text is stored at the Korean carriers. */
export function findLayout(formatId: string): RbmLayout | undefined {
  return Object.hasOwn(layouts, formatId) ? layouts[formatId] : undefined
}
