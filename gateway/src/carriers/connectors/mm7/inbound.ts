/**
 * Handles delivery reports of the carrier. A readable report is acknowledged with status 1000 once its receipt is durable. Read
 * replies, incoming messages and keep-alives of KT are acknowledged and counted; incoming messages with a sender become
 * replies.
 */
import type { Receipt } from '../connector.ts'
import type { Inbound, InboundRequest, InboundResult } from '../options/kind.ts'
import { isSameSecret } from '../options/secrets.ts'
import { escapeXml } from './charset.ts'
import { dialects } from './dialect.ts'
import type { Mm7Options } from './options.ts'
import { portedTo } from './ported-codes.ts'
import { findReportCarrier, reportMeaning } from './report-codes.ts'
import { readReply } from './reply.ts'
import { readSoap, type SoapMessage } from './soap.ts'
import { writeEnvelope } from './submit-request.ts'
import { findElement, findText, type XmlElement } from './xml.ts'

const otherRequests: Readonly<Record<string, { readonly response: string; readonly event: string }>> = {
  ReadReplyReq: { response: 'ReadReplyRsp', event: 'read-reply' },
  DeliverReq: { response: 'DeliverRsp', event: 'reply' },
  // KT's check that the receiver of reports is alive.
  EchoReq: { response: 'EchoRsp', event: 'echo' },
}

export function mm7Inbound(options: Mm7Options): Inbound {
  return (request) => {
    if (!isAuthentic(options, request)) return { receipts: [], response: { status: 401 } }
    if (request.method !== 'POST') return { receipts: [], response: { status: 405 } }
    const message = readSoap(request.headers['content-type'] ?? '', request.body)
    if (message === null) return { receipts: [], response: { status: 400 } }
    return handle(options, message, request.body)
  }
}

function handle(options: Mm7Options, message: SoapMessage, body: Buffer): InboundResult {
  const { operation } = message
  // `DeliverReportReq` is the spelling of SKT.
  if (operation.name === 'DeliveryReportReq' || operation.name === 'DeliverReportReq') {
    const receipt = parseReceipt(options, message)
    if (receipt === null) return answer(options, message, 'VASPErrorRsp', '2007')
    return { ...answer(options, message, options.reportResponse, '1000'), receipts: [receipt] }
  }
  const other = Object.hasOwn(otherRequests, operation.name) ? otherRequests[operation.name] : undefined
  if (other === undefined) return answer(options, message, 'VASPErrorRsp', '4003')
  const reply = other.event === 'reply' ? readReply(operation, body) : null
  return {
    ...answer(options, message, other.response, '1000'),
    events: [other.event],
    ...(reply === null ? {} : { replies: [reply] }),
  }
}

/** Returns null without a message id or a status: the carrier must not take the report as read. */
function parseReceipt(options: Mm7Options, { transactionId, operation }: SoapMessage): Receipt | null {
  const carrierId = findText(operation, 'MessageID')
  const code = findText(operation, 'MMStatus') ?? findText(operation, 'Status', 'StatusCode')
  if (carrierId === undefined || code === undefined) return null
  const meaning = reportMeaning(options, code)
  const carrier = findReportCarrier(options, code, findText(operation, 'CalledNet'))
  return {
    carrierId,
    // Most carriers choose their own id; a report that returns our reference is matched by it.
    reference: transactionId,
    result: meaning === 'delivered' || meaning === 'pending' ? meaning : 'failed',
    cause: meaning === 'pending' ? 'temporary-failure' : meaning,
    ...(meaning === 'delivered' || meaning === 'pending' ? {} : portedTo(options, code)),
    code,
    recipient: parseAddress(findElement(operation, 'Recipient') ?? findElement(operation, 'Recipients')),
    sender: parseAddress(findElement(operation, 'Sender')),
    at: parseTime(options, findText(operation, 'TimeStamp') ?? findText(operation, 'Date')),
    ...(carrier === undefined ? {} : { carrier }),
  }
}

/** Reads the number from the element, or from the first element below it, at any depth. */
function parseAddress(element: XmlElement | undefined): string {
  const [inner] = element?.children ?? []
  return element === undefined ? '' : inner === undefined ? element.text : parseAddress(inner)
}

/** Korean carriers write Korean time, with or without its offset. */
function parseTime({ dialect }: Mm7Options, text: string | undefined): Date | null {
  if (text === undefined || text.length > 40) return null
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2}|GMT)$/.test(text)
  const at = new Date(hasOffset ? text : `${text}${dialect === '3gpp' ? 'Z' : '+09:00'}`)
  return Number.isNaN(at.getTime()) ? null : at
}

/** Writes only ASCII, which is the same in every charset. */
function answer(
  options: Mm7Options,
  { transactionId }: SoapMessage,
  operation: string,
  code: string,
): InboundResult {
  const version = escapeXml(options.version ?? dialects[options.dialect].version)
  const elements =
    `<MM7Version>${version}</MM7Version>` +
    `<Status><StatusCode>${code}</StatusCode><StatusText>${code === '1000' ? 'OK' : 'Error'}</StatusText></Status>`
  const xml = writeEnvelope(options, operation, transactionId, elements)
  const body = xml.replace(/[\u0080-\u{10ffff}]/gu, (character) => `&#${character.codePointAt(0)};`)
  const charset = options.charset ?? dialects[options.dialect].charset
  return { receipts: [], response: { status: 200, contentType: `text/xml; charset="${charset}"`, body } }
}

function isAuthentic(
  { webhookToken, previousWebhookToken, reportUser, reportPassword }: Mm7Options,
  request: InboundRequest,
): boolean {
  const { authorization = '' } = request.headers
  const basic = `Basic ${Buffer.from(`${reportUser}:${reportPassword}`).toString('base64')}`
  const tokens = [webhookToken, previousWebhookToken].filter((token) => token !== undefined)
  if (webhookToken !== undefined && !tokens.some((token) => isSameSecret(request.path, `/${token}`)))
    return false
  return reportUser === undefined || isSameSecret(authorization, basic)
}
