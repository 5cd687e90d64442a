/** Builds multipart bodies, valid and invalid, byte by byte as a client writes them. */
export interface Part {
  readonly name?: string
  readonly fileName?: string | null
  readonly contentType?: string | null
  readonly content: Buffer | string
}

const boundary = '----postern-test-boundary'

export const multipartType = `multipart/form-data; boundary=${boundary}`

/** Returns everything before the bytes of a part. */
export function partHead(part: Part): Buffer {
  const { name = 'file', fileName = 'picture.bin', contentType = 'application/octet-stream' } = part
  const lines = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"${fileName === null ? '' : `; filename="${fileName}"`}`,
    ...(contentType === null ? [] : [`Content-Type: ${contentType}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
}

export const bodyEnd = Buffer.from(`--${boundary}--\r\n`)

export function multipartBody(...parts: readonly Part[]): Buffer {
  const written = parts.flatMap((part) => [partHead(part), Buffer.from(part.content), Buffer.from('\r\n')])
  return Buffer.concat([...written, bodyEnd])
}
