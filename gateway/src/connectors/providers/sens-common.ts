/** What the services of Naver SENS share: the signature, errors, and lists of results. */
import { createHmac } from 'node:crypto'
import { clock } from '../../platform/clock.ts'
import {
  accountName,
  apiUrl,
  getRequest,
  secret,
  standardOutcome,
  textAt,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderRequest,
} from './kit/index.ts'

export const sensAccount = {
  url: apiUrl('https://sens.apigw.ntruss.com'),
  accessKey: accountName('Access key.', 64),
  secretKey: secret('Secret key of the access key.'),
}

export interface SensAccount {
  readonly url: string
  readonly accessKey: string
  readonly secretKey: string
  readonly serviceId: string
}

export const sensLogin = {
  accessKey: 'D78BB444D6D3C84CA38A',
  secretKey: 'env:POSTERN_ROUTE_SECRET_SENS_SECRET_KEY',
} as const

/** Ids of services contain colons. The documents send them as they are, and the signature covers the path as it is sent. */
export function serviceUrl({ url, serviceId }: SensAccount, service: string, path: string): string {
  const id = encodeURIComponent(serviceId).replaceAll('%3A', ':')
  return `${url.replace(/\/+$/, '')}/${service}/v2/services/${id}${path}`
}

/** Signature v2 of the API Gateway: method, path with query, time and access key. It is valid for five minutes. */
export function sign({ method, url }: ProviderRequest, { accessKey, secretKey }: SensAccount) {
  const { pathname, search } = new URL(url)
  const timestamp = String(clock.now())
  const signed = `${method} ${pathname}${search}\n${timestamp}\n${accessKey}`
  return {
    'x-ncp-apigw-timestamp': timestamp,
    'x-ncp-iam-access-key': accessKey,
    'x-ncp-apigw-signature-v2': createHmac('sha256', secretKey).update(signed).digest('base64'),
  }
}

/** The API Gateway answers with `error.errorCode`, SENS itself with `status` and `message`. */
export function readError(answer: ProviderAnswer): ProviderFailure {
  const { json, status } = answer
  const gatewayCode = textAt(json, 'error', 'errorCode')
  const code = gatewayCode === '' ? '' : `${status}/${gatewayCode}`
  const text = textAt(json, 'error', 'message') || textAt(json, 'message') || textAt(json, 'errorMessage')
  // The quota of the access key is used up; 410 and 420 are rates.
  const isQuota = status === 429 && gatewayCode === '400'
  // 403: the access key cannot use the service. 404: there is no such service.
  if (isQuota || status === 403 || status === 404)
    return { kind: 'account-refused', code: code || `http:${status}`, text }
  return standardOutcome(answer, { code, text })
}

/** SENS answers 404 without a body if no message matches. */
export function isEmptyList({ status, text }: ProviderAnswer): boolean {
  return status === 404 && text === ''
}

/** `2026-11-15 13:04:27`, Korean time. */
function sensTime(at: number): string {
  return new Date(at + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Windows of completion times are at most a day long. They overlap, because results appear with a delay. */
const maxWindowMs = 23 * 3_600_000
const overlapMs = 30_000

/** A window of completion times that is read page by page: `<from>`, or `<from>/<to>/<token>` after its first page. */
export function startCursor(now: Date): string {
  return `${now.getTime() - 3_600_000}`
}

function readCursor(cursor: string, now: Date) {
  const [from = '', to, ...token] = cursor.split('/')
  const end = to === undefined ? Math.min(now.getTime(), Number(from) + maxWindowMs) : Number(to)
  return { from: Number(from), to: end, token: token.join('/') }
}

export function listRequest(
  url: string,
  cursor: string,
  now: Date,
  query: Readonly<Record<string, string>> = {},
): ProviderRequest {
  const { from, to, token } = readCursor(cursor, now)
  return getRequest(url, {
    ...query,
    completeStartTime: sensTime(from),
    completeEndTime: sensTime(to),
    pageSize: 100,
    nextToken: token === '' ? undefined : token,
  })
}

export function nextPage(answer: ProviderAnswer, cursor: string, now: Date) {
  const { from, to } = readCursor(cursor, now)
  const token = textAt(answer.json, 'nextToken')
  const hasMore = token !== '' && textAt(answer.json, 'hasMore') !== 'false'
  return { cursor: hasMore ? `${from}/${to}/${token}` : `${to - overlapMs}`, hasMore }
}
