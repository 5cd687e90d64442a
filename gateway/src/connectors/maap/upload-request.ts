/** The request that uploads a file: multipart/form-data with a boundary that its content cannot have. Pure. */
import { createHash } from 'node:crypto'
import type { ConnectorFile } from '../connector.ts'
import { compactTime } from './time.ts'

export interface Upload {
  readonly fileId: string
  readonly contentType: string
  readonly body: Buffer
}

export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
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
  const boundary = `postern-${digest.slice(0, 32)}`
  const texts = Object.entries({ fileId, ...fields, mimeType: file.contentType }).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${file.name}"`,
    `Content-Type: ${file.contentType}`,
  ].join('\r\n')
  const body = Buffer.concat([
    Buffer.from(`${texts.join('')}${head}\r\n\r\n`),
    file.bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { fileId, contentType: `multipart/form-data; boundary=${boundary}`, body }
}
