/**
 * Reads the answers of providers. An answer that no module knows is never a success, and one that may be a success is never
 * a refusal.
 */
import type { Cause } from '../../../channels/cause.ts'
import { parseExact } from '../../exact-json.ts'
import type { HttpAnswer } from '../../http-client.ts'

/** Final for the attempt; the flow goes on with its next step. */
export interface Refusal {
  readonly kind: 'refused'
  readonly cause: Cause
  readonly code: string
  readonly text: string
}

export type ProviderOutcome =
  | { readonly kind: 'accepted'; readonly carrierId: string }
  | { readonly kind: 'throttled'; readonly code: string; readonly retryAfterMs?: number }
  | Refusal
  /** The provider refuses the account: its login, its credit or its right to send. The link pauses; no message fails. */
  | { readonly kind: 'account-refused'; readonly code: string; readonly text: string }
  /** Certainly not accepted, for a temporary reason. */
  | { readonly kind: 'unreachable'; readonly code: string; readonly text: string }
  /** Possibly accepted. */
  | { readonly kind: 'unknown'; readonly code: string; readonly text: string }

/** Everything but an acceptance. */
export type ProviderFailure = Exclude<ProviderOutcome, { readonly kind: 'accepted' }>

export interface ProviderAnswer {
  readonly status: number
  /** 2xx. */
  readonly isSuccess: boolean
  readonly headers: HttpAnswer['headers']
  /** Undefined if the body is not JSON. An integer that a number cannot hold, such as an id of 64 bits, is its text. */
  readonly json: unknown
  readonly text: string
  /** The pause that the header Retry-After asks for. */
  readonly retryAfterMs: number | null
}

export function toProviderAnswer({ status, headers, body, retryAfterMs }: HttpAnswer): ProviderAnswer {
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
    return parseExact(text)
  } catch {
    return undefined
  }
}

/** The value at a path of names and indexes; undefined where the document has another shape. */
export function valueAt(document: unknown, ...path: readonly (string | number)[]): unknown {
  let value: unknown = document
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string | number, unknown>)[key]
  }
  return value
}

/** The text or number at a path, as a text; empty if there is none. */
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

/** The error that an answer names. */
export interface ProviderError {
  readonly code?: string
  readonly text?: string
  /** Default: `refused`. */
  readonly cause?: Cause | undefined
}

export function accepted(carrierId: string): ProviderOutcome {
  return { kind: 'accepted', carrierId }
}

export function refused(cause: Cause, code: string, text: string): Refusal {
  return { kind: 'refused', cause, code, text }
}

export function isRefusal(value: object): value is Refusal {
  return 'kind' in value && value.kind === 'refused'
}

/**
 * The outcome of an answer that the module does not recognize as accepted. By its status: 429 is throttled; 401 and 402
 * concern the account, and so does a 403, 404, 405 or 407 without a code of the provider, because a firewall or a wrong
 * address answers all messages like this; a redirect was not processed; any other 4xx refuses the message, except 408, a
 * time-out of the provider's own. Everything else, such as a 2xx of an unknown shape or a 5xx, may have been accepted.
 */
export function standardOutcome(
  { status, retryAfterMs }: ProviderAnswer,
  { code = '', text = '', cause = 'refused' }: ProviderError = {},
): ProviderFailure {
  const error = { code: code === '' ? `http:${status}` : code, text }
  if (status === 429)
    return { kind: 'throttled', code: error.code, ...(retryAfterMs === null ? {} : { retryAfterMs }) }
  const isAccount = [401, 402].includes(status) || (code === '' && [403, 404, 405, 407].includes(status))
  if (isAccount) return { kind: 'account-refused', ...error }
  if (status >= 300 && status < 400) return { kind: 'unreachable', ...error }
  if (status >= 400 && status < 500 && status !== 408) return { kind: 'refused', cause, ...error }
  return { kind: 'unknown', ...error }
}

/** `2026-11-15T13:04:27Z`, with any offset, or seconds or milliseconds since 1970. Null for a time without a zone. */
export function readTime(value: unknown): Date | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1_000)
  if (/^\d{13}$/.test(text)) return new Date(Number(text))
  if (text.length > 40 || !/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return null
  const at = new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(at.getTime()) ? null : at
}

/** For providers that write international numbers without the plus. Short codes and text sender ids stay as they are. */
export function withPlus(number: string): string {
  return /^[1-9]\d{6,14}$/.test(number) ? `+${number}` : number
}
