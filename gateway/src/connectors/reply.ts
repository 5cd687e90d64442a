/**
 * What a recipient has sent to us, or told its carrier about our messages. Connectors read it from what the carrier sends;
 * `pipeline/receipts/opt-outs.ts` decides what becomes of it. Pure.
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
}

/** As senders are registered for accounts. */
export interface ReplyAddress {
  readonly kind: 'number' | 'chatbot' | 'brand'
  readonly value: string
}

export const maxReplyText = 1_000
const maxAddress = 64

/** In the form of sends, from +8210…, 8210…, 010… and with any punctuation. */
export function numberOf(given: string): string {
  const digits = given.slice(0, maxAddress).replace(/[^\d+]/g, '')
  const international = /^82\d{8,10}$/.test(digits) ? `+${digits}` : digits
  return toDomestic(international, '82') ?? international
}
