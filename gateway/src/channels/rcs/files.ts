/**
 * The uploaded files that an RCS message refers to, and the size that each must have. The accept stage looks them up and
 * checks them.
 */
import type { FileReference, ImageSize } from '../channel.ts'
import type { Entry } from './entry.ts'
import { carouselImagesBytes, formatOf } from './formats.ts'
import { templateLimits } from './limits.ts'
import type { SubContent } from './schema.ts'
import { isMedia, mediaIn } from './values.ts'

export function fileKeysOf(entry: Entry): readonly FileReference[] {
  const { standalone, carousel, template } = entry.content ?? {}
  const { formatId } = entry
  return [
    ...(standalone === undefined ? [] : fieldKeys(standalone, 'content.standalone', formatId)),
    ...subKeys(standalone?.subContent, 'content.standalone', formatId),
    ...(carousel ?? []).flatMap((card, index) => fieldKeys(card, `content.carousel[${index}]`, formatId)),
    ...(template === undefined ? [] : fieldKeys(template, 'content.template', formatId)),
    ...subKeys(template?.subContent, 'content.template', formatId),
    ...(entry.body === undefined ? [] : fieldKeys(entry.body, 'body', formatId)),
  ]
}

/** Under any name: templates and carrier formats define their own keys. */
function fieldKeys(fields: object, path: string, formatId: string): FileReference[] {
  return Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    const key = typeof value === 'string' ? mediaIn(value) : null
    if (key === null) return []
    // The table gives no size for the thumbnail of a video.
    const sizes = isMedia(value as string) ? sizesOf(formatId, name) : []
    const isCarousel = formatOf(formatId)?.kind === 'carousel'
    return [
      {
        key,
        path: `${path}.${name}`,
        use: 'RCS' as const,
        ...(sizes.length === 0 ? {} : { sizes }),
        ...(isCarousel ? { bytesTogether: carouselImagesBytes } : {}),
      },
    ]
  })
}

function subKeys(
  subContents: readonly SubContent[] | undefined,
  path: string,
  formatId: string,
): FileReference[] {
  return (subContents ?? []).flatMap((sub, index) => fieldKeys(sub, `${path}.subContent[${index}]`, formatId))
}

const mainImage = /^media\d*$/
const subImage = /^subMedia\d*$/

/** The sizes of the field of this name; none where the table of formats has none. */
function sizesOf(formatId: string, name: string): readonly ImageSize[] {
  const format = formatOf(formatId)
  if (format !== null) return mainImage.test(name) && format.image !== null ? [format.image] : []
  // Only templates of this kind show images. A field named by the template may be any of them.
  const { images, subImage: detail } = templateLimits.Image
  if (mainImage.test(name)) return images
  return subImage.test(name) ? [detail] : [...images, detail]
}
