/** Requests to the service with the access token of the account. Used for sends, uploads and results. */
import { AccessToken, type LoginResult } from '../access-token.ts'
import { HttpClient, type HttpRequest } from '../http-client.ts'
import { readAnswer, tokenRefusalOf, type CallResult } from './answer.ts'
import { loginRequest, readLogin } from './login.ts'
import type { OmniOptions } from './options.ts'

export type Call = Omit<HttpRequest, 'url'> & {
  /** After the base URL. */
  readonly path: string
}

/** A token of the API lives for 24 hours. */
const tokenLifetimes = { defaultMs: 86_400_000, maxMs: 86_400_000 }
const tokenMarginMs = 3_600_000
const maxAnswerBytes = 64 * 1024
/** While foreign answers continue, the account is checked this often. */
const recheckMs = 5_000

export class Upstream {
  readonly token: AccessToken
  readonly #options: OmniOptions
  readonly #http: HttpClient
  #checkedAt = -Infinity
  #check: Promise<boolean> | undefined

  constructor(options: OmniOptions, onToken: (result: LoginResult) => void) {
    this.#options = options
    // One more for results, which may wait at the service for a long time.
    this.#http = new HttpClient({
      connections: options.window + 1,
      connectTimeoutMs: options.responseTimeoutMs,
      timeoutMs: options.responseTimeoutMs,
      maxAnswerBytes,
      ...(options.tls === undefined ? {} : { tls: options.tls }),
    })
    this.token = new AccessToken({
      ...options,
      logIn: async () => readLogin(await this.#send(loginRequest(options))),
      ...{ marginMs: tokenMarginMs, lifetimes: tokenLifetimes },
      onResult: onToken,
    })
  }

  async call(call: Call): Promise<CallResult> {
    const result = await this.token.use(
      (authorization) => this.#send(call, authorization),
      (sent) => tokenRefusalOf(sent),
    )
    if (result.kind !== 'no-token') return result
    return { kind: 'not-sent', code: result.code, accountRefused: result.isAccount }
  }

  /** Asked after an answer that is not of the service. False only when it refuses the account, or all requests. */
  isAccountAccepted(): Promise<boolean> {
    if (this.#check === undefined || performance.now() - this.#checkedAt >= recheckMs) {
      this.#checkedAt = performance.now()
      this.#check = this.token.renew().then((result) => result.kind === 'token' || !result.isAccount)
    }
    return this.#check
  }

  stop(): void {
    this.#http.stop()
  }

  async #send({ path, headers, ...call }: Call, authorization?: string): Promise<CallResult> {
    const result = await this.#http.send({
      ...call,
      url: this.#options.url.replace(/\/+$/, '') + path,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
      },
    })
    return readAnswer(result)
  }
}
