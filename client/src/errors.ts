/**
 * Every error that the client throws. An API error has the result code and text of the gateway; connection and client errors
 * have a word as their code, and their message says what to do next.
 */
export interface ErrorDetails {
  /** `Request-Id` of the response. */
  readonly requestId?: string | undefined
  readonly field?: string | undefined
  readonly cause?: unknown
}

export class PosternError extends Error {
  override readonly name: string = 'PosternError'
  /** A result code of the API such as `A306`, or a word for an error that did not come from the gateway. */
  readonly code: string
  /** The same call may succeed later. */
  readonly retryable: boolean = false
  /** Identifies the request in the logs of the gateway. Absent if there was no response. */
  readonly requestId: string | undefined
  /** Path of the wrong field, if the gateway names one. */
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
  /** Seconds to wait. */
  readonly retryAfter?: number | undefined
  readonly limit?: string | undefined
  readonly body?: ResponseBody | undefined
}

/** Every response of the gateway. */
export interface ResponseBody {
  readonly code: string
  readonly result: string
  readonly [field: string]: unknown
}

/** The gateway refused the request. */
export class PosternApiError extends PosternError {
  override readonly name: string = 'PosternApiError'
  readonly status: number
  /** The text of the gateway. */
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

/** 400, 415: the request must be corrected. */
export class InvalidRequestError extends PosternApiError {
  override readonly name = 'InvalidRequestError'
}

/** 401: the credentials are wrong or have ended. A token that expired is renewed without this error. */
export class AuthenticationError extends PosternApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: the account or the key lacks the permission. */
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
  /** Seconds to wait, if the response had them. */
  readonly retryAfter: number | undefined
  /** The exceeded limit in words. */
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
  /** Seconds to wait, if the response had them. */
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

const repeatSafely = 'Repeat a send only with the same idempotencyKey.'

/** There was no response. A send may have been accepted: repeat it with the same Idempotency-Key. */
export class ConnectionError extends PosternError {
  override readonly name = 'ConnectionError'
  override readonly retryable = true

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super('connection', `no response: ${reason}. Check baseUrl and the network. ${repeatSafely}`, { cause })
  }
}

/**
 * There was no response within `timeoutMs`, or the call did not end within `deadlineMs`. A send may have been accepted:
 * repeat it with the same Idempotency-Key.
 */
export class TimeoutError extends PosternError {
  override readonly name = 'TimeoutError'
  override readonly retryable = true

  constructor(timeoutMs: number) {
    super('timeout', `no response within ${timeoutMs} ms. ${repeatSafely}`)
  }
}

/** The response is not one of the gateway: a proxy, or a wrong address. After a 5xx a send may have been accepted. */
export class UnexpectedResponseError extends PosternError {
  override readonly name = 'UnexpectedResponseError'
  override readonly retryable: boolean
  readonly status: number

  constructor(status: number, problem: string, requestId?: string) {
    super(
      'unexpected-response',
      `HTTP ${status}: ${problem}. Check baseUrl and the proxies before the gateway. ${repeatSafely}`,
      { requestId },
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
    super('queue-full', `${maxQueued} calls are waiting already. Await earlier calls, or use send.all.`)
  }
}

/** The request did not come from the gateway, or is too old. Nothing in it can be trusted. */
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
