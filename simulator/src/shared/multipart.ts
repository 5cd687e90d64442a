/**
 * Parses multipart bodies (RFC 2046) of MM7 submissions and file uploads. The number of parts, header lines
 * and header bytes is limited, and the time is linear in the size. Throws MalformedMultipart. Tolerates bare
 * line feeds, blanks after a boundary and a preamble, as real senders write them.
 */

export class MalformedMultipart extends Error {
  override readonly name = 'MalformedMultipart'
}

export interface MultipartPart {
  /** Headers by lower-case name. The last of repeated headers counts. */
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
  /** Lower-cased value without parameters. */
  readonly value: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Parses a header such as `text/xml; charset="euc-kr"`. Parameter names are in lower case. */
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

export function parseBoundary(contentType: string): string {
  const boundary = parseHeaderValue(contentType).parameters.get('boundary')
  if (boundary === undefined || boundary === '' || boundary.length > MAX_BOUNDARY) {
    throw new MalformedMultipart('content type has no valid boundary')
  }
  return boundary
}

interface Delimiter {
  /** Start of the delimiter line. */
  readonly start: number
  /** Start of the following line. */
  readonly end: number
  readonly isLast: boolean
}

/** Finds the next line that is `--boundary` or `--boundary--`, ignoring trailing blanks. */
function nextDelimiter(body: Buffer, marker: Buffer, from: number): Delimiter | undefined {
  for (let at = body.indexOf(marker, from); at !== -1; at = body.indexOf(marker, at + 1)) {
    if (at !== 0 && body[at - 1] !== LF) continue
    const lineEnd = body.indexOf(LF, at)
    const end = lineEnd === -1 ? body.length : lineEnd + 1
    // A longer line is content that only begins like the delimiter.
    if (end - at > marker.length + MAX_BOUNDARY) continue
    const rest = body.toString('latin1', at + marker.length, end).trimEnd()
    if (rest === '' || rest === '--') return { start: at, end, isLast: rest === '--' }
  }
  return undefined
}

function readHeaders(text: string): Map<string, string> {
  const lines = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  if (lines.length > MAX_HEADERS) throw new MalformedMultipart(`part has more than ${MAX_HEADERS} headers`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    if (line === '') continue
    const colon = line.indexOf(':')
    if (colon < 1) throw new MalformedMultipart('part header has no colon')
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

function readPart(body: Buffer): MultipartPart {
  // A part without headers begins with the empty line.
  const beginning = body.subarray(0, MAX_HEADER_BYTES).toString('latin1')
  const empty = /(?:^|\n)\r?\n/.exec(beginning)
  if (empty === null) throw new MalformedMultipart('part has no empty line after its headers')
  return {
    headers: readHeaders(beginning.slice(0, empty.index)),
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

export function readMultipart(body: Buffer, boundary: string): MultipartPart[] {
  const marker = Buffer.from(`--${boundary}`, 'latin1')
  const parts: MultipartPart[] = []
  let delimiter = nextDelimiter(body, marker, 0)
  if (delimiter === undefined) throw new MalformedMultipart('boundary not found in the body')
  while (!delimiter.isLast) {
    if (parts.length === MAX_PARTS) throw new MalformedMultipart(`at most ${MAX_PARTS} parts allowed`)
    const next = nextDelimiter(body, marker, delimiter.end)
    if (next === undefined) throw new MalformedMultipart('closing boundary not found')
    parts.push(readPart(withoutLineEnd(body.subarray(delimiter.end, next.start))))
    delimiter = next
  }
  if (parts.length === 0) throw new MalformedMultipart('body has no parts')
  return parts
}
