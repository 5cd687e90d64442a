/** Responses of the service: the envelope of the API, or the response of a proxy before the service. */
import { acceptanceHeader } from '../../../contract/acceptance.ts'
import type { HttpResult } from '../http/http-client.ts'
import { parseObject } from '../http/json.ts'

export interface OmniResponse {
  readonly kind: 'answer'
  readonly status: number
  /** Result code; empty if the response is not from this API. */
  readonly code: string
  readonly result: string
  readonly body: Readonly<Record<string, unknown>>
  readonly retryAfterMs: number | null
  /** True only if the service states that it accepted no message. */
  readonly isNotAccepted: boolean
}

export type OmniCallResult =
  | OmniResponse
  /** Certainly not received. */
  | { readonly kind: 'not-sent'; readonly code: string; readonly accountRefused: boolean }
  | { readonly kind: 'no-answer'; readonly code: string }

export function parseOmniResponse(result: HttpResult): OmniCallResult {
  if (result.kind === 'not-sent') return { kind: result.kind, code: result.code, accountRefused: false }
  if (result.kind !== 'answer') return { kind: 'no-answer', code: result.code }
  const body = parseObject(result.body.toString()) ?? {}
  return {
    kind: 'answer',
    status: result.status,
    code: typeof body['code'] === 'string' && /^[A-Z0-9]{4,8}$/.test(body['code']) ? body['code'] : '',
    result: typeof body['result'] === 'string' ? body['result'].slice(0, 256) : '',
    body,
    retryAfterMs: result.retryAfterMs,
    isNotAccepted: result.headers[acceptanceHeader] === 'no',
  }
}

/** Returns the code of the service, or the HTTP status of a response without one. */
export function getOmniCode(result: OmniCallResult): string {
  if (result.kind !== 'answer' || result.code !== '') return result.code
  return `http:${result.status}`
}

/** Returns the code of a response that refuses the token, and null for every other response. */
export function findTokenRefusal(result: OmniCallResult): string | null {
  if (result.kind !== 'answer') return null
  const isRefused =
    result.code === 'A001' || result.code === 'A002' || (result.code === '' && result.status === 401)
  return isRefused ? getOmniCode(result) : null
}
