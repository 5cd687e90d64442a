/**
 * A status of a message as a receipt, and other elements of the carriers’ requests as events. For webhooks and for the
 * relay’s query. Pure.
 */
import type { MobileCarrier } from '../../channels/mobile-carriers.ts'
import type { Receipt } from '../connector.ts'
import { fieldsOf, textOf } from '../json.ts'
import { codeOf } from './answer.ts'
import { causeOf, detailOf, meaningOf, type CodeOverrides } from '../rcs-codes.ts'
import { carrierCodes } from './options.ts'
import { readKoreanTime } from '../korean-time.ts'
import { maxReplyText, numberOf, type Reply } from '../reply.ts'

export interface StatusOptions {
  readonly codes: CodeOverrides
  readonly uncertain: 'failed' | 'pending'
}

export type StatusElement =
  | { readonly receipt: Receipt }
  | { readonly event: 'reply'; readonly reply: Reply }
  /** Counted and dropped. */
  | { readonly event: 'new-user' | 'other-status' }

/** Null when it cannot be read. */
export function readElement(
  options: StatusOptions,
  element: unknown,
  carrierName: string | undefined,
): StatusElement | null {
  const fields = fieldsOf(element)
  const { eventType, status } = fields
  if (eventType === 'newUser') return { event: 'new-user' }
  if (typeof eventType === 'string') return { event: 'reply', reply: replyOf(fields) }
  // The carriers’ name of it, then the relay’s.
  const id = textOf(fields['clientMsgId'], 64) || textOf(fields['msgId'], 64)
  if (id === '' || typeof status !== 'string') return null
  const word = status.toLowerCase()
  if (word !== 'success' && word !== 'fail') return { event: 'other-status' }
  const carrier = carrierOf(textOf(fields['mnoInfo'], 8) || carrierName)
  const code = codeOf(fieldsOf(fields['error'])['code'])
  return {
    receipt: {
      carrierId: id,
      // Ours, unless the login has other users.
      reference: id,
      ...(word === 'success'
        ? { result: 'delivered', cause: 'delivered', code: code === '' ? 'success' : code }
        : { ...failureOf(options, code), code: code === '' ? 'fail' : code }),
      recipient: textOf(fields['userContact'], 64),
      sender: textOf(fields['chatbotId'], 64),
      at: readKoreanTime(fields['timestamp']) ?? readKoreanTime(fields['sentTime']),
      ...(carrier === undefined ? {} : { carrier }),
    },
  }
}

/** A tapped suggestion has its text in displayText. */
function replyOf(fields: Readonly<Record<string, unknown>>): Reply {
  const text = textOf(fieldsOf(fields['messageBody'])['textMessage']) || textOf(fields['displayText'])
  const chatbot = textOf(fields['chatbotId'], 64)
  const id = textOf(fields['replyId'], 64)
  const at = readKoreanTime(fields['timestamp'])
  return {
    from: numberOf(textOf(fields['userContact'], 64)),
    to: chatbot === '' ? [] : [{ kind: 'chatbot', value: chatbot }],
    text: text === '' ? null : text.slice(0, maxReplyText),
    ...(id === '' ? {} : { id }),
    ...(at === null ? {} : { at }),
  }
}

function failureOf(
  { codes, uncertain }: StatusOptions,
  code: string,
): Pick<Receipt, 'result' | 'cause' | 'reportCode'> {
  const cause = causeOf(meaningOf(code, codes) ?? 'failed')
  return { result: cause === 'outcome-unknown' ? uncertain : 'failed', cause, ...detailOf(code) }
}

function carrierOf(name: string | undefined): MobileCarrier | undefined {
  const key = name?.toLowerCase() ?? ''
  return Object.hasOwn(carrierCodes, key) ? carrierCodes[key as keyof typeof carrierCodes] : undefined
}
