/** What the services of NHN Cloud Notification share: their login, the envelope of their answers, ids, times and webhooks. */
import { isMobileCarrier } from '../../channels/mobile-carriers.ts'
import type { Cause } from '../../channels/cause.ts'
import {
  accepted,
  accountName,
  headerOf,
  isSameSecret,
  listAt,
  readKoreanTime,
  readTime,
  secret,
  standardOutcome,
  textAt,
  Type,
  valueAt,
  type ProviderAnswer,
  type ProviderCallback,
  type ProviderFailure,
  type ProviderOutcome,
  type ProviderReceipt,
  type ProviderReply,
} from './kit/index.ts'

export const nhnAccount = {
  appKey: accountName('App key of the service.', 64),
  secretKey: secret('Secret key of the service.'),
  webhookSignature: Type.Optional(
    secret('Signature that was entered in the webhook settings of the console. Needed for callbacks.'),
  ),
}

export const nhnLogin = {
  appKey: 'akb3dukdmdjsdSvgk',
  secretKey: 'env:POSTERN_ROUTE_SECRET_NHN_SECRET_KEY',
  webhookSignature: 'env:POSTERN_ROUTE_SECRET_NHN_WEBHOOK_SIGNATURE',
  callbackUrl: 'https://sms.example.com/inbound/my-route',
} as const

/** An id of a message consists of two values. */
export function joinId(document: unknown): string {
  const requestId = textAt(document, 'requestId')
  const recipientSeq = textAt(document, 'recipientSeq')
  return requestId === '' || recipientSeq === '' ? '' : `${requestId}:${recipientSeq}`
}

export function splitId(carrierId: string): readonly [requestId: string, recipientSeq: string] {
  const [requestId = '', recipientSeq = ''] = carrierId.split(':')
  return [requestId, recipientSeq]
}

export function isSuccessful({ json }: ProviderAnswer): boolean {
  return valueAt(json, 'header', 'isSuccessful') === true
}

export interface NhnCodes {
  /** Codes that concern the app key, its project or its quota. */
  readonly account: ReadonlySet<string>
  /** Codes after which the message may have been accepted. */
  readonly unknown: ReadonlySet<string>
  readonly causes: Readonly<Record<string, Cause>>
}

/** `sent` is the part of the answer with the request id, and `results` names its list with one result for each recipient. */
export function readSent(
  answer: ProviderAnswer,
  { sent, results }: { readonly sent: unknown; readonly results: string },
  codes: NhnCodes,
): ProviderOutcome {
  const [result] = listAt(sent, results)
  const code = textAt(result, 'resultCode')
  if (isSuccessful(answer) && code === '0') {
    const id = joinId({ requestId: textAt(sent, 'requestId'), recipientSeq: textAt(result, 'recipientSeq') })
    if (id !== '') return accepted(id)
  }
  // The code of the recipient says more than that of a request all of whose recipients were refused.
  const isRecipient = code !== '' && code !== '0'
  return readError(answer, isRecipient ? result : valueAt(answer.json, 'header'), codes)
}

/** NHN answers with 200 and a code in `header`; other statuses come from what stands before its services. */
export function readError(answer: ProviderAnswer, document: unknown, codes: NhnCodes): ProviderFailure {
  const code = textAt(document, 'resultCode')
  const text = textAt(document, 'resultMessage')
  if (answer.status === 429 || code === '' || code === '0') return standardOutcome(answer, { code, text })
  if (codes.account.has(code)) return { kind: 'account-refused', code, text }
  if (codes.unknown.has(code)) return { kind: 'unknown', code, text }
  return { kind: 'refused', cause: codes.causes[code] ?? 'refused', code, text }
}

export function toMobileCarrier(code: string): Pick<ProviderReceipt, 'carrier'> {
  return isMobileCarrier(code) ? { carrier: code } : {}
}

/** Results and opt-outs. Other events, such as changes of templates, contain neither. */
export function nhnCallback(
  toReceipt: (hook: unknown) => ProviderReceipt,
): ProviderCallback<{ readonly webhookSignature?: string }> {
  return {
    verify(request, { account: { webhookSignature = '' } }) {
      const given = headerOf(request, 'x-toast-webhook-signature')
      return webhookSignature !== '' && isSameSecret(given, webhookSignature)
    },
    read(body) {
      if (!Array.isArray(valueAt(body, 'hooks'))) return null
      const hooks = listAt(body, 'hooks')
      const event = textAt(body, 'event')
      if (event === 'MESSAGE_RESULT_UPDATE') return { receipts: hooks.map(toReceipt) }
      return event === 'UNSUBSCRIBE' ? { replies: hooks.map(toOptOut) } : {}
    },
  }
}

function toOptOut(hook: unknown): ProviderReply {
  return {
    from: textAt(hook, 'recipientNo'),
    to: textAt(hook, 'unsubscribeNo'),
    text: null,
    choice: 'opt-out',
    id: textAt(hook, 'hookId'),
    at: readTime(textAt(hook, 'createdDateTime')),
  }
}

/** The documents give times as `2018-08-10 10:06:42.0` and as `2024-04-29T20:58:04`, without a zone. */
export function readNhnTime(document: unknown, ...names: readonly string[]): Date | null {
  for (const name of names) {
    const at = readKoreanTime(textAt(document, name))
    if (at !== null) return at
  }
  return null
}
