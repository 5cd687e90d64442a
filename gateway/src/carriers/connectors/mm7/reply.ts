/** Parses an incoming message (DeliverReq) as a reply: its sender, recipient and text. Reads a limited part of the body. */
import { maxReplyText, normalizeNumber, type Reply } from '../reply.ts'
import { decodeCharset, readHeaderParameter } from './soap.ts'
import { findElement, findText, type XmlElement } from './xml.ts'

/** Opt-out texts are short, so the rest of a request is not searched. */
const maxOctets = 64 * 1024

/** Returns null without the number of the sender. */
export function readReply(operation: XmlElement, body: Buffer): Reply | null {
  const from = normalizeNumber(readAddresses(findElement(operation, 'Sender'))[0] ?? '')
  if (from === '') return null
  const ours = readAddresses(findElement(operation, 'Recipients') ?? findElement(operation, 'Recipient')).map(
    normalizeNumber,
  )
  const text = textPart(body) ?? findText(operation, 'Subject') ?? null
  return {
    from,
    to: ours.filter((value) => value !== '').map((value) => ({ kind: 'number', value })),
    text: text === null ? null : text.slice(0, maxReplyText),
  }
}

/** Reads the numbers in the element, or in elements below it. */
function readAddresses(element: XmlElement | undefined): string[] {
  if (element === undefined) return []
  return element.children.length === 0 ? [element.text] : element.children.flatMap(readAddresses)
}

/** Returns the text of the first text/plain part, at any depth of the multipart. */
function textPart(body: Buffer): string | null {
  // latin1 maps every octet to one character, so that positions match those of the buffer.
  const source = body.subarray(0, maxOctets).toString('latin1')
  const at = /^content-type[ \t]*:[ \t]*text\/plain/im.exec(source)?.index
  if (at === undefined) return null
  const gap = /\r?\n[ \t]*\r?\n/.exec(source.slice(at))
  if (gap === null) return null
  const headersFrom = source.lastIndexOf('\n--', at)
  const headers = source.slice(Math.max(0, headersFrom), at + gap.index)
  const start = at + gap.index + gap[0].length
  const end = source.indexOf('\n--', start)
  const octets = body.subarray(start, end < 0 ? source.length : end)
  const isBase64 = /^content-transfer-encoding[ \t]*:[ \t]*base64/im.test(headers)
  const type = /^content-type[ \t]*:(.*(?:\r?\n[ \t].*)*)/im.exec(headers)?.[1] ?? ''
  return decodeCharset(
    isBase64 ? Buffer.from(octets.toString('latin1'), 'base64') : octets,
    readHeaderParameter(type, 'charset'),
  ).trim()
}
