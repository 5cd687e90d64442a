/** The request that uploads a file. Pure. */
import type { ConnectorFile } from '../connector.ts'
import { compactTime } from '../korean-time.ts'
import { writeForm } from '../multipart.ts'

export interface Upload {
  readonly fileId: string
  readonly contentType: string
  readonly body: Buffer
}

/** `BR.postern.20261115130427123.0f1e2d3c4b5a`: at most 55 characters. `digest` is of the content and its fields. */
export function fileIdOf(prefix: string, digest: string, at: Date): string {
  return `${prefix}.${compactTime(at)}.${digest.slice(0, 12)}`
}

/** `fields` are written after the id, in their order. */
export function uploadRequest(
  fileId: string,
  file: ConnectorFile,
  digest: string,
  fields: Readonly<Record<string, string>>,
): Upload {
  const texts = { fileId, ...fields, mimeType: file.contentType }
  return { fileId, ...writeForm('file', file, digest, texts) }
}
