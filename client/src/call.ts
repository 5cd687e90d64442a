/**
 * Calls the API with a token, within the client's concurrency and the gateway's rate limits. Retries a call that
 * cannot take effect twice, up to `retry.attempts` and `deadlineMs`.
 */
import { sleep, withDeadline } from './abortable.ts'
import {
  AuthenticationError,
  PosternError,
  RateLimitError,
  UnavailableError,
  type ResponseBody,
} from './errors.ts'
import {
  operations,
  type OperationAddress,
  type OperationId,
  type Operations,
} from './generated/operations.ts'
import {
  readChunks,
  readCsvHead,
  readJson,
  readSend,
  sendRequest,
  type HttpRequest,
  type HttpResponse,
  type ReadBody,
} from './http.ts'
import type { Settings } from './options.ts'
import { RateLimits } from './rate-limits.ts'
import { Slots } from './slots.ts'
import { Tokens } from './tokens.ts'

export interface CallOptions {
  /** Ends the call and its retries. */
  readonly signal?: AbortSignal | undefined
  /** Ends the call and its retries with a TimeoutError. Default: the client's `deadlineMs`. */
  readonly deadlineMs?: number | undefined
}

/** The `data` of a response. */
export type ResponseData<Id extends OperationId> = Operations[Id]['response'] extends {
  readonly data: infer Data
}
  ? Data
  : never

export interface SendOptions extends CallOptions {
  /**
   * Defaults to a new key per call, which its retries reuse. Set it to repeat a send of another process.
   * `null` sends without a key, which works while Redis is unavailable; such a send is not retried if it may
   * have been accepted.
   */
  readonly idempotencyKey?: string | null | undefined
  /** Send time, at most 60 days ahead. */
  readonly sendAt?: Date | string | undefined
  /** Time limit for the delivery. A flow sets `ttl` in each message instead. */
  readonly ttlSeconds?: number | undefined
}

type Part<Id extends OperationId, Name extends string> =
  Operations[Id] extends Record<Name, infer Value> ? Record<Name, Value> : object

export type CallInput<Id extends OperationId> = Part<Id, 'path'> &
  Partial<Part<Id, 'query'>> &
  Part<Id, 'body'> & { readonly headers?: Readonly<Record<string, string>> }

export type PathParameters = Readonly<Record<string, string | number>>

interface RequestParts {
  readonly path?: PathParameters
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

interface RequestKind<Body> {
  readonly read: ReadBody<Body>
  readonly address: OperationAddress
  readonly idempotent: boolean
}

/** Matches the IDs of operations that are not idempotent. */
const notIdempotent = /^(send|register|create|rotate|test)/

/**
 * Reports whether a call can be retried although it may have been processed: after a lost response, a
 * timeout, or a 5xx of the gateway or a proxy. Other calls are retried only if the gateway responds that
 * nothing was done.
 */
function isIdempotent(id: OperationId, { query, headers }: RequestParts): boolean {
  return !notIdempotent.test(id) || query?.dryRun === true || new Headers(headers).has('idempotency-key')
}

export class Caller {
  readonly #settings: Settings
  readonly #tokens: Tokens
  readonly #slots: Slots
  readonly #limits: RateLimits

  constructor(settings: Settings) {
    this.#settings = settings
    this.#slots = new Slots(settings.concurrency, settings.maxQueued)
    this.#limits = new RateLimits(settings.maxQueued)
    this.#tokens = new Tokens(settings, (request) =>
      this.#callWithRetry(readJson, '/v1/auth/token', true, () => request, settings),
    )
  }

