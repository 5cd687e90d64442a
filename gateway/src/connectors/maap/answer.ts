/**
 * Reads an answer of a carrier or of the KT relay: `{status, data}` or `{status, error: {code, message}}`. Errors may come
 * with any HTTP status. Never throws; what is read is bounded by the client. Pure.
 */
import type { HttpAnswer } from '../http-client.ts'
import { fieldsOf, parseObject, type Fields } from '../json.ts'

export interface Answer {
  readonly httpStatus: number
  /** True only for HTTP 2xx whose body says 200 and no error. */
  readonly isSuccess: boolean
  /** Result code of five digits; empty when there is none. */
  readonly code: string
  readonly text: string
  readonly data: Fields
  /** A `reason` beside a success: accepted, but something should be corrected. */
  readonly hasWarning: boolean
  readonly retryAfterMs: number | null
}

const maxTextLength = 256

export function readAnswer({ status: httpStatus, body, retryAfterMs }: HttpAnswer): Answer {
  const fields = parseObject(body.toString()) ?? {}
  const error = fieldsOf(fields['error'])
  const code = codeOf(error['code'])
  const status = fields['status']
  const isSuccess =
    httpStatus >= 200 && httpStatus < 300 && (status === '200' || status === 200) && !isError(fields['error'])
  const text = typeof error['message'] === 'string' ? error['message'].slice(0, maxTextLength) : ''
  const hasWarning = isSuccess && codeOf(fieldsOf(fields['reason'])['code']) !== ''
  return { httpStatus, isSuccess, code, text, data: fieldsOf(fields['data']), hasWarning, retryAfterMs }
}

/** Any but an empty one, also when its code cannot be read. */
function isError(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
}

/** A number in the code lists, a text in the examples. */
export function codeOf(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\d{5}$/.test(text) ? text : ''
}
