/**
 * Reads responses of providers. An unrecognized response is never a success, and one that can be a success is never a
 * refusal.
 */
import type { Cause } from '../../../../channels/cause.ts'
import { parseLosslessJson } from '../../http/lossless-json.ts'
import type { HttpResponse } from '../../http/http-client.ts'

/** Final for the attempt; the flow continues with its next step. */
export interface ProviderRefusal {
  readonly kind: 'refused'
  readonly cause: Cause
  readonly code: string
  readonly text: string
}

export type ProviderOutcome =
  | { readonly kind: 'accepted'; readonly carrierId: string }
  | { readonly kind: 'throttled'; readonly code: string; readonly retryAfterMs?: number }
  | ProviderRefusal
  /** The provider refuses the account: its login, credit or permission to send. The link pauses; no message fails. */
  | { readonly kind: 'account-refused'; readonly code: string; readonly text: string }
  /** Certainly not accepted, for a temporary reason. */
  | { readonly kind: 'unreachable'; readonly code: string; readonly text: string }
  /** Possibly accepted. */
  | { readonly kind: 'unknown'; readonly code: string; readonly text: string }

/** Every outcome except an acceptance. */
export type ProviderFailure = Exclude<ProviderOutcome, { readonly kind: 'accepted' }>

export interface ProviderResponse {
  readonly status: number
  /** Whether the status is 2xx. */
  readonly isSuccess: boolean
  readonly headers: HttpResponse['headers']
  /** Undefined if the body is not JSON. Integers beyond 2^53, such as 64-bit ids, are strings. */
  readonly json: unknown
  readonly text: string
  /** The pause from the Retry-After header. */
  readonly retryAfterMs: number | null
}

export function toProviderResponse({ status, headers, body, retryAfterMs }: HttpResponse): ProviderResponse {
  const text = body.toString()
  return {
    status,
    isSuccess: status >= 200 && status < 300,
    headers,
    json: parseJson(text),
    text,
    retryAfterMs,
  }
}

export function parseJson(text: string): unknown {
  try {
    return parseLosslessJson(text)
  } catch {
    return undefined
  }
}

/** Returns the value at a path of names and indexes, or undefined if the path does not exist. */
export function valueAt(document: unknown, ...path: readonly (string | number)[]): unknown {
  let value: unknown = document
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string | number, unknown>)[key]
  }
  return value
}

/** Returns the string, number or boolean at a path as a string, or an empty string. */
export function textAt(document: unknown, ...path: readonly (string | number)[]): string {
  const value = valueAt(document, ...path)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

export function listAt(document: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = valueAt(document, ...path)
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

/** The error stated in a response. */
export interface ProviderError {
  readonly code?: string
  readonly text?: string
  /** Default: `refused`. */
  readonly cause?: Cause | undefined
}

export function accepted(carrierId: string): ProviderOutcome {
  return { kind: 'accepted', carrierId }
}

export function refused(cause: Cause, code: string, text: string): ProviderRefusal {
  return { kind: 'refused', cause, code, text }
}

export function isRefusal(value: object): value is ProviderRefusal {
  return 'kind' in value && value.kind === 'refused'
}

/**
 * Returns the outcome of a response that the module does not recognize as accepted, by its status. 429 is throttled. 401 and
 * 402 concern the account, and so does a 403, 404, 405 or 407 without a provider code, because a firewall or a wrong URL
 * gives this response to all messages. A redirect was not processed. Any other 4xx refuses the message, except 408, which is
 * a timeout of the provider. Everything else, such as a 2xx of an unknown shape or a 5xx, is possibly accepted.
 */
export function standardOutcome(
  { status, retryAfterMs }: ProviderResponse,
  { code = '', text = '', cause = 'refused' }: ProviderError = {},
): ProviderFailure {
  const error = { code: code === '' ? `http:${status}` : code, text }
  if (status === 429)
    return { kind: 'throttled', code: error.code, ...(retryAfterMs === null ? {} : { retryAfterMs }) }
  const isAccountRefused =
    [401, 402].includes(status) || (code === '' && [403, 404, 405, 407].includes(status))
  if (isAccountRefused) return { kind: 'account-refused', ...error }
  if (status >= 300 && status < 400) return { kind: 'unreachable', ...error }
  if (status >= 400 && status < 500 && status !== 408) return { kind: 'refused', cause, ...error }
  return { kind: 'unknown', ...error }
}

/**
 * Parses `2026-11-15T13:04:27Z` with any offset, or seconds or milliseconds since 1970. Returns null for a time without a time
 * zone.
 */
export function readTime(value: unknown): Date | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1_000)
  if (/^\d{13}$/.test(text)) return new Date(Number(text))
  if (text.length > 40 || !/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return null
  const at = new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(at.getTime()) ? null : at
}

/** Adds the plus sign that providers omit from international numbers. Leaves short codes and text sender ids unchanged. */
export function withPlus(number: string): string {
  return /^[1-9]\d{6,14}$/.test(number) ? `+${number}` : number
}
