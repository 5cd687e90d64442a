/** Checks an upload against its rule. Its bytes decide its format; a declared content type must match them. */
import { Problem } from '../../contract/problem.ts'
import { findDimensionError } from './dimensions.ts'
import type { ImageFormat, ParsedImageSize } from './image/image.ts'
import type { ImageScan } from './image/scan.ts'
import { declaresFormat } from './sdk-compat.ts'
import type { ImageRule } from './rules.ts'

export interface DeclaredFile {
  readonly fileName: string
  readonly contentType: string
}

export type InspectedImage = ParsedImageSize & { readonly format: ImageFormat }

const formatByType: Readonly<Record<string, ImageFormat>> = {
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/pjpeg': 'jpg',
  'image/png': 'png',
  'image/x-png': 'png',
  'image/gif': 'gif',
  'image/bmp': 'bmp',
  'image/x-bmp': 'bmp',
  'image/x-ms-bmp': 'bmp',
}

export function inspectImage(rule: ImageRule, scan: ImageScan, declared: DeclaredFile): InspectedImage {
  if (scan.kind === 'unknown' || !rule.formats.includes(scan.format)) {
    const description = scan.kind === 'unknown' ? 'no known image format' : scan.format
    throw new Problem(
      'A206',
      `Invalid file format: must be ${rule.formats.join(' or ')}, found ${description}`,
    )
  }
  if (scan.kind === 'broken') {
    throw new Problem('A202', `Unusable file: the ${scan.format} image is damaged: ${scan.reason}`)
  }
  const { format, width, height } = scan
  if (
    declaresFormat(declared.contentType, declared.fileName) &&
    formatByType[declared.contentType] !== format
  ) {
    throw new Problem(
      'A205',
      `File type mismatch: sent as ${declared.contentType}, but the content is ${format}`,
    )
  }
  const reason = findDimensionError(rule.dimensions, scan)
  if (reason !== null) throw new Problem('A203', `Invalid resolution ${width}x${height}: ${reason}`)
  return { format, width, height }
}
