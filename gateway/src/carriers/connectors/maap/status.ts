/** Converts statuses to receipts, and other elements of the carriers' requests to replies and events. */
import type { MobileCarrier } from '../../../channels/mobile-carriers.ts'
import type { Receipt } from '../connector.ts'
import { toFields, readString } from '../http/json.ts'
import { parseMaapCode } from './response.ts'
import { toFailureCause, getReportDetail, findRcsMeaning, type CodeOverrides } from '../rcs-codes.ts'
import { carrierCodes } from './options.ts'
import { readKoreanTime } from '../http/korean-time.ts'
import { maxReplyText, normalizeNumber, type Reply } from '../reply.ts'

export interface StatusOptions {
  readonly codes: CodeOverrides
  readonly uncertain: 'failed' | 'pending'
}

export type StatusElement =
  | { readonly receipt: Receipt }
  | { readonly event: 'reply'; readonly reply: Reply }
  /** Counted and dropped. */
  | { readonly event: 'new-user' | 'other-status' }

/** Returns null if the element is unreadable. */
export function readElement(
  options: StatusOptions,
  element: unknown,
  carrierName: string | undefined,
): StatusElement | null {
  const fields = toFields(element)
  const { eventType, status } = fields
  if (eventType === 'newUser') return { event: 'new-user' }
  if (typeof eventType === 'string') return { event: 'reply', reply: parseReply(fields) }
  // The field of the carriers, then that of the relay.
  const id = readString(fields['clientMsgId'], 64) || readString(fields['msgId'], 64)
  if (id === '' || typeof status !== 'string') return null
  const word = status.toLowerCase()
  if (word !== 'success' && word !== 'fail') return { event: 'other-status' }
  const carrier = parseCarrier(readString(fields['mnoInfo'], 8) || carrierName)
  const code = parseMaapCode(toFields(fields['error'])['code'])
  return {
    receipt: {
      carrierId: id,
      // Our reference, unless other programs use the login.
      reference: id,
      ...(word === 'success'
        ? { result: 'delivered', cause: 'delivered', code: code === '' ? 'success' : code }
        : { ...parseFailure(options, code), code: code === '' ? 'fail' : code }),
      recipient: readString(fields['userContact'], 64),
      sender: readString(fields['chatbotId'], 64),
      at: readKoreanTime(fields['timestamp']) ?? readKoreanTime(fields['sentTime']),
      ...(carrier === undefined ? {} : { carrier }),
    },
  }
}

/** A tapped suggestion has its text in displayText. */
function parseReply(fields: Readonly<Record<string, unknown>>): Reply {
  const text = readString(toFields(fields['messageBody'])['textMessage']) || readString(fields['displayText'])
  const chatbot = readString(fields['chatbotId'], 64)
  const id = readString(fields['replyId'], 64)
  const at = readKoreanTime(fields['timestamp'])
  return {
    from: normalizeNumber(readString(fields['userContact'], 64)),
    to: chatbot === '' ? [] : [{ kind: 'chatbot', value: chatbot }],
    text: text === '' ? null : text.slice(0, maxReplyText),
    ...(id === '' ? {} : { id }),
    ...(at === null ? {} : { at }),
  }
}

function parseFailure(
  { codes, uncertain }: StatusOptions,
  code: string,
): Pick<Receipt, 'result' | 'cause' | 'reportCode'> {
  const cause = toFailureCause(findRcsMeaning(code, codes) ?? 'failed')
  return { result: cause === 'outcome-unknown' ? uncertain : 'failed', cause, ...getReportDetail(code) }
}

function parseCarrier(name: string | undefined): MobileCarrier | undefined {
  const key = name?.toLowerCase() ?? ''
  return Object.hasOwn(carrierCodes, key) ? carrierCodes[key as keyof typeof carrierCodes] : undefined
}
