/**
 * Finds the uploaded files that an RCS message refers to, and the size that each must have. The accept stage
 * looks them up and checks them.
 */
import type { FileReference, ImageSize } from '../channel.ts'
import type { Entry } from './entry.ts'
import { carouselImagesBytes, findFormat } from './formats.ts'
import { templateLimits } from './limits.ts'
import type { SubContent } from './schema.ts'
import { isMedia, mediaIn } from './values.ts'

export function getFileReferences(entry: Entry): readonly FileReference[] {
  const { standalone, carousel, template } = entry.content ?? {}
  const { formatId } = entry
  const references: FileReference[] = []
  if (standalone !== undefined) {
    addKeys(standalone, 'content.standalone', formatId, references)
    addSubKeys(standalone.subContent, 'content.standalone', formatId, references)
  }
  carousel?.forEach((card, index) => addKeys(card, `content.carousel[${index}]`, formatId, references))
  if (template !== undefined) {
    addKeys(template, 'content.template', formatId, references)
    addSubKeys(template.subContent, 'content.template', formatId, references)
  }
  if (entry.body !== undefined) addKeys(entry.body, 'body', formatId, references)
  return references
}

/** Accepts any key: templates and carrier formats define their own. */
function addKeys(
  fields: Readonly<Record<string, unknown>>,
  path: string,
  formatId: string,
  found: FileReference[],
): void {
  // Throws on null, which only occurs in a damaged job: intake parks it.
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    const key = typeof value === 'string' ? mediaIn(value) : null
    if (key === null) continue
    // The table has no size for the thumbnail of a video.
    const sizes = isMedia(value as string) ? findSizes(formatId, name) : []
    const isCarousel = findFormat(formatId)?.kind === 'carousel'
    found.push({
      key,
      path: `${path}.${name}`,
      use: 'RCS',
      ...(sizes.length === 0 ? {} : { sizes }),
      ...(isCarousel ? { bytesTogether: carouselImagesBytes } : {}),
    })
  }
}

function addSubKeys(
  subContents: readonly SubContent[] | undefined,
  path: string,
  formatId: string,
  found: FileReference[],
): void {
  subContents?.forEach((sub, index) => addKeys(sub, `${path}.subContent[${index}]`, formatId, found))
}

const mainImage = /^media\d*$/
const subImage = /^subMedia\d*$/

/** Returns the sizes of the field with this name, or none if the table of formats has none. */
function findSizes(formatId: string, name: string): readonly ImageSize[] {
  const format = findFormat(formatId)
  if (format !== null) return mainImage.test(name) && format.image !== null ? [format.image] : []
  // Only templates of this kind show images. A field that the template names can be any of them.
  const { images, subImage: detail } = templateLimits.Image
  if (mainImage.test(name)) return images
  return subImage.test(name) ? [detail] : [...images, detail]
}
