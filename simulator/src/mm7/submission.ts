/**
 * Parses a request into a submission or the reason of its refusal. Accepts any prefix, namespace release and
 * element order, as carriers must. Strict about MIME structure, transfer encoding, well-formed XML, number of
 * recipients and JPEG images.
 */
import { MalformedMultipart, parseBoundary, parseHeaderValue, readMultipart } from '../shared/multipart.ts'
import type { MultipartPart } from '../shared/multipart.ts'
import { SubmissionRefused, decodeTransfer, leafParts, parseContent } from './content.ts'
import type { ParsedPart, ReceivedPart } from './content.ts'
import type { Dialect, Refusal } from './dialect.ts'
import { decodeCharset } from './euc-kr.ts'
import type { DecodedText } from './euc-kr.ts'
import { MalformedXml, child, parseXml } from './xml.ts'
import type { XmlElement } from './xml.ts'

export interface Mm7Submission {
  readonly kind: 'submit'
  readonly transactionId: string
  readonly vaspId: string
  readonly vasId: string
  readonly partnerId: string | null
  readonly from: string
  readonly callback: string | null
  readonly to: readonly string[]
  readonly originCode: string | null
  readonly subject: string | null
  readonly wantsReport: boolean
  readonly parts: readonly ReceivedPart[]
  /** Whether the envelope and all texts are valid in their declared charset. */
  readonly strictCharset: boolean
  /** Characters of the envelope and the texts: the approximate size of a log entry. */
  readonly textLength: number
}

export interface EchoRequest {
  readonly kind: 'echo'
  readonly transactionId: string
}

export interface RefusedRequest {
  readonly kind: 'refused'
  readonly refusal: Refusal
  readonly transactionId: string
  /** Details beyond the dialect's code; sent in the header `x-simulator-reason`. */
  readonly reason: string
}

export type Mm7Request = Mm7Submission | EchoRequest | RefusedRequest

/** Returns the text of the first element with this name at any depth. */
function findText(element: XmlElement, name: string): string | undefined {
  if (element.name === name) return element.text
  for (const inner of element.children) {
    const found = findText(inner, name)
    if (found !== undefined) return found
  }
  return undefined
}

function readRecipients(submit: XmlElement): string[] {
  const recipients = child(submit, 'Recipients')?.children ?? []
  return recipients
    .flatMap((kind) => kind.children)
    .filter(({ name }) => name === 'Number' || name === 'ShortCode' || name === 'RFC2822Address')
    .map(({ text }) => text)
    .filter((address) => address !== '')
}

const MAX_TRANSACTION_ID = 200

interface Envelope {
  readonly transactionId: string
  readonly operation: XmlElement
}

function readEnvelope(xml: string): Envelope {
  const envelope = parseXml(xml)
  const operation = child(envelope, 'Body')?.children[0]
  const transactionId = child(envelope, 'Header', 'TransactionID')?.text ?? ''
  if (envelope.name !== 'Envelope' || operation === undefined)
    throw new SubmissionRefused('xml', 'expected a SOAP envelope')
  if (transactionId === '' || transactionId.length > MAX_TRANSACTION_ID) {
    throw new SubmissionRefused('xml', `TransactionID must have 1 to ${MAX_TRANSACTION_ID} characters`)
  }
  return { transactionId, operation }
}

function readSubmit(
  dialect: Dialect,
  { transactionId, operation }: Envelope,
  contents: readonly ParsedPart[],
  source: DecodedText,
): Mm7Submission {
  const sender = child(operation, 'SenderIdentification')
  const to = readRecipients(operation)
  if (to.length === 0 || to.some((address) => !/^\+?[\d-]{3,20}$/.test(address))) {
    throw new SubmissionRefused('recipient', 'invalid or missing recipient')
  }
  if (dialect.oneRecipient && to.length > 1)
    throw new SubmissionRefused('recipients', 'at most one recipient allowed')
  if (contents.length === 0) throw new SubmissionRefused('content', 'content is required')
  const findOptional = (name: string | undefined): string | null =>
    name === undefined ? null : (findText(operation, name) ?? null)
  const report = child(operation, 'DeliveryReport')?.text.toLowerCase()
  return {
    kind: 'submit',
    transactionId,
    vaspId: child(sender, 'VASPID')?.text ?? '',
    vasId: child(sender, 'VASID')?.text ?? '',
    partnerId: findOptional(dialect.partnerElement),
    // 3GPP nests an address element; the Korean dialects contain the number directly.
    from: child(sender, 'SenderAddress')?.children[0]?.text ?? child(sender, 'SenderAddress')?.text ?? '',
    callback: findOptional(dialect.callbackElement),
    to,
    originCode: findOptional(dialect.originElement),
    subject: child(operation, 'Subject')?.text ?? null,
    wantsReport: report === undefined ? dialect.reportsByDefault : report === 'true',
    parts: contents.map(({ part }) => part),
    strictCharset: source.strict && contents.every(({ strict }) => strict),
    textLength: contents.reduce((sum, { part }) => sum + (part.text?.length ?? 0), source.text.length),
  }
}

export function parseMm7Request(
  dialect: Dialect,
  contentType: string,
  body: Buffer,
  maxImageBytes: number,
): Mm7Request {
  let transactionId = ''
  try {
    const wholeBody: MultipartPart = { headers: new Map([['content-type', contentType]]), body }
    const { value, parameters } = parseHeaderValue(contentType)
    const parts = value.startsWith('multipart/')
      ? readMultipart(body, parseBoundary(contentType))
      : [wholeBody]
    const start = parameters.get('start')
    const soapPart =
      parts.find((part) => start !== undefined && part.headers.get('content-id') === start) ?? parts[0]!
    const soapType = parseHeaderValue(soapPart.headers.get('content-type') ?? '')
    if (soapType.value !== 'text/xml') throw new SubmissionRefused('mime', 'the SOAP part must be text/xml')
    const source = decodeCharset(decodeTransfer(soapPart), soapType.parameters.get('charset'))
    const envelope = readEnvelope(source.text)
    transactionId = envelope.transactionId
    if (dialect.echo && envelope.operation.name === 'EchoReq') return { kind: 'echo', transactionId }
    if (envelope.operation.name !== 'SubmitReq')
      throw new SubmissionRefused('operation', 'unsupported operation')
    const contents = parts
      .filter((part) => part !== soapPart)
      .flatMap((part) => leafParts(part))
      .map((part) => parseContent(part, maxImageBytes))
    return readSubmit(dialect, envelope, contents, source)
  } catch (error) {
    if (error instanceof SubmissionRefused)
      return { kind: 'refused', refusal: error.refusal, transactionId, reason: error.message }
    if (error instanceof MalformedXml)
      return { kind: 'refused', refusal: 'xml', transactionId, reason: error.message }
    if (error instanceof MalformedMultipart) {
      return { kind: 'refused', refusal: 'mime', transactionId, reason: error.message }
    }
    throw error
  }
}
