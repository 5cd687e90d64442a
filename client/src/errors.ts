/**
 * Every error that the client throws. Each has a `code` and an `action`, which says what to do next. An error of the API
 * has the result code and the text of the gateway; errors of the connection and of the client have codes of their own.
 */
import { resultCodes } from './generated/result-codes.ts'

export class PosternError extends Error {
  override readonly name: string = 'PosternError'
  /** A result code of the API such as `A306`, or a word for an error that did not come from the gateway. */
  readonly code: string
  /** What to do next. */
  readonly action: string
  /** The same call may succeed later. */
  readonly retryable: boolean = false

  constructor(code: string, message: string, action: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.action = action
  }
}

export interface ApiErrorDetails {
  readonly code: string
  /** The text of the gateway. */
  readonly result: string
  readonly status: number
  /** Seconds, if the answer gave them. */
  readonly retryAfter?: number | undefined
  /** Which limit was exceeded, in words. */
  readonly limit?: string | undefined
  readonly answer?: Answer | undefined
}

/** What the gateway answered. */
export interface Answer {
  readonly code: string
  readonly result: string
  readonly [field: string]: unknown
}

/** The gateway refused the request. */
export class PosternApiError extends PosternError {
  override readonly name: string = 'PosternApiError'
  readonly status: number
  readonly result: string
  /** Why this code is answered, in general; `result` says what was wrong with this request. */
  readonly reason: string
  readonly answer: Answer

  constructor({ code, result, status, answer = { code, result } }: ApiErrorDetails) {
    const known = resultCodes[code]
    super(code, `${code}: ${result}`, known?.action ?? 'See the codes in the documentation of the gateway.')
    this.status = status
    this.result = result
    this.answer = answer
    this.reason = known?.cause ?? ''
  }
}

/** 400, 415: the request must be corrected. */
export class InvalidRequestError extends PosternApiError {
  override readonly name = 'InvalidRequestError'
  /** Path of the wrong field, if the gateway names one. */
  readonly field: string | undefined

  constructor(details: ApiErrorDetails) {
    super(details)
    this.field = /^Invalid or empty '([^']+)'/.exec(details.result)?.[1]
  }
}

/** 401: the credentials are wrong or have ended. A token that expired is renewed without this error. */
export class AuthenticationError extends PosternApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: the account or the key may not do this. */
export class PermissionError extends PosternApiError {
  override readonly name = 'PermissionError'
}

/** 404: unknown to this account. */
export class NotFoundError extends PosternApiError {
  override readonly name = 'NotFoundError'
}

/** A021: the Idempotency-Key belongs to another request. */
export class ConflictError extends PosternApiError {
  override readonly name = 'ConflictError'
}

/** 429, after all retries. */
export class RateLimitError extends PosternApiError {
  override readonly name = 'RateLimitError'
  override readonly retryable = true
  readonly retryAfter: number | undefined
  readonly limit: string | undefined

  constructor(details: ApiErrorDetails) {
    super(details)
    this.retryAfter = details.retryAfter
    this.limit = details.limit
  }
}

/** 503, after all retries. */
export class UnavailableError extends PosternApiError {
  override readonly name = 'UnavailableError'
  override readonly retryable = true
  readonly retryAfter: number | undefined
  /** The send may have been accepted. Repeat it only with the same Idempotency-Key. */
  readonly perhapsAccepted: boolean

  constructor(details: ApiErrorDetails) {
    super(details)
    this.retryAfter = details.retryAfter
    this.perhapsAccepted = details.code === 'A022' || details.result.includes('perhaps accepted')
  }
}

/** 500 and other errors of the server, after all retries. A send may have been accepted. */
export class ServerError extends PosternApiError {
  override readonly name = 'ServerError'
  override readonly retryable = true
}

/** There was no answer. A send may have been accepted: repeat it with the same Idempotency-Key. */
export class ConnectionError extends PosternError {
  override readonly name = 'ConnectionError'
  override readonly retryable = true

  constructor(cause: unknown) {
    super(
      'connection',
      `no answer: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Check the address and the network. Repeat a send only with the same idempotencyKey.',
      cause,
    )
  }
}

/**
 * There was no answer within `timeoutMs`, or the call did not end within `deadlineMs`. A send may have been accepted:
 * repeat it with the same Idempotency-Key.
 */
export class TimeoutError extends PosternError {
  override readonly name = 'TimeoutError'
  override readonly retryable = true

  constructor(timeoutMs: number) {
    super(
      'timeout',
      `no answer within ${timeoutMs} ms`,
      'Raise timeoutMs or deadlineMs, or repeat later. Repeat a send only with the same idempotencyKey.',
    )
  }
}

/** The answer is not one of the gateway: a proxy, or a wrong address. After a 5xx a send may have been accepted. */
export class UnexpectedAnswerError extends PosternError {
  override readonly name = 'UnexpectedAnswerError'
  override readonly retryable: boolean
  readonly status: number

  constructor(status: number, what: string) {
    super(
      'unexpected-answer',
      `HTTP ${status}: ${what}`,
      'Check that baseUrl is the gateway, and what answers in front of it. Repeat a send only with the same idempotencyKey.',
    )
    this.retryable = status >= 500
    this.status = status
  }
}

/** More calls wait for a connection than `maxQueued` allows. */
export class QueueFullError extends PosternError {
  override readonly name = 'QueueFullError'
  override readonly retryable = true

  constructor(maxQueued: number) {
    super(
      'queue-full',
      `${maxQueued} calls are waiting already`,
      'Await earlier calls before starting more, or use send.all for large numbers.',
    )
  }
}

/** The request did not come from the gateway, or is too old. Nothing of it may be trusted. */
export class WebhookVerificationError extends PosternError {
  override readonly name = 'WebhookVerificationError'

  constructor(message: string, action: string) {
    super('webhook', message, action)
  }
}

export function apiError(details: ApiErrorDetails): PosternApiError {
  const { code, status } = details
  if (code === 'A021') return new ConflictError(details)
  if (status === 401) return new AuthenticationError(details)
  if (status === 403) return new PermissionError(details)
  if (status === 404) return new NotFoundError(details)
  if (status === 429) return new RateLimitError(details)
  if (status === 503) return new UnavailableError(details)
  if (status >= 500) return new ServerError(details)
  return new InvalidRequestError(details)
}
