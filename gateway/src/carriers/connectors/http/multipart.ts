/** Writes MIME multiparts (RFC 2046, RFC 2387), forms with a file (RFC 7578) and base64 in lines (RFC 2045). */
import type { ConnectorFile } from '../connector.ts'

export interface MimePart {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

const crlf = Buffer.from('\r\n')

export function writeMultipart(parts: readonly MimePart[], boundary: string): Buffer {
  const delimiter = Buffer.from(`--${boundary}\r\n`)
  const written = parts.flatMap(({ headers, body }) => [
    delimiter,
    Buffer.from(`${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`, 'latin1'),
    body,
    crlf,
  ])
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)])
}

/** Writes a form: the text fields in order, then the file. */
export function writeForm(
  fileField: string,
  { name, contentType, bytes }: ConnectorFile,
  digest: string,
  texts: Readonly<Record<string, string>> = {},
): { readonly contentType: string; readonly body: Buffer } {
  const boundary = toBoundary(digest)
  const parts: readonly MimePart[] = [
    ...Object.entries(texts).map(([field, value]) => ({
      headers: [['Content-Disposition', `form-data; name="${field}"`]] as const,
      body: Buffer.from(value),
    })),
    {
      headers: [
        ['Content-Disposition', `form-data; name="${fileField}"; filename="${name}"`],
        ['Content-Type', contentType],
      ],
      body: bytes,
    },
  ]
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: writeMultipart(parts, boundary) }
}

/** Derives a boundary from the digest of the content: content cannot contain its own digest. */
export function toBoundary(digest: string): string {
  return `postern-${digest.slice(0, 32)}`
}

const lineLength = 76

/** Encodes base64 in lines of 76 characters, as MIME requires. */
export function base64Lines(octets: Buffer): Buffer {
  const flat = Buffer.from(octets.toString('base64'), 'latin1')
  const breaks = Math.max(0, Math.ceil(flat.length / lineLength) - 1)
  // The fill that is not overwritten becomes the line breaks; they are all at even positions, so each begins with CR.
  const lines = Buffer.alloc(flat.length + breaks * crlf.length, crlf)
  for (let at = 0, to = 0; at < flat.length; at += lineLength, to += lineLength + crlf.length)
    flat.copy(lines, to, at, at + lineLength)
  return lines
}
