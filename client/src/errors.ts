export interface ErrorDetails {
  /** `Request-Id` of the response. */
  readonly requestId?: string | undefined
  readonly field?: string | undefined
  readonly cause?: unknown
}

/**
 * Base class of the client's own errors. Invalid options throw a TypeError or RangeError, and an aborted call throws
 * the reason of its signal.
 */
export class PosternError extends Error {
  override readonly name: string = 'PosternError'
  /** Result code of the API, such as `A306`, or a word such as `timeout` if the gateway did not respond. */
  readonly code: string
  /** True if the same call may succeed later. */
  readonly retryable: boolean = false
  /** Identifies the request in the gateway log. Absent if there was no response. */
  readonly requestId: string | undefined
  /** Path of the invalid field, if the gateway names one. */
  readonly field: string | undefined

  constructor(code: string, message: string, { requestId, field, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.requestId = requestId
    this.field = field
  }
}

export interface ApiErrorDetails extends ErrorDetails {
  readonly code: string
  readonly result: string
  readonly status: number
  /** Seconds. */
  readonly retryAfter?: number | undefined
  readonly limit?: string | undefined
  readonly body?: ResponseBody | undefined
  /** For a failed send, unless the gateway states that it accepted nothing. */
  readonly perhapsAccepted?: boolean
}

/** Fields of every response. */
export interface ResponseBody {
  readonly code: string
  readonly result: string
  readonly [field: string]: unknown
}

/** Base class of error responses. */
export class PosternApiError extends PosternError {
  override readonly name: string = 'PosternApiError'
  readonly status: number
  /** Error text of the gateway. */
  readonly result: string
  readonly body: ResponseBody

  constructor(details: ApiErrorDetails) {
    const { code, result, status, body = { code, result } } = details
    super(code, `${code}: ${result}`, details)
    this.status = status
    this.result = result
    this.body = body
  }
}

/** Any other rejection, such as 400 or 415: the request must be corrected. */
export class InvalidRequestError extends PosternApiError {
  override readonly name = 'InvalidRequestError'
}

/** 401: the credentials are wrong or expired. An expired token is renewed without this error. */
export class AuthenticationError extends PosternApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: the account or the key lacks the permission. */
export class PermissionError extends PosternApiError {
  override readonly name = 'PermissionError'
}

/** 404: not found in this account. */
export class NotFoundError extends PosternApiError {
  override readonly name = 'NotFoundError'
}

/** A021: the Idempotency-Key was used for another request. */
export class ConflictError extends PosternApiError {
  override readonly name = 'ConflictError'
}

/** 429 after any retries, or a known rate limit that ends after the deadline of the call. */
export class RateLimitError extends PosternApiError {
  override readonly name = 'RateLimitError'
  override readonly retryable = true
  /** Seconds from `Retry-After`; `undefined` if the response has none. */
  readonly retryAfter: number | undefined
  /** Description of the exceeded limit. */
  readonly limit: string | undefined

  constructor(details: ApiErrorDetails) {
    super(details)
    this.retryAfter = details.retryAfter
    this.limit = details.limit
  }
}

/** 503, after any retries. */
export class UnavailableError extends PosternApiError {
  override readonly name = 'UnavailableError'
  override readonly retryable = true
  /** Seconds from `Retry-After`; `undefined` if the response has none. */
  readonly retryAfter: number | undefined
  /** True if an attempt of the send may have been accepted: retry it only with the same Idempotency-Key. */
  perhapsAccepted: boolean

  constructor(details: ApiErrorDetails) {
    super(details)
    this.retryAfter = details.retryAfter
    this.perhapsAccepted = details.perhapsAccepted ?? false
  }
}

/** Other 5xx, after any retries. A send may have been accepted. */
export class ServerError extends PosternApiError {
  override readonly name = 'ServerError'
  override readonly retryable = true
}

const retryAdvice = 'Retry a send only with the same idempotencyKey.'

/** There was no response. A send may have been accepted: retry it only with the same Idempotency-Key. */
export class ConnectionError extends PosternError {
  override readonly name = 'ConnectionError'
  override readonly retryable = true

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super('connection', `no response: ${reason}; check baseUrl and the network. ${retryAdvice}`, { cause })
  }
}

/**
 * There was no response, or no more data of a download, within `timeoutMs`, or the call took longer than
 * `deadlineMs`. A send may have been accepted: retry it only with the same Idempotency-Key.
 */
export class TimeoutError extends PosternError {
  override readonly name = 'TimeoutError'
  override readonly retryable = true

  constructor(timeoutMs: number) {
    super('timeout', `timed out after ${timeoutMs} ms. ${retryAdvice}`)
  }
}

/** The response came from a proxy or another server, or is too long. After a 5xx a send may have been accepted. */
export class UnexpectedResponseError extends PosternError {
  override readonly name = 'UnexpectedResponseError'
  override readonly retryable: boolean
  readonly status: number

  constructor(status: number, problem: string, requestId?: string) {
    super(
      'unexpected-response',
      `HTTP ${status}: ${problem}; check baseUrl and the proxies in front of the gateway. ${retryAdvice}`,
      { requestId },
    )
    this.retryable = status >= 500
    this.status = status
  }
}

/** `maxQueued` calls are already waiting. */
export class QueueFullError extends PosternError {
  override readonly name = 'QueueFullError'
  override readonly retryable = true

  constructor(maxQueued: number) {
    super('queue-full', `at most ${maxQueued} calls can wait; await earlier calls or use send.all`)
  }
}

/** The request was not signed by the gateway, or its time is too far from now. Do not trust its content. */
export class WebhookVerificationError extends PosternError {
  override readonly name = 'WebhookVerificationError'

  constructor(message: string) {
    super('webhook', message)
  }
}

export function createApiError(details: ApiErrorDetails): PosternApiError {
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
