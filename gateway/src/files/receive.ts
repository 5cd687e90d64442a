/**
 * Reads a multipart upload into a spool, measuring it on the way. Stops at the first byte over the limit; holds one
 * chunk in memory. Whatever a client does wrong here is a Problem.
 */
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../contract/problem.ts'
import { ImageScanner } from './image/scan.ts'
import { inspectImage, type InspectedImage } from './inspect.ts'
import type { ImageRule } from './rules.ts'
import type { Spool } from './spool.ts'

export const partName = 'file'
export const maxNameLength = 40
/** Boundaries and headers around one file. */
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
      `Wrong request: send multipart/form-data with the image in the part '${partName}'`,
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > rule.maxBytes + envelopeBytes) throw tooBig(rule)
  let received: ReceivedImage | null = null
  for await (const part of partsOf(request, rule)) {
    if (received !== null) throw new Problem('A213', 'Wrong request: one part only, the file')
    received = await receivePart(part, rule, spool)
  }
  if (received === null) throw noFile('there is no part in the request')
  return received
}

async function receivePart(part: Multipart, rule: ImageRule, spool: Spool): Promise<ReceivedImage> {
  if (part.fieldname !== partName) {
    throw new Problem('A213', `Wrong request: the file goes into the part named '${partName}'`)
  }
  if (part.type === 'field') throw noFile(`the part '${partName}' is text; give it a filename`)
  const claim = { fileName: nameOf(part), contentType: part.mimetype.toLowerCase() }
  const scanner = new ImageScanner()
  let bytes = 0
  for await (const chunk of chunksOf(part)) {
    bytes += chunk.length
    if (bytes > rule.maxBytes) throw tooBig(rule)
    scanner.push(chunk)
    await spool.write(chunk)
  }
  if (bytes === 0) throw noFile('the file is empty')
  return { ...inspectImage(rule, scanner.finish(), claim), bytes }
}

function nameOf(part: MultipartFile): string {
  // Some systems spell a letter and its accent apart; a name is as long as it looks.
  const name = ((part.filename as string | undefined) ?? '').normalize('NFC')
  if (name.length > maxNameLength) {
    throw new Problem('A201', `File name too long: at most ${maxNameLength} characters`)
  }
  return name
}

/** A fault of the parser is the client's: what it parses is theirs. */
async function* partsOf(request: FastifyRequest, rule: ImageRule): AsyncGenerator<Multipart> {
  const limits = {
    parts: 3,
    files: 2,
    fields: 2,
    fieldSize: 1024,
    fieldNameSize: 100,
    headerPairs: 20,
    fileSize: rule.maxBytes + 1,
  }
  // The parser waits for ever for a request that was cut off before it began to listen.
  if (request.raw.destroyed) throw malformed(new Error('the connection was closed'))
  try {
    yield* request.parts({ limits })
  } catch (error) {
    throw malformed(error)
  }
}

async function* chunksOf(part: MultipartFile): AsyncGenerator<Buffer> {
  try {
    yield* part.file as AsyncIterable<Buffer>
  } catch (error) {
    throw malformed(error)
  }
}

function malformed(error: unknown): Problem {
  return new Problem('A213', `Wrong request: the multipart body is damaged (${(error as Error).message})`)
}

function noFile(reason: string): Problem {
  return new Problem('A204', `No file: ${reason}`)
}

function tooBig(rule: ImageRule): Problem {
  return new Problem('A200', `File too big: at most ${rule.maxBytes} bytes`)
}
