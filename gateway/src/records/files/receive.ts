/**
 * Reads a multipart upload into a spool and scans it on the way. Stops at the first byte over the limit and
 * holds one chunk in memory. Every client error is a Problem.
 */
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../contract/problem.ts'
import { ImageScanner } from './image/scan.ts'
import { inspectImage, type InspectedImage } from './inspect.ts'
import type { ImageRule } from './rules.ts'
import type { Spool } from './storage/spool.ts'

export const partName = 'file'
export const maxNameLength = 40
/** Allowance for boundaries and headers around one file. */
const envelopeBytes = 16 * 1024

export type ReceivedImage = InspectedImage & { readonly bytes: number }

export async function receiveImage(
  request: FastifyRequest,
  rule: ImageRule,
  spool: Spool,
): Promise<ReceivedImage> {
  if (!request.isMultipart()) {
    throw new Problem(
      'A213',
      `Wrong request: the body must be multipart/form-data with the image in the part '${partName}'`,
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > rule.maxBytes + envelopeBytes) throw tooLarge(rule)
  let received: ReceivedImage | null = null
  for await (const part of readParts(request, rule)) {
    if (received !== null) throw new Problem('A213', 'Wrong request: the body must have exactly one part')
    received = await receivePart(part, rule, spool)
  }
  if (received === null) throw noFile(`the request has no part '${partName}'`)
  return received
}

async function receivePart(part: Multipart, rule: ImageRule, spool: Spool): Promise<ReceivedImage> {
  if ((part.fieldname as string | undefined) === undefined || part.fieldname === '') {
    const expected = `Content-Disposition: form-data; name="${partName}"; filename="…"`
    throw new Problem('A207', `Wrong content disposition: the part has no name; send ${expected}`)
  }
  if (part.fieldname !== partName) {
    throw new Problem('A213', `Wrong request: the part must have the name '${partName}'`)
  }
  if (part.type === 'field') {
    throw new Problem('A208', `Wrong file name: the part '${partName}' has none; add a filename to it`)
  }
  const declared = { fileName: getFileName(part), contentType: part.mimetype.toLowerCase() }
  const scanner = new ImageScanner()
  let bytes = 0
  for await (const chunk of readChunks(part)) {
    bytes += chunk.length
    if (bytes > rule.maxBytes) throw tooLarge(rule)
    scanner.push(chunk)
    await spool.write(chunk)
  }
  if (bytes === 0) throw noFile('the file is empty')
  return { ...inspectImage(rule, scanner.finish(), declared), bytes }
}

function getFileName(part: MultipartFile): string {
  // Some systems write a letter and its accent as two characters; NFC counts them as one.
  const name = ((part.filename as string | undefined) ?? '').normalize('NFC')
  if (name.length > maxNameLength) {
    throw new Problem(
      'A201',
      `File name too long: must be at most ${maxNameLength} characters, found ${name.length}`,
    )
  }
  return name
}

/** Reads the parts. A parser error is the client's: the body is malformed. */
async function* readParts(request: FastifyRequest, rule: ImageRule): AsyncGenerator<Multipart> {
  const limits = {
    parts: 3,
    files: 2,
    fields: 2,
    fieldSize: 1024,
    fieldNameSize: 100,
    headerPairs: 20,
    fileSize: rule.maxBytes + 1,
  }
  // The parser would wait forever for a request that was closed before it started.
  if (request.raw.destroyed) throw malformed(new Error('the connection was closed'))
  try {
    yield* request.parts({ limits })
  } catch (error) {
    throw malformed(error)
  }
}

async function* readChunks(part: MultipartFile): AsyncGenerator<Buffer> {
  try {
    yield* part.file as AsyncIterable<Buffer>
  } catch (error) {
    throw malformed(error)
  }
}

function malformed(error: unknown): Problem {
  return new Problem('A213', `Wrong request: the multipart body is malformed (${(error as Error).message})`)
}

function noFile(reason: string): Problem {
  return new Problem('A204', `No file: ${reason}`)
}

function tooLarge(rule: ImageRule): Problem {
  return new Problem('A200', `File too large: must be at most ${rule.maxBytes} bytes`)
}
