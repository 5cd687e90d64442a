/** Builds the SOAP envelopes that the MMSC sends, with the element names and order of each dialect. */
import type { Mm7Code, Dialect, DialectName } from './dialect.ts'
import { escapeXml } from './xml.ts'

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'

interface Message {
  readonly name: string
  readonly namespace: string
  readonly transactionId: string
  /** Serialized elements below the operation. */
  readonly content: string
}

export function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`
}

function envelope(dialect: Dialect, { name, namespace, transactionId, content }: Message): string {
  const id = `<mm7:TransactionID xmlns:mm7="${namespace}" env:mustUnderstand="1">${escapeXml(transactionId)}</mm7:TransactionID>`
  // Published 3GPP samples qualify every element; those of the Korean carriers qualify only the operation.
  const prefix = dialect.qualified ? '' : 'mm7:'
  const declared = dialect.qualified ? 'xmlns' : 'xmlns:mm7'
  const body = `<${prefix}${name} ${declared}="${namespace}">${content}</${prefix}${name}>`
  return (
    `<?xml version="1.0" encoding="${dialect.charset}"?>` +
    `<env:Envelope xmlns:env="${SOAP}"><env:Header>${id}</env:Header><env:Body>${body}</env:Body></env:Envelope>`
  )
}

function status([code, text]: Mm7Code): string {
  return `<Status>${element('StatusCode', code)}${element('StatusText', text)}</Status>`
}

/** SKT and 3GPP place the version first, KT and LGU+ the status. */
function versionAndStatus(name: DialectName, dialect: Dialect, code: Mm7Code): string {
  const version = element('MM7Version', dialect.version)
  return name === 'skt' || name === '3gpp' ? version + status(code) : status(code) + version
}

export function submitResponse(
  name: DialectName,
  dialect: Dialect,
  transactionId: string,
  code: Mm7Code,
  messageId: string | undefined,
): string {
  const id = messageId === undefined ? '' : element('MessageID', messageId)
  const content = versionAndStatus(name, dialect, code) + id
  return envelope(dialect, { name: 'SubmitRsp', namespace: dialect.namespace, transactionId, content })
}

export function errorResponse(
  name: DialectName,
  dialect: Dialect,
  transactionId: string,
  code: Mm7Code,
): string {
  const content = versionAndStatus(name, dialect, code)
  return envelope(dialect, { name: 'RSErrorRsp', namespace: dialect.namespace, transactionId, content })
}

export function echoResponse(dialect: Dialect, transactionId: string): string {
  const content = `${element('MM7Version', dialect.version)}<Status>${element('StatusCode', '1000')}</Status>`
  return envelope(dialect, { name: 'EchoRsp', namespace: dialect.reportNamespace, transactionId, content })
}

export interface Report {
  readonly transactionId: string
  readonly messageId: string
  readonly from: string
  readonly to: string
  readonly code: Mm7Code
  readonly at: Date
}

/** Returns Korean time with its offset: `2026-11-15T13:04:27+09:00`. */
function koreanOffsetTime(at: Date): string {
  return `${new Date(at.getTime() + 9 * 3_600_000).toISOString().slice(0, 19)}+09:00`
}

const number = (text: string): string => element('Number', text)

export function reportRequest(name: DialectName, dialect: Dialect, report: Report): string {
  const { transactionId, messageId, from, to, code, at } = report
  const head = element('MM7Version', dialect.version) + element('MessageID', messageId)
  const message = (operation: string, content: string): string =>
    envelope(dialect, { name: operation, namespace: dialect.reportNamespace, transactionId, content })
  const outcome = (recipients: string): string =>
    `${head}${recipients}<Sender>${number(from)}</Sender>${element('TimeStamp', koreanOffsetTime(at))}${element('MMStatus', code[0])}`
  switch (name) {
    case 'skt': {
      // SKT spelling. CalledNet is the called network; its values are not published.
      const recipient = `<Recipient>${number(to)}</Recipient>${element('Sender', from)}${element('CalledNet', 'SKT')}`
      return message(
        'DeliverReportReq',
        head + recipient + element('TimeStamp', koreanOffsetTime(at)) + status(code),
      )
    }
    case 'kt':
      return message('DeliveryReportReq', outcome(`<Recipient>${number(to)}</Recipient>`))
    case 'lgu':
      return message('DeliveryReportReq', outcome(`<Recipients>${number(to)}</Recipients>`))
    case '3gpp': {
      const addresses = `<Recipient>${number(to)}</Recipient><Sender>${number(from)}</Sender>`
      const result =
        element('Date', at.toISOString()) + element('MMStatus', code[0]) + element('StatusText', code[1])
      return message('DeliveryReportReq', `${head}${addresses}${result}`)
    }
  }
}
