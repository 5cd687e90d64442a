/**
 * Requests with the token of the account. The token is requested once for all, renewed after 23 hours, and again when the
 * service no longer accepts it; a request is then repeated once. Used for sends, uploads and results.
 */
import { clock } from '../../platform/clock.ts'
import type { ConnectorContext } from '../connector.ts'
import { HttpClient, type HttpRequest, type HttpResult } from '../http-client.ts'
import type { OmniOptions } from './options.ts'

export type Call = Omit<HttpRequest, 'url'> & {
  /** After the base URL. */
  readonly path: string
}

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

type Token =
  | { readonly kind: 'token'; readonly authorization: string }
  | { readonly kind: 'not-sent'; readonly code: string; readonly accountRefused: boolean }

const hourMs = 3_600_000
const renewAfterMs = 23 * hourMs
/** After a failed renewal the old token is used for another hour at most. */
const repeatRenewalMs = 60_000
const maxTokenLength = 8_192
const maxAnswerBytes = 64 * 1024
/** While foreign answers continue, the account is checked this often. */
const recheckMs = 5_000

export class Upstream {
  readonly #options: OmniOptions
  readonly #context: ConnectorContext
  readonly #http: HttpClient
  #authorization: string | undefined
  /** Monotonic. */
  #renewAt = 0
  #renewal: Promise<Token> | undefined
  #checkedAt = -Infinity
  #check: Promise<boolean> | undefined

  constructor(options: OmniOptions, context: ConnectorContext) {
    this.#options = options
    this.#context = context
    // One more for results, which may wait at the service for a long time.
    this.#http = new HttpClient({
      connections: options.window + 1,
      connectTimeoutMs: options.requestTimeoutMs,
      timeoutMs: options.requestTimeoutMs,
      maxAnswerBytes,
      tls: options.ca === undefined ? {} : { ca: options.ca },
    })
  }

  async call(call: Call): Promise<CallResult> {
    const token = await this.token()
    if (token.kind !== 'token') return token
    const first = await this.#send(call, token.authorization)
    if (!isTokenRefused(first)) return first
    if (this.#authorization === token.authorization) this.#authorization = undefined
    const renewed = await this.token()
    if (renewed.kind !== 'token') return renewed
    const second = await this.#send(call, renewed.authorization)
    if (!isTokenRefused(second)) return second
    return { kind: 'not-sent', code: codeOf(second), accountRefused: true }
  }

  /** A token that is valid as far as this process knows; a new one for `renew`. */
  async token(renew = false): Promise<Token> {
    const authorization = this.#authorization
    if (!renew && authorization !== undefined && performance.now() < this.#renewAt)
      return { kind: 'token', authorization }
    this.#renewal ??= this.#requestToken().finally(() => (this.#renewal = undefined))
    const renewed = await this.#renewal
    if (renewed.kind === 'token' || renewed.accountRefused || renew || authorization === undefined)
      return renewed
    // The old one is valid for another hour; it may have been refused meanwhile.
    if (this.#authorization !== authorization) return renewed
    this.#renewAt = performance.now() + repeatRenewalMs
    return { kind: 'token', authorization }
  }

  /** Asked after an answer that is not of the service. False only when it refuses the account, or all requests. */
  isAccountAccepted(): Promise<boolean> {
    if (this.#check === undefined || performance.now() - this.#checkedAt >= recheckMs) {
      this.#checkedAt = performance.now()
      this.#check = this.token(true).then((token) => token.kind === 'token' || !token.accountRefused)
    }
    return this.#check
  }

  stop(): void {
    this.#http.stop()
  }

  async #requestToken(): Promise<Token> {
    const { headerPrefix, clientId, password } = this.#options
    const answer = await this.#send({
      method: 'POST',
      path: '/v1/auth/token',
      headers: { [`x-${headerPrefix}-client-id`]: clientId, [`x-${headerPrefix}-client-passwd`]: password },
      body: '',
    })
    if (answer.kind !== 'answer') return { kind: 'not-sent', code: answer.code, accountRefused: false }
    const { token, schema, expired } = (answer.body.data ?? {}) as Readonly<Record<string, unknown>>
    const usable = typeof token === 'string' && token.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(token)
    if (answer.code !== 'A000' || !usable) {
      // Another address than the API answers with a status of its own.
      const accountRefused = /^A1\d\d$/.test(answer.code) || [401, 403, 404].includes(answer.status)
      return { kind: 'not-sent', code: codeOf(answer), accountRefused }
    }
    const scheme = typeof schema === 'string' && /^[A-Za-z]{1,32}$/.test(schema) ? schema : 'Bearer'
    this.#authorization = `${scheme} ${token}`
    this.#renewAt = performance.now() + lifetimeMs(expired)
    this.#context.onEvent('token-renewed')
    return { kind: 'token', authorization: this.#authorization }
  }

  async #send({ path, headers, ...call }: Call, authorization?: string): Promise<CallResult> {
    const result = await this.#http.send({
      ...call,
      url: this.#options.baseUrl.replace(/\/+$/, '') + path,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
      },
    })
    return readAnswer(result)
  }
}

export function readAnswer(result: HttpResult): CallResult {
  if (result.kind === 'not-sent') return { kind: result.kind, code: result.code, accountRefused: false }
  if (result.kind !== 'answer') return { kind: 'no-answer', code: result.code }
  const body = parse(result.body.toString())
  return {
    kind: 'answer',
    status: result.status,
    code: typeof body.code === 'string' && /^[A-Z0-9]{4,8}$/.test(body.code) ? body.code : '',
    result: typeof body.result === 'string' ? body.result.slice(0, 256) : '',
    body,
    retryAfterMs: result.retryAfterMs,
  }
}

/** The code of the service, or the status of an answer that has none. */
export function codeOf(result: CallResult): string {
  if (result.kind !== 'answer' || result.code !== '') return result.code
  return `http:${result.status}`
}

function isTokenRefused(result: CallResult): boolean {
  if (result.kind !== 'answer') return false
  return result.code === 'A001' || result.code === 'A002' || (result.code === '' && result.status === 401)
}

/** An hour less than what the service says, and 23 hours at most. */
function lifetimeMs(expired: unknown): number {
  const until = typeof expired === 'string' && expired.length < 64 ? Date.parse(expired) : NaN
  const leftMs = until - clock.now() - hourMs
  return leftMs > 0 ? Math.min(leftMs, renewAfterMs) : renewAfterMs
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : {}
  } catch {
    return {}
  }
}
