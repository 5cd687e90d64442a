/**
 * What a recipient has sent to us, or told its carrier about our messages. Connectors read it from what the carrier sends;
 * `pipeline/receipts/reply-sink.ts` decides what becomes of it. Pure.
 */
import { toDomestic } from './phone-number.ts'

export interface Reply {
  /** The recipient of our messages, as sends name it: digits in domestic form, or + and the country code. */
  readonly from: string
  /** The senders of ours that it went to. Empty: one that all accounts of the route share. */
  readonly to: readonly ReplyAddress[]
  /** Null where it has none, such as an event or a file. At most `maxReplyText` characters. */
  readonly text: string | null
  /** The carrier itself says that the recipient wants no messages of the sender, or wants them again. */
  readonly choice?: 'opt-out' | 'opt-in'
  /** The carrier's own id for it, where it has one: what is delivered twice with the same id is stored once. */
  readonly id?: string
  /** When the carrier says that it was sent. */
  readonly at?: Date
  /** Its place, when the text is a part of a longer one. Such a text has at most `maxReplyPart` characters. */
  readonly part?: ReplyPart
}

/** Parts with the same reference between the same two numbers are one text. */
export interface ReplyPart {
  readonly reference: number
  /** Size of the reference: those of different sizes differ. */
  readonly bits: 8 | 16
  /** From 1 to `parts`, which is 2 to 255. */
  readonly part: number
  readonly parts: number
}

/** As senders are registered for accounts. */
export interface ReplyAddress {
  readonly kind: 'number' | 'international' | 'chatbot' | 'brand'
  readonly value: string
}

/** `number` is in the form of sends. */
export function toReplyAddress(number: string): ReplyAddress {
  return { kind: number.startsWith('+') ? 'international' : 'number', value: number }
}

export const maxReplyText = 10_000
/** Characters of a part: an SMPP short message holds at most 255 octets. What is longer is a text of its own. */
export const maxReplyPart = 255
const maxAddress = 64

/** In the form of sends, from +8210…, 8210…, 010… and with any punctuation. */
export function numberOf(given: string): string {
  const digits = given.slice(0, maxAddress).replace(/[^\d+]/g, '')
  const international = /^82\d{8,10}$/.test(digits) ? `+${digits}` : digits
  return toDomestic(international, '82') ?? international
}
