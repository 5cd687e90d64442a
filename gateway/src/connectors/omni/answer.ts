/** Answers of the service: the envelope of the API, or what something before the service answered. Pure. */
import type { HttpResult } from '../http-client.ts'
import { parseObject } from '../json.ts'

export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  /** Result code; empty when the answer is not of this API. */
  readonly code: string
  readonly result: string
  readonly body: Readonly<Record<string, unknown>>
  readonly retryAfterMs: number | null
}

export type CallResult =
  | Answer
  /** Certainly not received. */
  | { readonly kind: 'not-sent'; readonly code: string; readonly accountRefused: boolean }
  | { readonly kind: 'no-answer'; readonly code: string }

export function readAnswer(result: HttpResult): CallResult {
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
  }
}

/** The code of the service, or the status of an answer that has none. */
export function codeOf(result: CallResult): string {
  if (result.kind !== 'answer' || result.code !== '') return result.code
  return `http:${result.status}`
}

/** The code of an answer that refuses the token; null of any other. */
export function tokenRefusalOf(result: CallResult): string | null {
  if (result.kind !== 'answer') return null
  const isRefused =
    result.code === 'A001' || result.code === 'A002' || (result.code === '' && result.status === 401)
  return isRefused ? codeOf(result) : null
}
