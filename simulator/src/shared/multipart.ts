/**
 * Reads multipart bodies (RFC 2046): MM7 submissions and file uploads. Pure and bounded: parts, header lines and header
 * bytes have limits, and the time is linear in the size. Throws MalformedMultipart. It tolerates what real senders
 * do: bare line feeds, blanks after a boundary, a preamble.
 */

export class MalformedMultipart extends Error {
  override readonly name = 'MalformedMultipart'
}

export interface Part {
  /** Names in lower case. Of a repeated header the last one counts. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

const MAX_PARTS = 64
const MAX_HEADERS = 64
const MAX_HEADER_BYTES = 8192
const MAX_BOUNDARY = 70
const LF = 0x0a
const CR = 0x0d

export interface HeaderValue {
  /** In lower case. */
  readonly value: string
  readonly parameters: ReadonlyMap<string, string>
}

/** `text/xml; charset="euc-kr"` → value and parameters. Names in lower case. */
export function parseHeaderValue(text: string): HeaderValue {
  const parameters = new Map<string, string>()
  const [value = ''] = text.split(';', 1)
  for (const match of text
    .slice(value.length)
    .matchAll(/;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g)) {
    parameters.set(match[1]!.toLowerCase(), match[2]?.replace(/\\(.)/g, '$1') ?? match[3]!.trim())
  }
  return { value: value.trim().toLowerCase(), parameters }
}

export function boundaryOf(contentType: string): string {
  const boundary = parseHeaderValue(contentType).parameters.get('boundary')
  if (boundary === undefined || boundary === '' || boundary.length > MAX_BOUNDARY) {
    throw new MalformedMultipart('the content type has no valid boundary')
  }
  return boundary
}

interface Delimiter {
  /** Where the line of the delimiter begins. */
  readonly start: number
  /** Where the next line begins. */
  readonly end: number
  readonly last: boolean
}

/** The next line that is `--boundary` or `--boundary--`, blanks apart. */
function nextDelimiter(body: Buffer, marker: Buffer, from: number): Delimiter | undefined {
  for (let at = body.indexOf(marker, from); at !== -1; at = body.indexOf(marker, at + 1)) {
    if (at !== 0 && body[at - 1] !== LF) continue
    const lineEnd = body.indexOf(LF, at)
    const end = lineEnd === -1 ? body.length : lineEnd + 1
    // A longer line is text that happens to begin like the delimiter.
    if (end - at > marker.length + MAX_BOUNDARY) continue
    const rest = body.toString('latin1', at + marker.length, end).trimEnd()
    if (rest === '' || rest === '--') return { start: at, end, last: rest === '--' }
  }
  return undefined
}

function readHeaders(text: string): Map<string, string> {
  const lines = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  if (lines.length > MAX_HEADERS) throw new MalformedMultipart(`a part has more than ${MAX_HEADERS} headers`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    if (line === '') continue
    const colon = line.indexOf(':')
    if (colon < 1) throw new MalformedMultipart('a header of a part has no colon')
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

function readPart(body: Buffer): Part {
  // The empty line may be the first one: a part without headers.
  const window = body.subarray(0, MAX_HEADER_BYTES).toString('latin1')
  const empty = /(?:^|\n)\r?\n/.exec(window)
  if (empty === null) throw new MalformedMultipart('a part has no end of its headers')
  return {
    headers: readHeaders(window.slice(0, empty.index)),
    body: body.subarray(empty.index + empty[0].length),
  }
}

/** The line end before a delimiter belongs to the delimiter. */
function withoutLineEnd(body: Buffer): Buffer {
  let end = body.length
  if (body[end - 1] === LF) end--
  if (body[end - 1] === CR && end < body.length) end--
  return body.subarray(0, end)
}

export function readMultipart(body: Buffer, boundary: string): Part[] {
  const marker = Buffer.from(`--${boundary}`, 'latin1')
  const parts: Part[] = []
  let delimiter = nextDelimiter(body, marker, 0)
  if (delimiter === undefined) throw new MalformedMultipart('the boundary does not occur in the body')
  while (!delimiter.last) {
    if (parts.length === MAX_PARTS) throw new MalformedMultipart(`there are more than ${MAX_PARTS} parts`)
    const next = nextDelimiter(body, marker, delimiter.end)
    if (next === undefined) throw new MalformedMultipart('the closing boundary is missing')
    parts.push(readPart(withoutLineEnd(body.subarray(delimiter.end, next.start))))
    delimiter = next
  }
  if (parts.length === 0) throw new MalformedMultipart('there is no part')
  return parts
}