  async call<Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    options: CallOptions = {},
  ): Promise<Operations[Id]['response']> {
    const parts = input as RequestParts
    const read = id.startsWith('send') ? readSend : readJson
    return this.#request(
      { read, address: operations[id], idempotent: isIdempotent(id, parts) },
      parts,
      options,
    )
  }

  /** Sends content that is not JSON. The request must be idempotent. */
  async upload(
    address: OperationAddress,
    path: PathParameters,
    content: Blob,
    options: CallOptions = {},
  ): Promise<ResponseBody> {
    return this.#request({ read: readJson, address, idempotent: true }, { path, body: content }, options)
  }

  /** Yields the text of a CSV response. The time limits apply until it begins, then `timeoutMs` to each pause. */
  async *download(
    address: OperationAddress,
    path: PathParameters,
    options: CallOptions = {},
  ): AsyncGenerator<string, void> {
    const response = await this.#request({ read: readCsvHead, address, idempotent: true }, { path }, options)
    yield* readChunks(response, this.#settings.timeoutMs, options.signal)
  }

  async #request<Body>(
    { read, address, idempotent }: RequestKind<Body>,
    parts: RequestParts,
    options: CallOptions,
  ): Promise<Body> {
    const request = this.#createRequest(address, parts)
    // The gateway holds the response until the next item arrives, at most for this time.
    const waitMs = Number(parts.query?.wait ?? 0) * 1000
    const limits = {
      timeoutMs: this.#settings.timeoutMs + waitMs,
      deadlineMs: (options.deadlineMs ?? this.#settings.deadlineMs) + waitMs,
    }
    const { body } = await withDeadline(limits.deadlineMs, options.signal, (signal) => {
      const withToken = async (): Promise<HttpRequest> => ({
        ...request,
        headers: { ...request.headers, authorization: await this.#tokens.authorization(signal) },
      })
      return this.#callWithRetry(read, address.path, idempotent, withToken, limits, signal)
    })
    return body
  }

  async callForData<Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    options?: CallOptions,
  ): Promise<ResponseData<Id>> {
    const body: ResponseBody = await this.call(id, input, options)
    return body.data as ResponseData<Id>
  }

  #createRequest(
    { method, path: template }: OperationAddress,
    { path = {}, query = {}, body, headers = {} }: RequestParts,
  ): HttpRequest {
    const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(path[name] ?? ''),
    )
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) search.set(name, String(value))
    }
    const url = `${this.#settings.baseUrl}${filled}${search.size === 0 ? '' : `?${search.toString()}`}`
    if (body === undefined) return { method, url, headers }
    if (body instanceof FormData || body instanceof Blob) return { method, url, headers, body }
    // Serialized once: a retry with the same Idempotency-Key must send the same bytes.
    return {
      method,
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
  }

  async #callWithRetry<Body>(
    read: ReadBody<Body>,
    path: string,
    idempotent: boolean,
    prepare: () => HttpRequest | Promise<HttpRequest>,
    { timeoutMs, deadlineMs }: Pick<Settings, 'timeoutMs' | 'deadlineMs'>,
    signal?: AbortSignal,
  ): Promise<HttpResponse<Body>> {
    const { retry } = this.#settings
    const endsAt = performance.now() + deadlineMs
    let renewed = false
    let failures = 0
    let perhapsAccepted = false
    for (let attempt = 1; ; attempt++) {
      await this.#limits.waitUntilOpen(path, endsAt, signal)
      const request = await prepare()
      try {
        const response = await this.#slots.run(
          () => sendRequest(this.#settings, request, read, { attempt, timeoutMs }, signal),
          signal,
        )
        this.#limits.observe(path, response.headers)
        return response
      } catch (error) {
        if (!(error instanceof PosternError)) throw error
        // What a later attempt was told does not apply to an earlier one without a response.
        if (error instanceof UnavailableError) perhapsAccepted = error.perhapsAccepted ||= perhapsAccepted
        else if (error.retryable && !(error instanceof RateLimitError)) perhapsAccepted = true
        const { authorization } = request.headers
        if (error instanceof AuthenticationError && authorization !== undefined && !renewed) {
          renewed = true
          if (this.#tokens.discard(authorization)) continue
        }
        // A rate limit is not a failure: only the deadline ends its retries.
        const isLimited = error instanceof RateLimitError
        if (!isLimited) failures++
        const wait = computeWait(error, idempotent, failures, retry)
        if (wait === undefined || performance.now() + wait >= endsAt) throw error
        if (isLimited) this.#limits.pause(path, wait)
        else await sleep(wait, signal)
      }
    }
  }
}

/** Returns the milliseconds until the next attempt, or undefined if the call must not be retried. */
function computeWait(
  error: PosternError,
  idempotent: boolean,
  failures: number,
  { attempts, delayMs, maxDelayMs }: Settings['retry'],
): number | undefined {
  if (!error.retryable || error.code === 'queue-full') return undefined
  const backoff = Math.min(maxDelayMs, delayMs * 2 ** Math.max(0, failures - 1)) * (0.5 + Math.random() / 2)
  if (error instanceof RateLimitError) return Math.max((error.retryAfter ?? 1) * 1000, backoff)
  if (failures >= attempts) return undefined
  if (error instanceof UnavailableError) {
    if (!idempotent && error.perhapsAccepted) return undefined
    return Math.max((error.retryAfter ?? 0) * 1000, backoff)
  }
  return idempotent ? backoff : undefined
}
