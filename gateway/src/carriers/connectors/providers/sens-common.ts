/** Shared by the services of Naver SENS: signature, errors, and lists of results. */
import { createHmac } from 'node:crypto'
import { clock } from '../../../platform/time/clock.ts'
import {
  accountName,
  apiUrl,
  formatKoreanTime,
  getRequest,
  secret,
  standardOutcome,
  textAt,
  type ProviderResponse,
  type ProviderFailure,
  type ProviderRequest,
} from './kit/index.ts'
import { nextRange, readRange } from './time-range.ts'

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

/** Example options that the services have in common. */
export const sensExample = {
  accessKey: 'D78BB444D6D3C84CA38A',
  secretKey: 'env:POSTERN_ROUTE_SECRET_SENS_SECRET_KEY',
} as const

/** Keeps the colons of service ids, as in the documents: the signature covers the path as sent. */
export function sensServiceUrl({ url, serviceId }: SensAccount, service: string, path: string): string {
  const id = encodeURIComponent(serviceId).replaceAll('%3A', ':')
  return `${url.replace(/\/+$/, '')}/${service}/v2/services/${id}${path}`
}

/** Returns headers with signature v2 over method, path with query, time and access key. Valid for five minutes. */
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

/** The API Gateway returns `error.errorCode`, SENS itself `status` and `message`. */
export function parseSensError(answer: ProviderResponse): ProviderFailure {
  const { json, status } = answer
  const gatewayCode = textAt(json, 'error', 'errorCode')
  const code = gatewayCode === '' ? '' : `${status}/${gatewayCode}`
  const text = textAt(json, 'error', 'message') || textAt(json, 'message') || textAt(json, 'errorMessage')
  // The quota of the access key is exceeded; 410 and 420 are rate limits.
  const isQuota = status === 429 && gatewayCode === '400'
  // 403: the access key cannot use the service. 404: the service does not exist.
  if (isQuota || status === 403 || status === 404)
    return { kind: 'account-refused', code: code || `http:${status}`, text }
  return standardOutcome(answer, { code, text })
}

/** SENS returns 404 without a body if no message matches. */
export function isEmptyList({ status, text }: ProviderResponse): boolean {
  return status === 404 && text === ''
}

const overlapMs = 30_000

export function listRequest(
  url: string,
  cursor: string,
  now: Date,
  query: Readonly<Record<string, string>> = {},
): ProviderRequest {
  const { from, to, page } = readRange(cursor, now)
  return getRequest(url, {
    ...query,
    completeStartTime: formatKoreanTime(from),
    completeEndTime: formatKoreanTime(to),
    pageSize: 100,
    nextToken: page === '' ? undefined : page,
  })
}

export function nextPage(answer: ProviderResponse, cursor: string, now: Date) {
  const token = textAt(answer.json, 'nextToken')
  const hasMore = token !== '' && textAt(answer.json, 'hasMore') !== 'false'
  return { cursor: nextRange(readRange(cursor, now), hasMore ? token : null, overlapMs), hasMore }
}
