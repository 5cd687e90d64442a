/** Whether what was uploaded is what its rule asks for. The bytes decide; a name decides nothing. */
import { Problem } from '../contract/problem.ts'
import { misfit } from './frame.ts'
import type { ImageFormat, ImageSize } from './image/image.ts'
import type { Scan } from './image/scan.ts'
import { isClaim } from './sdk-compat.ts'
import type { ImageRule } from './rules.ts'

export interface Claim {
  readonly fileName: string
  readonly contentType: string
}

export type InspectedImage = ImageSize & { readonly format: ImageFormat }

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

export function inspectImage(rule: ImageRule, scan: Scan, claim: Claim): InspectedImage {
  if (scan.kind === 'unknown' || !rule.formats.includes(scan.format)) {
    const found = scan.kind === 'unknown' ? 'this is no image we know' : `this is ${scan.format}`
    throw new Problem('A206', `Invalid file format: ${rule.formats.join(', ')} wanted, ${found}`)
  }
  if (scan.kind === 'broken') {
    throw new Problem('A202', `Unusable file: the ${scan.format} image is damaged: ${scan.reason}`)
  }
  const { format, width, height } = scan
  if (isClaim(claim.contentType, claim.fileName) && formatByType[claim.contentType] !== format) {
    throw new Problem('A205', `File type mismatch: sent as ${claim.contentType}, but this is ${format}`)
  }
  const reason = misfit(rule.frame, scan)
  if (reason !== null) throw new Problem('A203', `Invalid resolution ${width}x${height}: ${reason}`)
  return { format, width, height }
}
