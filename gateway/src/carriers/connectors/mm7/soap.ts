/**
 * Parses a SOAP message of a carrier, either the whole body or the first part of a multipart: its TransactionID and its operation.
 * Tolerates what published samples contain: blanks after a boundary, white space around values, any prefix. Limited in size.
 */
import { findElement, MalformedXml, maxXmlLength, parseXml, findText, type XmlElement } from './xml.ts'

export interface SoapMessage {
  /** Empty if there is none. */
  readonly transactionId: string
  readonly operation: XmlElement
}

const maxTransactionIdLength = 256
/** Limits the part of the headers that is searched. */
const maxHeaderLength = 4_000

/** Returns null unless the body is a SOAP message with an operation. */
export function readSoap(contentType: string, body: Buffer): SoapMessage | null {
  try {
    const source = soapPart(contentType, body)
    if (source === null || source.body.length > maxXmlLength) return null
    const envelope = parseXml(decodeCharset(source.body, source.charset))
    const operation = findElement(envelope, 'Body')?.children[0]
    if (envelope.name !== 'Envelope' || operation === undefined) return null
    const transactionId = findText(envelope, 'Header', 'TransactionID') ?? ''
    return { transactionId: transactionId.slice(0, maxTransactionIdLength), operation }
  } catch (error) {
    if (error instanceof MalformedXml) return null
    throw error
  }
}

interface Source {
  readonly body: Buffer
  readonly charset: string | undefined
}

function soapPart(contentType: string, body: Buffer): Source | null {
  const type = contentType.slice(0, 1_000)
  if (!/^\s*multipart\//i.test(type)) return { body, charset: readHeaderParameter(type, 'charset') }
  const boundary = readHeaderParameter(type, 'boundary')
  if (boundary === undefined || boundary.length > 200) return null
  // latin1 maps every octet to one character, so that positions match those of the buffer.
  const text = body.subarray(0, maxXmlLength).toString('latin1')
  const start = text.indexOf(`--${boundary}`)
  if (start < 0) return null
  const headersAt = text.indexOf('\n', start) + 1
  const blank = /\r?\n[ \t]*\r?\n/g
  blank.lastIndex = Math.max(0, headersAt - 1)
  const gap = headersAt === 0 ? null : blank.exec(text)
  if (gap === null) return null
  const headers = text.slice(headersAt, Math.min(gap.index, headersAt + maxHeaderLength))
  const bodyAt = gap.index + gap[0].length
  const end = text.indexOf(`\n--${boundary}`, bodyAt - 1)
  const octets = body.subarray(bodyAt, end < 0 ? body.length : Math.max(bodyAt, end))
  const partType = /^content-type[ \t]*:(.*(?:\r?\n[ \t].*)*)/im.exec(headers)?.[1] ?? ''
  const isBase64 = /^content-transfer-encoding[ \t]*:[ \t]*base64/im.test(headers)
  const decoded = isBase64 ? Buffer.from(octets.toString('latin1'), 'base64') : octets
  return { body: decoded, charset: readHeaderParameter(partType, 'charset') }
}

export function readHeaderParameter(headerValue: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(headerValue)
  return match?.[1] ?? match?.[2]
}

const korean = new TextDecoder('euc-kr')
const koreanNames = /^(?:euc-?kr|ks_?c_?5601(?:-1987)?|cp949|ms949|x-windows-949|uhc)$/i

/** Decodes by the MIME charset, otherwise by the XML declaration. Invalid octets become U+FFFD; codes are ASCII. */
export function decodeCharset(octets: Buffer, charset: string | undefined): string {
  const prolog = octets.subarray(0, 200).toString('latin1')
  const name =
    charset ?? /^[\s\uFEFF]*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/.exec(prolog)?.[1] ?? 'utf-8'
  if (koreanNames.test(name)) return korean.decode(octets).trimStart()
  if (/^iso-8859-1$/i.test(name)) return octets.toString('latin1').trimStart()
  return octets.toString('utf8').trimStart()
}
