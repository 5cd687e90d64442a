/** Builds the request that uploads a file. */
import type { ConnectorFile } from '../connector.ts'
import { compactTime } from '../http/korean-time.ts'
import { writeForm } from '../http/multipart.ts'

export interface MaapUpload {
  readonly fileId: string
  readonly contentType: string
  readonly body: Buffer
}

/** Returns `BR.postern.20261115130427123.0f1e2d3c4b5a`, at most 55 characters. `digest` covers the content and its fields. */
export function createMaapFileId(prefix: string, digest: string, at: Date): string {
  return `${prefix}.${compactTime(at)}.${digest.slice(0, 12)}`
}

/** Writes `fields` after the id, in order. */
export function maapUploadRequest(
  fileId: string,
  file: ConnectorFile,
  digest: string,
  fields: Readonly<Record<string, string>>,
): MaapUpload {
  const texts = { fileId, ...fields, mimeType: file.contentType }
  return { fileId, ...writeForm('file', file, digest, texts) }
}
