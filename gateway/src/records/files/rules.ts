/**
 * The accepted formats, dimensions, bytes and lifetime of each service. A new kind of image is added only
 * here.
 */
import type { ServiceType } from './file.ts'
import { imageFormats, type ImageFormat } from './image/image.ts'
import { maxSide, type AllowedDimensions } from './dimensions.ts'

export interface ImageRule {
  readonly serviceType: ServiceType
  readonly kind: string
  readonly formats: readonly ImageFormat[]
  readonly maxBytes: number
  readonly dimensions: AllowedDimensions
  readonly lifetimeMs: number
  /** The field in which a send refers to the file. */
  readonly reference: 'fileKey' | 'media' | 'imgUrl'
}

const kilobyte = 1024
const megabyte = 1024 * kilobyte
const day = 86_400_000
const year = 365 * day
const photos: readonly ImageFormat[] = ['jpg', 'png']

const flexible: AllowedDimensions = { minWidth: 500, widest: [2, 1], tallest: [3, 4] }

const friendtalk = (kind: string, maxBytes: number, dimensions: AllowedDimensions): ImageRule => ({
  serviceType: 'FRIENDTALK',
  kind,
  formats: photos,
  maxBytes,
  dimensions,
  lifetimeMs: year,
  reference: 'imgUrl',
})

// Kakao's limits for brand messages differ from those for friendtalk: larger files, ratios instead of fixed
// sizes.
const brandmessage = (kind: string, dimensions: AllowedDimensions): ImageRule => ({
  serviceType: 'BRANDMESSAGE',
  kind,
  formats: photos,
  maxBytes: 5 * megabyte,
  dimensions: { minWidth: 500, ...dimensions },
  lifetimeMs: year,
  reference: 'imgUrl',
})

export const imageRules: readonly ImageRule[] = [
  {
    serviceType: 'MMS',
    kind: '',
    formats: ['jpg'],
    maxBytes: 300 * kilobyte,
    dimensions: { maxWidth: 1500, maxHeight: 1440 },
    lifetimeMs: 7 * day,
    reference: 'fileKey',
  },
  {
    // The dimensions depend on the layout (formatId), so they are checked when the file is used.
    serviceType: 'RCS',
    kind: '',
    formats: imageFormats,
    maxBytes: megabyte,
    dimensions: { maxWidth: maxSide, maxHeight: maxSide },
    lifetimeMs: year,
    reference: 'media',
  },
  friendtalk('FI', 500 * kilobyte, flexible),
  friendtalk('FW', 2 * megabyte, { minWidth: 800, maxWidth: 800, minHeight: 600, maxHeight: 600 }),
  friendtalk('FL', 2 * megabyte, { minWidth: 400, maxWidth: 800, minHeight: 400, maxHeight: 400 }),
  friendtalk('FC', 2 * megabyte, flexible),
  friendtalk('FA', 2 * megabyte, flexible),
  brandmessage('default', flexible),
  brandmessage('wide', { widest: [2, 1], tallest: [1, 1] }),
  // The first item of the list is shown wide, the others square.
  brandmessage('wideItemList/first', { widest: [2, 1], tallest: [2, 1] }),
  brandmessage('wideItemList', { widest: [1, 1], tallest: [1, 1] }),
  brandmessage('carouselFeed', flexible),
  brandmessage('carouselCommerce', flexible),
]
