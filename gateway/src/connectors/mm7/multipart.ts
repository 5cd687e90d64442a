/** Writes MIME multiparts (RFC 2046, RFC 2387). Pure; the boundary is chosen by the caller. */

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

/** Base64 in lines of 76 characters, as MIME requires. */
export function base64Lines(octets: Buffer): Buffer {
  const lines = octets.toString('base64').match(/.{1,76}/g) ?? []
  return Buffer.from(lines.join('\r\n'))
}
