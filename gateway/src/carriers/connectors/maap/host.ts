/** Sends requests to one host with its access token. */
import { AccessToken, type LoginResult } from '../http/access-token.ts'
import { HttpClient, type HttpFailure } from '../http/http-client.ts'
import { parseMaapResponse, type MaapResponse } from './response.ts'
import { logInToMaap } from './login.ts'
import { findRcsMeaning, type CodeOverrides } from '../rcs-codes.ts'

export interface HostSettings {
  readonly url: string
  readonly login: Readonly<Record<string, string>>
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
  readonly onToken: (result: LoginResult) => void
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
  readonly loginPauseMs: number
}

export interface MaapCall {
  /** Path after the base URL of the host: `/message`. */
  readonly path: string
  readonly contentType: string
  readonly body: string | Buffer
  readonly signal?: AbortSignal
  /** Overrides the base URL of the host. */
  readonly baseUrl?: string
}

export type MaapCallResult = { readonly kind: 'answer'; readonly answer: MaapResponse } | HttpFailure

/** A response has less than 1 KB; 1,000 statuses of a query have about 500 KB. */
const maxAnswerBytes = 4 * 1024 * 1024
/** Longer lifetimes are shortened to this one. */
const maxTokenLifetimeMs = 7 * 86_400_000

export class MaapHost {
  readonly #url: string
  readonly #client: HttpClient
  readonly #token: AccessToken
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
    const { tokenMarginMs: marginMs, tokenLifetimeMs: defaultMs } = options
    this.#token = new AccessToken({
      ...options,
      logIn: () => logInToMaap(this.#client, { url: `${this.#url}/token`, login, codes }),
      marginMs,
      lifetimes: { defaultMs, maxMs: maxTokenLifetimeMs },
      onResult: onToken,
    })
  }

  /** Whether it has a valid token. */
  get isUp(): boolean {
    return this.#token.isValid
  }

  /** Whether the last request could not be sent, or no token is valid. */
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

  async call(call: MaapCall): Promise<MaapCallResult> {
    const result = await this.#token.use(
      (authorization) => this.#send(call, authorization),
      (sent) => this.#findTokenRefusal(sent),
    )
    return result.kind === 'no-token' ? { kind: 'not-sent', code: `token-${result.code}` } : result
  }

  async #send(call: MaapCall, authorization: string): Promise<MaapCallResult> {
    const { path, contentType, body, signal, baseUrl } = call
    const result = await this.#client.send({
      method: 'POST',
      url: (baseUrl === undefined ? this.#url : withoutSlash(baseUrl)) + path,
      headers: { authorization, 'content-type': contentType, accept: 'application/json' },
      body,
      ...(signal === undefined ? {} : { signal }),
    })
    this.#isFailing = result.kind === 'not-sent'
    return result.kind === 'answer' ? { kind: 'answer', answer: parseMaapResponse(result) } : result
  }

  #findTokenRefusal(result: MaapCallResult): string | null {
    if (result.kind !== 'answer') return null
    const { code, httpStatus } = result.answer
    if (code === '') return httpStatus === 401 ? 'http:401' : null
    return findRcsMeaning(code, this.#codes) === 'token' ? code : null
  }
}

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
