/** Reads an upload of recipients, as CSV or as JSON lines, without holding more than one page of it uncompressed. */
import type { Hash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { FieldProblem, Problem } from '../../contract/problem.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { hashRecipient, packJson, type BatchLine } from '../../records/batches/lines.ts'
import type { NewPage } from '../../records/batches/uploads.ts'
import { areStrings } from '../accept/omni.ts'
import { normalizeSdkBody } from '../accept/sdk-compat.ts'

export const uploadBytes = 16 * 1024 * 1024
export const maxLineBytes = 64 * 1024
const maxColumns = 100
/** Longer than any number in any notation. */
const maxToLength = 40
/** Limits names and values of the placeholders of a line together. The longest text of a channel has 2,000 characters. */
export const maxWordsLength = 8_192
/** Every line repeats the names, so a long header would multiply an upload of short lines. */
const maxNameLength = 64
const maxHeaderLength = 2_048
const linesPerPage = 1_000
/** A page of long lines ends earlier, because workers read a whole page. */
const pageLength = 512 * 1024

export const uploadTypes = ['text/csv', 'application/x-ndjson'] as const
export type UploadType = (typeof uploadTypes)[number]

export const BatchRecipient = Type.Object(
  {
    to: Type.String({ maxLength: maxToLength, description: 'Recipient number, as in sends' }),
    ref: Type.Optional(
      Type.String({ description: 'Reference of the message, instead of that of the batch' }),
    ),
    replaceWords: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: `Values for the placeholders #{key}, at most ${maxWordsLength} characters with their names; numbers and booleans are converted to strings`,
      }),
    ),
  },
  { additionalProperties: false, description: 'A recipient of a batch' },
)
const recipient = Compile(BatchRecipient)

/** Yields the lines of an upload. Adds its bytes to the hash. Throws a Problem that names the first invalid line. */
export function readUpload(body: Readable, type: UploadType, hash: Hash): AsyncIterable<BatchLine> {
  const text = decode(body, hash)
  return type === 'text/csv' ? readCsv(text) : readJsonLines(text)
}

/** Leaves the body open after an error, so that the client can read the response. */
async function* decode(body: Readable, hash: Hash): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > uploadBytes)
      throw new Problem(
        'A300',
        `Wrong request: an upload must have at most ${uploadBytes} bytes; split it into several parts`,
      )
    hash.update(chunk)
    yield decodeText(() => decoder.decode(chunk, { stream: true }))
  }
  yield decodeText(() => decoder.decode())
}

function decodeText(decodeNext: () => string): string {
  try {
    return decodeNext()
  } catch {
    throw new Problem('A300', 'Wrong request: the upload must be UTF-8')
  }
}

interface CsvRow {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<BatchLine> {
  const parser = parse({ skip_empty_lines: true, max_record_size: maxLineBytes, info: true })
  // Errors of the source reach the reader of the parser.
  pipeline(Readable.from(text), parser, () => undefined)
  let names: readonly string[] | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRow>) {
      if (names === undefined) names = readHeader(record)
      else yield requireLimits(toLine(names, record), info.lines)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = (error as { lines?: number }).lines ?? 1
    const reason =
      error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH'
        ? 'must have as many fields as the header line'
        : 'is not valid CSV'
    throw invalidLine(line, reason)
  }
}

function readHeader(record: readonly string[]): readonly string[] {
  const names = record.map((name) => name.trim())
  if (!names.includes('to'))
    throw invalidLine(
      1,
      "must be a header with the column 'to'; optional columns are 'ref' and placeholder names",
    )
  if (names.includes('') || new Set(names).size < names.length)
    throw invalidLine(1, 'must have a different name for each column')
  if (names.length > maxColumns) throw invalidLine(1, `must have at most ${maxColumns} columns`)
  if (names.some(({ length }) => length > maxNameLength) || names.join('').length > maxHeaderLength)
    throw invalidLine(1, `must have names of at most ${maxNameLength} characters, ${maxHeaderLength} in all`)
  return names
}

