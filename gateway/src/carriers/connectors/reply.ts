/**
 * A message from a recipient, or an opt-out or opt-in reported by its carrier. Connectors parse it from carrier requests;
 * `pipeline/receipts/reply-sink.ts` processes it.
 */
import { toDomestic } from './phone-number.ts'

export interface Reply {
  /** The recipient of our messages in the form of sends: digits in domestic form, or + and the country code. */
  readonly from: string
  /** The senders that it addresses. Empty if all accounts of the route share one. */
  readonly to: readonly ReplyAddress[]
  /** At most `maxReplyText` characters. `null` for events and files. */
  readonly text: string | null
  /** Set if the carrier itself reports that the recipient opts out of the sender's messages, or in again. */
  readonly choice?: 'opt-out' | 'opt-in'
  /** The carrier's own id. A reply that arrives twice with the same id is stored once. */
  readonly id?: string
  /** Sending time stated by the carrier. */
  readonly at?: Date
  /** Position of this part of a longer text. Parts have at most `maxReplyPart` characters. */
  readonly part?: ReplyPart
}

/** Parts with the same reference between the same two numbers form one text. */
export interface ReplyPart {
  readonly reference: number
  /** Size of the reference; references of different sizes are distinct. */
  readonly bits: 8 | 16
  /** 1 to `parts`, which is 2 to 255. */
  readonly part: number
  readonly parts: number
}

/** An address in the form in which senders are registered for accounts. */
export interface ReplyAddress {
  readonly kind: 'number' | 'international' | 'chatbot' | 'brand'
  readonly value: string
}

/** Expects `number` in the form of sends. */
export function toReplyAddress(number: string): ReplyAddress {
  return { kind: number.startsWith('+') ? 'international' : 'number', value: number }
}

export const maxReplyText = 10_000
/** Maximum characters of a part: an SMPP short message has at most 255 octets. A longer text is treated as complete. */
export const maxReplyPart = 255
const maxAddress = 64

/** Converts +8210…, 8210… and 010…, with any punctuation, to the form of sends. */
export function normalizeNumber(given: string): string {
  const digits = given.slice(0, maxAddress).replace(/[^\d+]/g, '')
  const international = /^82\d{8,10}$/.test(digits) ? `+${digits}` : digits
  return toDomestic(international, '82') ?? international
}
