/**
 * Requests to one host with its token. When the host refuses the token, a new one is requested and the request repeated
 * once: it was certainly not accepted. Used for messages, files and results.
 */
import { HttpClient, type HttpFailure } from '../http-client.ts'
import { readAnswer, type Answer } from './answer.ts'
import { meaningOf, type CodeOverrides } from '../rcs-codes.ts'
import { TokenKeeper, type Token } from './token.ts'

export interface HostSettings {
  readonly url: string
  readonly login: Readonly<Record<string, string>>
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
  readonly onToken: (result: Token) => void
}

export interface HostOptions {
  readonly window: number
  readonly connectTimeoutMs: number
  readonly responseTimeoutMs: number
  readonly codes: CodeOverrides
  readonly tokenMarginMs: number
  readonly tokenLifetimeMs: number
  readonly reconnectMinMs: number
  readonly reconnectMaxMs: number
  readonly accountRetryMs: number
}

export interface Call {
  /** After the host’s address: `/message`. */
  readonly path: string
  readonly contentType: string
  readonly body: string | Buffer
  readonly signal?: AbortSignal
  /** Instead of the host’s. */
  readonly baseUrl?: string
}

export type CallResult = { readonly kind: 'answer'; readonly answer: Answer } | HttpFailure

/** An answer has less than 1 KB; 1,000 statuses of a query have about 500 KB. */
const maxAnswerBytes = 4 * 1024 * 1024

export class MaapHost {
  readonly #url: string
  readonly #client: HttpClient
  readonly #token: TokenKeeper
  readonly #codes: CodeOverrides
  #isFailing = false

  constructor({ url, login, tls, onToken }: HostSettings, options: HostOptions) {
    const { window, connectTimeoutMs, responseTimeoutMs, codes } = options
    this.#url = withoutSlash(url)
    this.#codes = codes
    this.#client = new HttpClient({
      connections: window,
      connectTimeoutMs,
      timeoutMs: responseTimeoutMs,
      maxAnswerBytes,
      ...(tls === undefined ? {} : { tls }),
    })
    this.#token = new TokenKeeper(this.#client, {
      ...options,
      url: `${this.#url}/token`,
      login: JSON.stringify({ ...login, grantType: 'clientCredentials' }),
      onResult: onToken,
    })
  }

  /** It has a token. */
  get isUp(): boolean {
    return this.#token.isValid
  }

  /** The last request could not be sent, or there is no token. */
  get isFailing(): boolean {
    return this.#isFailing || !this.#token.isValid
  }

  start(): void {
    this.#token.start()
  }

  stop(): void {
    this.#token.stop()
    this.#client.stop()
  }

  async call(call: Call): Promise<CallResult> {
    const first = await this.#token.get()
    if (first.kind !== 'token') return notSent(first)
    const result = await this.#send(call, first.authorization)
    if (!this.#isTokenRefused(result)) return result
    this.#token.forget(first.authorization)
    const second = await this.#token.get()
    if (second.kind !== 'token') return notSent(second)
    const repeated = await this.#send(call, second.authorization)
    if (!this.#isTokenRefused(repeated)) return repeated
    const { answer } = repeated
    const code = answer.code === '' ? `http:${answer.httpStatus}` : answer.code
    return notSent(this.#token.refuse(second.authorization, code))
  }

  async #send(call: Call, authorization: string): Promise<CallResult> {
    const { path, contentType, body, signal, baseUrl } = call
    const result = await this.#client.send({
      method: 'POST',
      url: (baseUrl === undefined ? this.#url : withoutSlash(baseUrl)) + path,
      headers: { authorization, 'content-type': contentType, accept: 'application/json' },
      body,
      ...(signal === undefined ? {} : { signal }),
    })
    this.#isFailing = result.kind === 'not-sent'
    return result.kind === 'answer' ? { kind: 'answer', answer: readAnswer(result) } : result
  }

  #isTokenRefused(result: CallResult): result is Extract<CallResult, { kind: 'answer' }> {
    if (result.kind !== 'answer') return false
    const { code, httpStatus } = result.answer
    return code === '' ? httpStatus === 401 : meaningOf(code, this.#codes) === 'token'
  }
}

function notSent(token: Token): HttpFailure {
  return { kind: 'not-sent', code: token.kind === 'token' ? 'token' : `token-${token.code}` }
}

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