/** An empty `ref` counts as absent; an empty value of a placeholder is a value. */
function toLine(names: readonly string[], record: readonly string[]): BatchLine {
  let [to, ref] = ['', '']
  const words: [string, string][] = []
  for (const [index, name] of names.entries()) {
    const value = record[index]!
    if (name === 'to') to = value.trim()
    else if (name === 'ref') ref = value
    else words.push([name, value])
  }
  return {
    to,
    ...(ref !== '' && { ref }),
    ...(words.length > 0 && { replaceWords: Object.fromEntries(words) }),
  }
}

async function* readJsonLines(text: AsyncIterable<string>): AsyncGenerator<BatchLine> {
  let rest = ''
  let number = 0
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      number += 1
      requireShort(line, number)
      if (line.trim() !== '') yield readJsonLine(line, number)
    }
    requireShort(rest, number + 1)
  }
  if (rest.trim() !== '') yield readJsonLine(rest, number + 1)
}

function requireShort(line: string, number: number): void {
  if (Buffer.byteLength(line) > maxLineBytes) throw invalidLine(number, 'is too long')
}

function readJsonLine(text: string, number: number): BatchLine {
  const line = parseLine(text)
  if (recipient.Check(line) && areStrings(line.replaceWords ?? {})) return requireLimits(line, number)
  throw invalidLine(
    number,
    `must be an object with to of at most ${maxToLength} characters, and optionally ref and replaceWords`,
  )
}

function requireLimits(line: BatchLine, number: number): BatchLine {
  if (line.to.length > maxToLength)
    throw invalidLine(number, `must have a recipient of at most ${maxToLength} characters`)
  if (!areShortStrings(line.replaceWords ?? {}))
    throw invalidLine(number, `must have placeholders of at most ${maxWordsLength} characters in all`)
  return line
}

export function areShortStrings(words: Readonly<Record<string, unknown>>): boolean {
  const length = Object.entries(words).reduce(
    (sum, [name, value]) => sum + name.length + String(value).length,
    0,
  )
  return areStrings(words) && length <= maxWordsLength
}

function parseLine(text: string): unknown {
  try {
    const body = normalizeSdkBody('omni', { recipients: [JSON.parse(text) as unknown] })
    return (body as { readonly recipients: readonly unknown[] }).recipients[0]
  } catch {
    return undefined
  }
}

function invalidLine(line: number, reason: string): Problem {
  const field = `line ${line}`
  return new FieldProblem('A300', `Wrong request: ${field} ${reason}`, field, reason)
}

export interface PackedLines {
  readonly lines: number
  readonly pages: readonly NewPage[]
}

export interface PackOptions {
  readonly batchKey: string
  readonly part: number
  readonly accountId: number
  readonly index: BlindIndex
  readonly maxLines: number
}

/** Packs the lines into pages. Throws a Problem if there are none, or more than `maxLines`. */
export async function packUpload(
  lines: AsyncIterable<BatchLine> | Iterable<BatchLine>,
  { batchKey, part, accountId, index, maxLines }: PackOptions,
): Promise<PackedLines> {
  const pages: NewPage[] = []
  const hashes = new BigInt64Array(linesPerPage)
  let count = 0
  let texts: string[] = []
  let length = 0
  const pack = async (): Promise<void> => {
    const stored = await packJson({ batchKey, part, page: pages.length }, `[${texts.join(',')}]`)
    pages.push({ ...stored, lines: texts.length, hashes: hashes.slice(0, texts.length) })
    texts = []
    length = 0
  }
  for await (const line of lines) {
    if (++count > maxLines) throw tooManyLines(maxLines)
    const text = JSON.stringify(line)
    hashes[texts.length] = hashRecipient(index, accountId, line.to)
    texts.push(text)
    length += text.length
    if (texts.length === linesPerPage || length >= pageLength) await pack()
  }
  if (texts.length > 0) await pack()
  if (count === 0) throw new Problem('A300', 'Wrong request: the upload has no lines')
  return { lines: count, pages }
}

export function tooManyLines(maxLines: number): Problem {
  return new Problem(
    'A352',
    `Batch limit reached: a batch has at most ${maxLines} lines; create another batch for the rest`,
  )
}
