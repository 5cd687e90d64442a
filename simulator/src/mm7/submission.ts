/**
 * Reads a request into a submission, or says why it is refused. Pure. It accepts any prefix, any release of the
 * namespace and any order of elements, as carriers must, and is strict about everything else: the structure of the
 * MIME parts, the encoding, well-formed XML, one recipient, JPEG images.
 */
import { MalformedMultipart, boundaryOf, parseHeaderValue, readMultipart } from '../shared/multipart.ts'
import type { Part } from '../shared/multipart.ts'
import { SubmissionRefused, decodeTransfer, leaves, readContent } from './content.ts'
import type { ReadPart, ReceivedPart } from './content.ts'
import type { Dialect, Refusal } from './dialect.ts'
import { decodeCharset } from './euc-kr.ts'
import type { Decoded } from './euc-kr.ts'
import { MalformedXml, child, parseXml } from './xml.ts'
import type { XmlElement } from './xml.ts'

export interface Submission {
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
  /** False when some octets of the envelope or of a text are not in the charset they claim. */
  readonly strictCharset: boolean
  /** Characters of the envelope and of the texts: about what a record of it takes. */
  readonly textLength: number
}

export interface Echo {
  readonly kind: 'echo'
  readonly transactionId: string
}

export interface Refused {
  readonly kind: 'refused'
  readonly refusal: Refusal
  readonly transactionId: string
  /** More than the dialect's code says; sent in the header `x-simulator-reason`. */
  readonly reason: string
}

export type ReadRequest = Submission | Echo | Refused

/** The text of the first element with this name, at any depth. */
function anywhere(element: XmlElement, name: string): string | undefined {
  if (element.name === name) return element.text
  for (const inner of element.children) {
    const found = anywhere(inner, name)
    if (found !== undefined) return found
  }
  return undefined
}

function recipientsOf(submit: XmlElement): string[] {
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
    throw new SubmissionRefused('xml', 'it is not a SOAP envelope')
  if (transactionId === '' || transactionId.length > MAX_TRANSACTION_ID) {
    throw new SubmissionRefused('xml', `it has no TransactionID of at most ${MAX_TRANSACTION_ID} characters`)
  }
  return { transactionId, operation }
}

function readSubmit(
  dialect: Dialect,
  { transactionId, operation }: Envelope,
  contents: readonly ReadPart[],
  source: Decoded,
): Submission {
  const sender = child(operation, 'SenderIdentification')
  const to = recipientsOf(operation)
  if (to.length === 0 || to.some((address) => !/^\+?[\d-]{3,20}$/.test(address))) {
    throw new SubmissionRefused('recipient', 'there is no valid recipient')
  }
  if (dialect.oneRecipient && to.length > 1)
    throw new SubmissionRefused('recipients', 'one recipient is allowed')
  if (contents.length === 0) throw new SubmissionRefused('content', 'there is no content')
  const optional = (name: string | undefined): string | null =>
    name === undefined ? null : (anywhere(operation, name) ?? null)
  const report = child(operation, 'DeliveryReport')?.text.toLowerCase()
  return {
    kind: 'submit',
    transactionId,
    vaspId: child(sender, 'VASPID')?.text ?? '',
    vasId: child(sender, 'VASID')?.text ?? '',
    partnerId: optional(dialect.partnerElement),
    // 3GPP puts an address element inside; the Korean dialects put the number itself.
    from: child(sender, 'SenderAddress')?.children[0]?.text ?? child(sender, 'SenderAddress')?.text ?? '',
    callback: optional(dialect.callbackElement),
    to,
    originCode: optional(dialect.originElement),
    subject: child(operation, 'Subject')?.text ?? null,
    wantsReport: report === undefined ? dialect.reportsByDefault : report === 'true',
    parts: contents.map(({ part }) => part),
    strictCharset: source.strict && contents.every(({ strict }) => strict),
    textLength: contents.reduce((sum, { part }) => sum + (part.text?.length ?? 0), source.text.length),
  }
}

export function readRequest(
  dialect: Dialect,
  contentType: string,
  body: Buffer,
  maxImageBytes: number,
): ReadRequest {
  let transactionId = ''
  try {
    const root: Part = { headers: new Map([['content-type', contentType]]), body }
    const { value, parameters } = parseHeaderValue(contentType)
    const parts = value.startsWith('multipart/') ? readMultipart(body, boundaryOf(contentType)) : [root]
    const start = parameters.get('start')
    const first =
      parts.find((part) => start !== undefined && part.headers.get('content-id') === start) ?? parts[0]!
    const soap = parseHeaderValue(first.headers.get('content-type') ?? '')
    if (soap.value !== 'text/xml') throw new SubmissionRefused('mime', 'the first part is not text/xml')
    const source = decodeCharset(decodeTransfer(first), soap.parameters.get('charset'))
    const envelope = readEnvelope(source.text)
    transactionId = envelope.transactionId
    if (dialect.echo && envelope.operation.name === 'EchoReq') return { kind: 'echo', transactionId }
    if (envelope.operation.name !== 'SubmitReq')
      throw new SubmissionRefused('operation', 'the operation is not supported')
    const contents = parts
      .filter((part) => part !== first)
      .flatMap((part) => leaves(part))
      .map((part) => readContent(part, maxImageBytes))
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
