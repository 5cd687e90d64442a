/** An incoming message (DeliverReq) as a reply: who sent it, to which of our numbers, and its text. Pure and bounded. */
import { maxReplyText, numberOf, type Reply } from '../reply.ts'
import { decode, parameter } from './soap.ts'
import { find, textAt, type XmlElement } from './xml.ts'

/** Texts that opt out are short: what follows these octets of a request is not searched. */
const maxOctets = 64 * 1024

/** Null without the number of the sender. */
export function readReply(operation: XmlElement, body: Buffer): Reply | null {
  const from = numberOf(addressesOf(find(operation, 'Sender'))[0] ?? '')
  if (from === '') return null
  const ours = addressesOf(find(operation, 'Recipients') ?? find(operation, 'Recipient')).map(numberOf)
  const text = textPart(body) ?? textAt(operation, 'Subject') ?? null
  return {
    from,
    to: ours.filter((value) => value !== '').map((value) => ({ kind: 'number', value })),
    text: text === null ? null : text.slice(0, maxReplyText),
  }
}

/** The numbers are in the element, or in elements below it. */
function addressesOf(element: XmlElement | undefined): string[] {
  if (element === undefined) return []
  return element.children.length === 0 ? [element.text] : element.children.flatMap(addressesOf)
}

/** The first text/plain part, at any depth of the multipart. */
function textPart(body: Buffer): string | null {
  // latin1 keeps every octet as one character, so that positions are those of the buffer.
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
  return decode(
    isBase64 ? Buffer.from(octets.toString('latin1'), 'base64') : octets,
    parameter(type, 'charset'),
  ).trim()
}
