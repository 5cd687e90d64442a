/** Shared by the services of NHN Cloud Notification: login, response envelope, ids, times and webhooks. */
import { isMobileCarrier } from '../../../channels/mobile-carriers.ts'
import type { Cause } from '../../../channels/cause.ts'
import {
  accepted,
  accountName,
  getHeader,
  isSameSecret,
  listAt,
  readKoreanTime,
  readTime,
  secret,
  standardOutcome,
  textAt,
  Type,
  valueAt,
  type ProviderResponse,
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
    secret('Signature from the webhook settings of the console. Required for callbacks.'),
  ),
}

/** Example options that the services have in common. */
export const nhnExample = {
  appKey: 'akb3dukdmdjsdSvgk',
  secretKey: 'env:POSTERN_ROUTE_SECRET_NHN_SECRET_KEY',
  webhookSignature: 'env:POSTERN_ROUTE_SECRET_NHN_WEBHOOK_SIGNATURE',
  callbackUrl: 'https://sms.example.com/inbound/my-route',
} as const

/** Joins the two values that identify a message. */
export function joinId(document: unknown): string {
  const requestId = textAt(document, 'requestId')
  const recipientSeq = textAt(document, 'recipientSeq')
  return requestId === '' || recipientSeq === '' ? '' : `${requestId}:${recipientSeq}`
}

export function splitId(carrierId: string): readonly [requestId: string, recipientSeq: string] {
  const [requestId = '', recipientSeq = ''] = carrierId.split(':')
  return [requestId, recipientSeq]
}

export function isSuccessful({ json }: ProviderResponse): boolean {
  return valueAt(json, 'header', 'isSuccessful') === true
}

export interface NhnCodes {
  /** Codes about the app key, its project or its quota. */
  readonly account: ReadonlySet<string>
  /** Codes after which the message is possibly accepted. */
  readonly unknown: ReadonlySet<string>
  readonly causes: Readonly<Record<string, Cause>>
}

/** `sent` is the part of the response with the request id; `results` is the name of its list with one result per recipient. */
export function parseNhnSendResult(
  answer: ProviderResponse,
  { sent, results }: { readonly sent: unknown; readonly results: string },
  codes: NhnCodes,
): ProviderOutcome {
  const [result] = listAt(sent, results)
  const code = textAt(result, 'resultCode')
  if (isSuccessful(answer) && code === '0') {
    const id = joinId({ requestId: textAt(sent, 'requestId'), recipientSeq: textAt(result, 'recipientSeq') })
    if (id !== '') return accepted(id)
  }
  // The code of the recipient is more specific than that of a request whose recipients were all refused.
  const isRecipient = code !== '' && code !== '0'
  return parseNhnError(answer, isRecipient ? result : valueAt(answer.json, 'header'), codes)
}

/** NHN responds with 200 and a code in `header`; other statuses come from proxies before its services. */
export function parseNhnError(answer: ProviderResponse, document: unknown, codes: NhnCodes): ProviderFailure {
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

/** Reads results and opt-outs; ignores other events, such as changes of templates. */
export function nhnCallback(
  toReceipt: (hook: unknown) => ProviderReceipt,
): ProviderCallback<{ readonly webhookSignature?: string }> {
  return {
    verify(request, { account: { webhookSignature = '' } }) {
      const given = getHeader(request, 'x-toast-webhook-signature')
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

/** Parses `2018-08-10 10:06:42.0` and `2024-04-29T20:58:04`, which have no time zone. */
export function readNhnTime(document: unknown, ...names: readonly string[]): Date | null {
  for (const name of names) {
    const at = readKoreanTime(textAt(document, name))
    if (at !== null) return at
  }
  return null
}
