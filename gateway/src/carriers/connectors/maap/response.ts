/**
 * Reads a response of a carrier or of the KT relay: `{status, data}` or `{status, error: {code, message}}`. Errors can have any
 * HTTP status. Never throws; the client limits the size.
 */
import type { HttpResponse } from '../http/http-client.ts'
import { toFields, parseObject, type JsonFields } from '../http/json.ts'

export interface MaapResponse {
  readonly httpStatus: number
  /** True only for HTTP 2xx with a body of status 200 and without an error. */
  readonly isSuccess: boolean
  /** Result code of five digits; empty if the response has none. */
  readonly code: string
  readonly text: string
  readonly data: JsonFields
  /** Whether a success has a `reason`: accepted, but something should be corrected. */
  readonly hasWarning: boolean
  readonly retryAfterMs: number | null
}

const maxTextLength = 256

export function parseMaapResponse({ status: httpStatus, body, retryAfterMs }: HttpResponse): MaapResponse {
  const fields = parseObject(body.toString()) ?? {}
  const error = toFields(fields['error'])
  const code = parseMaapCode(error['code'])
  const status = fields['status']
  const isSuccess =
    httpStatus >= 200 && httpStatus < 300 && (status === '200' || status === 200) && !isError(fields['error'])
  const text = typeof error['message'] === 'string' ? error['message'].slice(0, maxTextLength) : ''
  const hasWarning = isSuccess && parseMaapCode(toFields(fields['reason'])['code']) !== ''
  return { httpStatus, isSuccess, code, text, data: toFields(fields['data']), hasWarning, retryAfterMs }
}

/** Returns true for any non-empty error, even if its code cannot be read. */
function isError(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
}

/** Reads a code, which is a number in the code lists and a string in the examples. */
export function parseMaapCode(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\d{5}$/.test(text) ? text : ''
}
